package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurveSlot;
import dev.assay.load.curve.Found;
import dev.assay.load.curve.TimeNeeded;
import dev.assay.stats.ShareEstimate;
import dev.assay.workload.RunSummary;
import dev.assay.workload.RunSummary.Spread;
import dev.assay.workload.Slo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code assay forecast step} and {@code assay twin} with {@code --calibrate}, as their users call them. */
class CalibratedForecastTest {
    private static final String VLLM = "{\"backend\":\"openai\",\"num_prompts\":400,\"completed\":400,"
            + "\"failed\":0,\"max_concurrency\":%d,\"request_rate\":\"inf\",\"duration\":%.4f,"
            + "\"total_input_tokens\":204800,\"total_output_tokens\":102400,\"request_throughput\":%.4f,"
            + "\"output_throughput\":%.2f,\"mean_ttft_ms\":%.2f,\"median_ttft_ms\":%.2f,"
            + "\"mean_tpot_ms\":%.3f,\"median_tpot_ms\":%.3f}";
    private static final String STEP = "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"%s\","
            + "\"pid\":7,\"tid\":7,\"ts\":0,\"dur\":90},{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"l\",\"pid\":7,"
            + "\"tid\":7,\"ts\":5,\"dur\":5,\"args\":{\"correlation\":3}},{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\","
            + "\"pid\":0,\"tid\":1,\"ts\":50,\"dur\":9000,\"args\":{\"correlation\":3}}]}";

    @TempDir
    private Path dir = Path.of("");

    /** Results of closed loops, appended to one file as vLLM does: 512 tokens in and 256 out. */
    private Path benchmark(double... clientsAndTpot) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < clientsAndTpot.length; i += 2) {
            double tpot = clientsAndTpot[i + 1];
            double ttft = 30 + clientsAndTpot[i] / 2;
            double rps = 1e3 * clientsAndTpot[i] / (ttft + 255 * tpot);
            text.append(String.format(Locale.ROOT, VLLM, (int) clientsAndTpot[i], 400 / rps, rps, 256 * rps,
                    ttft, ttft, tpot, tpot)).append('\n');
        }
        return Files.writeString(dir.resolve("bench.json"), text);
    }

    private static CurveSlot slot(int number, double rate, double tpot, double ttft, boolean tokens) {
        RunSummary summary = new RunSummary(new RunSummary.Requests(200, 200, Map.of()), spread(ttft),
                spread(ttft), spread(tpot), spread(tpot), spread(ttft + 30 * tpot),
                new RunSummary.Throughput(rate, 31 * rate), OptionalDouble.of(rate), OptionalDouble.of(1),
                Optional.empty(), 200 / rate, List.of());
        return new CurveSlot(number, "given", rate, 50, 20, ShareEstimate.of(200, 200, 1, 0.95), 1, false,
                List.of(), summary, Optional.empty(), Optional.empty(), Map.of(),
                tokens ? Optional.of(new CurveSlot.MeanTokens(64, 31)) : Optional.empty());
    }

    private static Optional<Spread> spread(double value) {
        return Optional.of(new Spread(200, value, value, value, value, value));
    }

    private Path curve(boolean tokens) throws IOException {
        List<CurveSlot> slots = List.of(slot(1, 2, 4.1, 18, tokens), slot(2, 8, 4.6, 19, tokens),
                slot(3, 16, 5.4, 21, tokens));
        Curve curve = new Curve(0.95, new Found(OptionalDouble.of(16), OptionalDouble.empty(),
                OptionalDouble.empty(), "3 loads were given"), slots, List.of(), 60, Optional.empty());
        Path made = Files.createDirectories(dir.resolve("c"));
        Files.writeString(made.resolve("curve.json"),
                Json.pretty(new CurveCommand.Document("http://h", Optional.empty(), "m",
                        "lengths", 1, Slo.none(), Optional.empty(),
                        new TimeNeeded(30, 40, 60, 300, 9, Optional.empty()),
                        Optional.empty(), Optional.empty(), curve)));
        return made;
    }

    private Path trace() throws IOException {
        List<String> lines = new ArrayList<>(List.of("TIMESTAMP,ContextTokens,GeneratedTokens"));
        for (int i = 0; i < 400; i++) {
            lines.add(String.format(Locale.ROOT, "2023-11-16 18:%02d:%09.6f,%d,%d", i / 240, i % 240 / 4.0,
                    40 + i % 50, 16 + i % 30));
        }
        return Files.write(dir.resolve("trace.csv"), lines);
    }

    private static Cli step(Path calibrate, String... more) {
        List<String> all = new ArrayList<>(List.of("forecast", "step", "--hardware", "h100_sxm", "--baseline",
                "vllm serve meta-llama/Llama-3.1-8B-Instruct", "--draws", "40", "--calibrate",
                calibrate.toString()));
        all.addAll(List.of(more));
        Map.of("--input-tokens", "512", "--width", "80").forEach((option, usual) -> {
            if (!all.contains(option)) {
                all.addAll(List.of(option, usual));
            }
        });
        return Cli.run(all.toArray(String[]::new));
    }

    private Cli twin(String calibrate, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("twin", "--trace", trace().toString(), "--model",
                "llama-3.1-8b", "--max-num-seqs", "16", "--draws", "9", "--calibrate", calibrate));
        all.addAll(List.of(more));
        return Cli.run(all.toArray(String[]::new));
    }

    private static void assertGolden(String name, String text) throws IOException {
        Path golden = Path.of("src/test/resources/dev/assay/cli/" + name);
        Path file = Files.exists(golden.getParent()) ? golden : Path.of("product").resolve(golden);
        if (Boolean.getBoolean("assay.record")) {
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }

    @Test
    void aBenchmarkCalibratesAForecastAsRecorded() throws IOException {
        Cli run = step(benchmark(4, 7.9, 16, 8.8, 64, 12.4), "--batch", "8,32,160");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertGolden("forecast-calibrated.txt", run.out());
        assertThat(run.out().lines()).allMatch(l -> l.length() <= 80);
    }

    /** What was measured comes back, nearer than without. */
    @Test
    void theCalibratedForecastStandsInJson() throws IOException {
        JsonValue.Obj d = Json.parse(step(benchmark(4, 7.9, 16, 8.8, 64, 12.4), "--batch", "16", "--json")
                .out(), "out").asObject();
        assertThat(d.require("calibration").asText())
                .startsWith("calibrated from 3 imported benchmarks: batch");
        JsonValue.Obj region = d.require("calibrated").asObject();
        assertThat(region.require("max_rows").asDouble()).isBetween(55.0, 64.0);
        JsonValue.Obj tpot = d.require("points").asList().getFirst().asObject().require("baseline").asObject()
                .require("tpot_ms").asObject();
        assertThat(tpot.require("value").asDouble()).isBetween(8.2, 9.4);
        assertThat(tpot.require("high").asDouble() / tpot.require("low").asDouble()).isLessThan(1.3);
        assertThat(d.require("warnings").asList()).isNotEmpty();
    }

    @Test
    void farOutsideIsRefusedAndDefaultLoadsAreLeftOut() throws IOException {
        Path bench = benchmark(4, 7.9);
        Cli far = step(bench, "--batch", "4,64");
        assertThat(far.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(far.err()).hasLineCount(1).contains(
                "batch 64: 64 sequences run at once; expected at most 4 times the 3.9");
        Cli left = step(bench);
        assertThat(left.code()).isZero();
        assertThat(left.out()).contains("batch 128 is left out: the calibration saw batch 3.9",
                "batch 8 lies outside of what was calibrated");
    }

    @Test
    void aContextThatWasNotMeasuredIsNamedOnceAndNotTheBatches() throws IOException {
        Cli longer = step(benchmark(4, 7.9, 16, 8.6), "--input-tokens", "4096", "--batch", "4,8", "--width",
                "200");
        assertThat(longer.code()).as(longer.err()).isZero();
        assertThat(longer.out()).containsOnlyOnce("lies outside")
                .contains("a context of 4224 tokens lies outside of what was calibrated (batch 3.9",
                        "context 640 tokens");
    }

    @Test
    void aMapShowsNothingFarOutside() throws IOException {
        Cli map = Cli.run("forecast", "surface", "--hardware", "h100_sxm", "--baseline",
                "vllm serve meta-llama/Llama-3.1-8B-Instruct", "--candidate",
                "vllm serve meta-llama/Llama-3.1-8B-Instruct -q fp8", "--input-tokens", "512", "--draws",
                "20",
                "--width", "80", "--metric", "tpot", "--calibrate", benchmark(4, 7.9, 16, 8.8).toString());
        assertThat(map.err()).isEmpty();
        List<String> rows = map.out().lines().filter(l -> l.contains("|")).toList();
        assertThat(rows.subList(rows.size() - 6, rows.size()))
                .allMatch(l -> l.substring(l.length() - 20).matches("[.x]+")).anyMatch(l -> l.contains("+"));
    }

    @Test
    void aCurveCalibratesTheTwinAsRecorded() throws IOException {
        Cli run = twin(curve(true).toString(), "--rate", "4,12");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        // What stands before names a directory that is another in each run, the last the time that it took.
        assertGolden("twin-calibrated.txt", run.out().substring(run.out().indexOf("llama-3.1-8b;"))
                .replaceAll("simulated in .*", "simulated"));
    }

    /** The kinds stand beside each other; the file's name says nothing. */
    @Test
    void kindsMayBeMixed() throws IOException {
        Path profile = Files.writeString(dir.resolve("any.name"),
                String.format(Locale.ROOT, STEP, "execute_context_0(0)_generation_12(sq12sk960)"));
        Cli run = twin(curve(true) + "," + profile + "," + benchmark(2, 4.2), "--rate", "4", "--json");
        assertThat(run.err()).isEmpty();
        JsonValue.Obj d = Json.parse(run.out(), "out").asObject();
        assertThat(d.require("calibration").asText())
                .startsWith(
                        "calibrated from 3 slots of curves, 1 imported benchmark, 1 profiled step: batch 1.");
        assertThat(d.require("calibrated").asObject().require("max_rows").asDouble()).isEqualTo(12);
    }

    @Test
    void theTwinRefusesALoadFarOutside() throws IOException {
        Cli run = twin(curve(true).toString(), "--rate", "400");
        assertThat(run.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(run.err()).hasLineCount(1).contains("at 400.0 requests/s the baseline decodes");
    }

    @Test
    void aProfileThatDoesNotTellItsBatchAsksForIt() throws IOException {
        Path bare = Files.writeString(dir.resolve("p.json"), String.format(STEP, "ProfilerStep#4"));
        assertThat(step(bare, "--batch", "8").err()).hasLineCount(1)
                .contains("do not tell their batch; expected --profile-batch");
        assertThat(step(bare, "--batch", "8", "--profile-batch", "8").err()).hasLineCount(1)
                .contains("expected --profile-context");
        Cli told = step(bare, "--batch", "8", "--profile-batch", "8", "--profile-context", "600");
        assertThat(told.err()).isEmpty();
        assertThat(told.out().replaceAll("\\s+", " ")).contains(
                "calibrated from 1 profiled step: batch 8, context 600 tokens",
                "without what lies between steps");
        assertThat(Cli.run("forecast", "step", "--hardware", "h100_sxm", "--baseline", "vllm serve x",
                "--profile-batch", "8").err()).hasLineCount(1).contains("expected them beside --calibrate");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "{\"backend\":\"openai\",\"num_prompts\":4,\"completed\":4,\"request_throughput\":1.0}|lacks TPOT (median or mean), mean input tokens, mean output tokens, which a calibration needs",
            "{\"backend\":\"openai\",\"num_prompts\":4,\"completed\":4,\"request_throughput\":1.0,\"total_input_tokens\":40,\"total_output_tokens\":4,\"mean_tpot_ms\":3}|mean output tokens is 1.0; expected more than 1",
            "SQLite format 3 and more|an Nsight Systems export (SQLite) is not read; expected a Kineto trace",
            "{\"traceEvents\":[]}|no range of a step",
            "{\"traceEvents\":7}|expected a list, found a whole number",
            "{\"what\":1}|not a result that is understood",
            "nothing|not a result that is understood"})
    void whatCannotCalibrateIsOneLine(String text, String expected) throws IOException {
        Path file = Files.writeString(dir.resolve("x"), text);
        for (Cli run : List.of(step(file, "--batch", "4"), twin(file.toString()))) {
            assertThat(run.code()).isIn(Exit.MISUSE, Exit.EVIDENCE);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).contains(expected).hasLineCount(1).doesNotContain("internal error");
        }
    }

    @Test
    void aCurveWithoutLengthsSaysWhichFieldIsMissing() throws IOException {
        Cli run = twin(curve(false).toString());
        assertThat(run.code()).isEqualTo(Exit.MISUSE);
        assertThat(run.err()).hasLineCount(1)
                .contains("curve.json: slot 1 has no field 'tokens' (mean lengths)");
    }

    /** The results of real generators beside the checkout, each read or refused in a line. */
    @ParameterizedTest
    @ValueSource(strings = {"vllm", "vllm/append.json", "guidellm", "aiperf", "inference_perf", "endpoints",
            "endpoints/report.txt", "vllm/metrics.txt", "aiperf/server_metrics_export.json"})
    void realResultsAreReadOrRefused(String name) throws IOException {
        Path file = shared("results").resolve(name);
        Cli run = twin(file.toString(), "--rate", "2");
        if (name.endsWith(".txt") || name.startsWith("aiperf/")) {
            assertThat(run.err()).hasLineCount(1).doesNotContain("internal error");
            assertThat(run.code()).isIn(Exit.MISUSE, Exit.EVIDENCE);
        } else {
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).contains("calibrated from").contains("imported benchmark");
        }
    }

    private static Path shared(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path file = at.resolve("shared/data").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return Assumptions.abort("skipped: shared/data/" + name + " is not here");
    }
}
