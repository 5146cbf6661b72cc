package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The control is the reader that holds the whole trace. */
class TraceStreamTest {
    @TempDir
    Path temp;

    private Path write(String name, List<String> lines) throws IOException {
        return Files.write(temp.resolve(name), lines);
    }

    private static List<Trace.Row> streamed(Path file) {
        List<Trace.Row> rows = new ArrayList<>();
        try (TraceStream stream = TraceStream.open(file)) {
            stream.forEachRemaining(rows::add);
        }
        return rows;
    }

    private static List<Trace.Row> held(Path file) {
        return Trace.read(file).rows().stream().map(r -> new Trace.Row(r.arrivalNanos(), r.inputTokens(),
                r.outputTokens(), r.blocks(), OptionalInt.empty(), 0)).toList();
    }

    private static String azure(double second, int input, int output) {
        return String.format(java.util.Locale.ROOT, "2023-11-16 18:%02d:%09.6f,%d,%d", (int) (second / 60),
                second % 60,
                input, output);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void rowsThatAreNearTheirOrderComeAsFromTheWholeTrace(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> lines = new ArrayList<>(List.of(AzureRows.HEADER));
        for (int i = 0; i < 5000; i++) {
            lines.add(azure(0.1 * i + 20 * random.nextDouble(), random.nextInt(1000), random.nextInt(300)));
        }
        Path file = write("azure.csv", lines);
        assertThat(streamed(file)).isEqualTo(held(file)).hasSizeGreaterThan(4900);
        TraceStream.Facts facts = TraceStream.facts(file);
        List<Trace.Row> rows = held(file);
        assertThat(facts.requests()).isEqualTo(rows.size());
        assertThat(facts.meanInput())
                .isEqualTo(rows.stream().mapToInt(Trace.Row::inputTokens).average().orElseThrow());
        assertThat(facts.seconds()).isEqualTo(rows.getLast().arrivalNanos() / 1e9);
        assertThat(facts.longestTokens())
                .isEqualTo(
                        rows.stream().mapToInt(r -> r.inputTokens() + r.outputTokens()).max().orElseThrow());
    }

    @Test
    void hashedBlocksAreKept() throws IOException {
        Path file = write("mooncake.jsonl",
                List.of("{\"timestamp\": 5, \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [1, 2]}",
                        "{\"timestamp\": 7, \"input_length\": 700, \"output_length\": 5, \"hash_ids\": [1, 3]}"));
        assertThat(streamed(file)).isEqualTo(held(file));
        try (TraceStream stream = TraceStream.open(file)) {
            assertThat(stream.blockTokens()).isEqualTo(512);
        }
    }

    @Test
    void aRowFarBehindItsTimeIsToldWithItsLine() throws IOException {
        List<String> lines = new ArrayList<>(List.of(AzureRows.HEADER));
        for (int i = 0; i < 3000; i++) {
            lines.add(azure(0.1 * i, 10, 10));
        }
        lines.add(2500, azure(1, 10, 10));
        Path file = write("late.csv", lines);
        assertThatThrownBy(() -> streamed(file)).isInstanceOf(AssayException.class)
                .hasMessageContaining("late.csv:2501: arrives").hasMessageContaining("1024 lines");
    }

    @Test
    void faultsNameTheLineAndTheField() throws IOException {
        assertThatThrownBy(() -> TraceStream.open(temp.resolve("none.csv")))
                .hasMessageContaining("no such file");
        Path empty = write("empty.csv", List.of(AzureRows.HEADER));
        assertThatThrownBy(() -> TraceStream.open(empty)).hasMessageContaining("at least one row");
        Path negative = write("negative.csv",
                List.of(AzureRows.HEADER, azure(0, 5, 5), "2023-11-16 18:00:01,-4,7"));
        assertThatThrownBy(() -> TraceStream.open(negative))
                .hasMessageContaining("negative.csv:3: field 'ContextTokens'")
                .hasMessageContaining("found -4");
        Path gap = write("gap.csv", List.of(AzureRows.HEADER, azure(0, 5, 5), "2023-11-16 18:00:01,,7"));
        assertThatThrownBy(() -> TraceStream.open(gap))
                .hasMessageContaining("gap.csv:3: field 'ContextTokens'");
    }
}
