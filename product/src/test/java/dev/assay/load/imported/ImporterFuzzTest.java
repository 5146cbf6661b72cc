package dev.assay.load.imported;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cut and damaged files give runs or one line of fault, never another exception. */
class ImporterFuzzTest {
    private static final String[] TOKENS = {"null", "-1", "1e400", "NaN", "\"\"", "{}", "[]", "[[]]", "true",
            "0",
            "9223372036854775808", "}", "]", ",", "\u0000", "Infinity"};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void damagedFixtures(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int faults = 0;
        int tried = 0;
        for (byte[] original : originals()) {
            for (int i = 0; i < 60; i++) {
                byte[] bytes = damaged(original, random);
                tried++;
                try {
                    List<ImportedRun> runs = Importer.read(bytes, "f");
                    Comparer.compare(runs, runs, CompareOptions.DEFAULT);
                } catch (AssayException e) {
                    faults++;
                    assertThat(e.getMessage()).doesNotContain("\n").isNotBlank();
                }
            }
        }
        assertThat(faults).isBetween(tried / 10, tried);
    }

    private static List<byte[]> originals() throws IOException {
        List<byte[]> all = new ArrayList<>();
        Path directory = Runs.fixture("sglang.jsonl").getParent();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                if (!file.toString().endsWith(".class")) {
                    all.add(Files.readAllBytes(file));
                }
            }
        }
        assertThat(all).hasSizeGreaterThan(10);
        for (String real : List.of("aiperf/profile_export.jsonl", "endpoints/events.jsonl",
                "vllm/console_1.txt",
                "aiperf/profile_export_aiperf.json", "aiperf/profile_export_aiperf.csv")) {
            if (Runs.real(real).isPresent()) {
                byte[] bytes = Files.readAllBytes(Runs.real(real).get());
                all.add(bytes.length > 20_000 ? java.util.Arrays.copyOf(bytes, 20_000) : bytes);
            }
        }
        return all;
    }

    /** Cut off, some bytes replaced, a value replaced, or a part doubled. */
    private static byte[] damaged(byte[] original, SplittableRandom random) {
        String text = new String(original, java.nio.charset.StandardCharsets.ISO_8859_1);
        int at = random.nextInt(text.length());
        String damaged = switch (random.nextInt(5)) {
            case 0 -> text.substring(0, at);
            case 1 -> text.substring(0, at) + (char) random.nextInt(256) + text.substring(at + 1);
            case 2 -> {
                int colon = text.indexOf(':', at);
                int end = colon < 0 ? -1 : Math.max(text.indexOf(',', colon), colon + 1);
                yield end < 0
                        ? text.substring(at)
                        : text.substring(0, colon + 1) + " " + TOKENS[random.nextInt(TOKENS.length)]
                                + text.substring(Math.min(end, text.length()));
            }
            case 3 -> text.substring(0, at) + text.substring(Math.max(0, at - 40));
            default -> text + text.substring(at);
        };
        return damaged.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
