package dev.assay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GgufTest {
    private static final Path MODEL = Path.of(
            Objects.requireNonNull(System.getProperty("assay.root"), "assay.root"),
            "model", "assay-18m-bf16.gguf");
    /** Header, metadata and tensor directory of the shipped file end before this byte. */
    private static final int FRONT = 220_000;

    @TempDir
    private Path dir = Path.of("");

    /** Figures of the model's README: 17,678,208 weights, d 384, 10 layers, 10 KiB of f32 KV per token. */
    @Test
    void readsTheShippedModel() {
        try (Gguf gguf = Gguf.open(MODEL)) {
            ModelShape shape = gguf.shape();
            assertThat(shape).isEqualTo(new ModelShape(10, 384, 6, 2, 64, 1056, 4096, 2048, 10_000,
                    (double) 1e-5f, true));
            assertThat(shape.parameters()).isEqualTo(17_678_208);
            assertThat(shape.kvBytesPerToken(4)).isEqualTo(10 * 1024);
            assertThat(shape.matmulWeights()).isEqualTo(
                    gguf.tensors().values().stream().filter(t -> t.rows() > 1).mapToLong(t -> t.bytes() / 2)
                            .sum());
            assertThat(gguf.format()).isEqualTo(WeightFormat.BF16);
            assertThat(gguf.data(gguf.tensor("output_norm.weight")).get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0))
                    .isBetween(0f, 100f);
        }
    }

    @Test
    void aTruncatedFileIsOneLineAtAnyLength() throws IOException {
        byte[] front = front();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 40; i++) {
            int length = i < 20
                    ? random.nextInt(FRONT)
                    : FRONT + random.nextInt((int) Files.size(MODEL) - FRONT);
            assertOneLine(sparse(Arrays.copyOf(front, Math.min(length, FRONT)), length));
        }
    }

    @Test
    void damagedHeadersNeverDoWorseThanOneLine() throws IOException {
        byte[] front = front();
        SplittableRandom random = new SplittableRandom(6);
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            byte[] damaged = front.clone();
            for (int j = 0; j < 200; j++) {
                damaged[random.nextInt(i < 30 ? 1000 : FRONT)] = (byte) random.nextInt();
            }
            Path file = sparse(damaged, Files.size(MODEL));
            try (Gguf gguf = Gguf.open(file)) {
                assertThat(gguf.shape().layers()).isPositive();
            } catch (AssayException e) {
                assertThat(e.getMessage()).doesNotContain("\n").contains(file.toString());
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(30);
    }

    private static byte[] front() throws IOException {
        try (var in = Files.newInputStream(MODEL)) {
            return in.readNBytes(FRONT);
        }
    }

    /** A file of those bytes, followed by a hole up to {@code length}. */
    private Path sparse(byte[] bytes, long length) throws IOException {
        Path file = write(bytes);
        try (RandomAccessFile random = new RandomAccessFile(file.toFile(), "rw")) {
            random.setLength(length);
        }
        return file;
    }

    @Test
    void foreignFilesAndVersionsAreNamed() throws IOException {
        assertThatThrownBy(
                () -> Gguf.open(write("#!/bin/sh\nexit 0 # and more".getBytes(StandardCharsets.UTF_8))))
                .hasMessageContaining("not a GGUF file");
        assertThatThrownBy(() -> Gguf.open(dir.resolve("none.gguf"))).hasMessageContaining("no such file");
        assertThatThrownBy(() -> Gguf.open(write(patched(4, 2)))).hasMessageContaining("version 2")
                .hasMessageContaining("expected 3");
    }

    @Test
    void otherArchitecturesAreRefused() throws IOException {
        byte[] whole = Files.readAllBytes(MODEL);
        int at = new String(whole, 0, 200, StandardCharsets.ISO_8859_1).indexOf("llama");
        whole[at] = 'g';
        try (Gguf gguf = Gguf.open(write(whole))) {
            assertThatThrownBy(gguf::shape).isInstanceOf(AssayException.class)
                    .hasMessageContaining("general.architecture glama")
                    .hasMessageContaining("expected llama");
        }
    }

    @Test
    void otherTensorTypesAreNamed() throws IOException {
        byte[] whole = Files.readAllBytes(MODEL);
        byte[] name = "token_embd.weight".getBytes(StandardCharsets.UTF_8);
        int at = new String(whole, 0, FRONT, StandardCharsets.ISO_8859_1).indexOf("token_embd.weight");
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).putInt(at + name.length + 4 + 16, 12);
        assertThatThrownBy(() -> Gguf.open(write(whole))).isInstanceOf(AssayException.class)
                .hasMessageContaining("token_embd.weight")
                .hasMessageContaining("type 12");
    }

    private static byte[] patched(int at, int value) throws IOException {
        byte[] whole = Files.readAllBytes(MODEL);
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return whole;
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(dir.resolve("m.gguf"), bytes);
    }

    private static void assertOneLine(Path file) {
        assertThatThrownBy(() -> {
            try (Gguf gguf = Gguf.open(file)) {
                throw new AssertionError("opened a damaged file: " + gguf.shape());
            }
        }).isInstanceOf(AssayException.class).hasMessageContaining(file.toString()).message()
                .doesNotContain("\n");
    }
}
