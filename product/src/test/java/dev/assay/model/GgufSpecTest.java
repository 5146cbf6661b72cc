package dev.assay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Headers of GGUF files: the shipped one, and such as are made here with experts and windows. */
class GgufSpecTest {
    private static final int Q4_K = 12;
    private static final int Q6_K = 14;
    private static final int F32 = 0;

    @TempDir
    private Path dir = Path.of("");

    private final Map<String, Object> metadata = new LinkedHashMap<>();
    private final ByteArrayOutputStream tensors = new ByteArrayOutputStream();
    private int tensorCount;

    @Test
    void theShippedModelHasItsWeights() {
        DecoderSpec spec = GgufSpec.read(Path.of(
                Objects.requireNonNull(System.getProperty("assay.root"), "assay.root"), "model",
                "assay-18m-bf16.gguf"));
        assertThat(spec.parameters()).isEqualTo(17_678_208);
        assertThat(spec.kvBytesPerToken(4)).isEqualTo(10 * 1024);
        assertThat(spec.storedBits().get(Matrix.Role.DENSE)).isEqualTo(16);
    }

    private void qwen3Moe() {
        metadata.put("general.architecture", "qwen3moe");
        metadata.put("general.name", "Toy");
        metadata.put("qwen3moe.block_count", 4);
        metadata.put("qwen3moe.embedding_length", 256);
        metadata.put("qwen3moe.context_length", 4096);
        metadata.put("qwen3moe.feed_forward_length", 512);
        metadata.put("qwen3moe.attention.head_count", 8);
        metadata.put("qwen3moe.attention.head_count_kv", 2);
        metadata.put("qwen3moe.attention.key_length", 64);
        metadata.put("qwen3moe.expert_count", 16);
        metadata.put("qwen3moe.expert_used_count", 4);
        metadata.put("qwen3moe.expert_feed_forward_length", 128);
        tensor("token_embd.weight", Q6_K, 256, 1000);
        tensor("output.weight", Q6_K, 256, 1000);
        tensor("blk.0.attn_q.weight", Q4_K, 256, 512);
        tensor("blk.0.ffn_gate_inp.weight", F32, 256, 16);
        tensor("blk.0.ffn_down_exps.weight", Q6_K, 256, 256, 16);
        tensor("blk.0.ffn_up_exps.weight", Q4_K, 256, 256, 16);
        tensor("blk.0.attn_norm.weight", F32, 256);
    }

    /** Mixed formats weigh by their tensors: half the experts at 6.5625 bits and half at 4.5. */
    @Test
    void expertsAndMixedFormats() throws IOException {
        qwen3Moe();
        DecoderSpec spec = GgufSpec.read(write());
        assertThat(spec.name()).isEqualTo("Toy");
        assertThat(spec.layers()).hasSize(1);
        assertThat(spec.layers().getFirst().feedForward())
                .isEqualTo(new FeedForward.Mixture(16, 4, 128, 0, false, false));
        assertThat(spec.storedBits().get(Matrix.Role.EXPERT)).isCloseTo((6.5625 + 4.5) / 2, within(1e-12));
        assertThat(spec.storedBits().get(Matrix.Role.HEAD)).isEqualTo(6.5625);
        assertThat(spec.storedBits().get(Matrix.Role.ROUTER)).isEqualTo(32);
        assertThat(spec.storedBits().get(Matrix.Role.ATTENTION)).isEqualTo(4.5);
    }

    @Test
    void windowsOfGemma() throws IOException {
        metadata.put("general.architecture", "gemma3");
        metadata.put("gemma3.block_count", 12);
        metadata.put("gemma3.embedding_length", 256);
        metadata.put("gemma3.context_length", 8192);
        metadata.put("gemma3.feed_forward_length", 512);
        metadata.put("gemma3.attention.head_count", 4);
        metadata.put("gemma3.attention.head_count_kv", 2);
        metadata.put("gemma3.attention.key_length", 64);
        metadata.put("gemma3.attention.sliding_window", 512);
        tensor("token_embd.weight", Q6_K, 256, 1000);
        DecoderSpec spec = GgufSpec.read(write());
        assertThat(spec.tiedEmbeddings()).isTrue();
        assertThat(spec.layers().stream().map(r -> r.attention().window() + " " + r.count()))
                .containsExactlyInAnyOrder(OptionalInt.empty() + " 2", OptionalInt.of(512) + " 10");
    }

    @Test
    void faultsNameFileAndField() throws IOException {
        qwen3Moe();
        metadata.remove("qwen3moe.expert_used_count");
        Path file = write();
        assertThatThrownBy(() -> GgufSpec.read(file)).isInstanceOf(AssayException.class)
                .hasMessage(file + ": qwen3moe.expert_used_count is missing: expected an integer");
        metadata.put("qwen3moe.expert_used_count", 40);
        Path more = write();
        assertThatThrownBy(() -> GgufSpec.read(more)).isInstanceOf(AssayException.class)
                .hasMessageContaining("experts per token is 40; expected at most the experts, 16");
        metadata.put("general.architecture", "rwkv7");
        Path other = write();
        assertThatThrownBy(() -> GgufSpec.read(other)).isInstanceOf(AssayException.class)
                .hasMessageContaining("general.architecture is rwkv7: expected one of deepseek2");
    }

    private void tensor(String name, int type, long... sizes) {
        text(tensors, name);
        write(tensors, sizes.length, 4);
        for (long size : sizes) {
            write(tensors, size, 8);
        }
        write(tensors, type, 4);
        write(tensors, 0, 8);
        tensorCount++;
    }

    private Path write() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
        write(out, 3, 4);
        write(out, tensorCount, 8);
        write(out, metadata.size(), 8);
        metadata.forEach((key, value) -> {
            text(out, key);
            if (value instanceof String s) {
                write(out, 8, 4);
                text(out, s);
            } else {
                write(out, 4, 4);
                write(out, (Integer) value, 4);
            }
        });
        out.writeBytes(tensors.toByteArray());
        return Files.write(Files.createTempFile(dir, "m", ".gguf"), out.toByteArray());
    }

    private static void text(ByteArrayOutputStream out, String s) {
        byte[] bytes = s.getBytes(StandardCharsets.UTF_8);
        write(out, bytes.length, 8);
        out.writeBytes(bytes);
    }

    private static void write(ByteArrayOutputStream out, long value, int bytes) {
        out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array(), 0, bytes);
    }
}
