package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code assay compare} as its users call it. */
class CompareCommandTest {
    @TempDir
    Path temp;

    private static Path fixture(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(
                CompareCommandTest.class.getResource("/dev/assay/load/imported/" + name), name).toURI());
    }

    private static Cli withInput(String text, String... args) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        try {
            return Cli.run(args);
        } finally {
            System.setIn(before);
        }
    }

    /** A result of vllm bench serve; {@code minute} gives its time of day. */
    private String result(double ttft, double tpot, int minute, String model) {
        return String.format(Locale.ROOT,
                """
                        {"date": "20260101-12%02d00", "backend": "openai", "model_id": "%s", "num_prompts": 1000, "request_rate": 4.0,
                         "burstiness": 1.0, "max_concurrency": null, "duration": 250.0, "completed": 1000, "failed": 0,
                         "total_input_tokens": 64000, "total_output_tokens": 32000, "request_throughput": 4.0,
                         "request_goodput": null, "output_throughput": 128.0, "mean_ttft_ms": %s, "mean_tpot_ms": %s}
                        """,
                minute, model, ttft, tpot);
    }

    private List<String> repeats(String side, int n, double ttft, int first, int step) throws IOException {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Path file = temp.resolve(side + i + ".json");
            Files.writeString(file, result(ttft + 0.1 * i, 5 + 0.01 * i, first + step * i, "m"));
            files.add(file.toString());
        }
        return files;
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void twoPastedTablesAreDescribedAndNotJudged() throws Exception {
        Cli run = withInput(Files.readString(fixture("pasted.md")), "compare", "-");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(run.out()).isEqualTo("""
                A  stdin#1 (vllm bench serve)
                B  stdin#2 (vllm bench serve)
                load: not stated

                No verdict: no repeats.

                                                 A          B      B/A
                TTFT mean ms                 90.10      70.00    0.777
                TTFT p50 ms                  80.20      60.00    0.748
                TTFT p99 ms                  300.3      200.0    0.666
                TPOT mean ms                 9.100      9.200    1.011
                TPOT p50 ms                  9.000      9.100    1.011
                TPOT p99 ms                  12.00      12.10    1.008
                requests/s                   7.990      8.000    1.001
                output tokens/s               1023       1024    1.001

                Only in A: ITL

                What stands against a verdict:
                - No repeats (runs: A 1, B 1): a description, no verdict. Byte-identical reruns
                  have differed by 30 % (NVIDIA/aicr#1197), and the requests of one run are no
                  repeats. Needed: 4 runs a side to judge one row, 6 for the 8 rows that can be.

                What these files cannot tell:
                - A: how many requests failed is not in the file.
                - B: how many requests failed is not in the file.
                - TTFT counts from sending, not from the planned time: a backlog in the client
                  is hidden (coordinated omission).
                - No goodput in either: how many users were served within their SLO is not
                  known.
                - Not in both files, so not compared: load, model, dataset, seed; nor the
                  server's version, flags, starts, cache state and hardware.

                Formulas:
                TTFT            first chunk (chat) or first content (completions) - sent; the
                                file does not say which
                TPOT            (last chunk with choices - first) / (tokens - 1)
                requests/s      completed requests / whole duration
                output tokens/s output tokens of completed requests / whole duration

                About the files:
                - both: a printed table: rounded to two decimals, no single requests, no model

                """);
    }

    @Test
    void alternatingSetsGetAVerdict() throws IOException {
        List<String> args = new ArrayList<>(List.of("compare", "--metrics", "ttft,tpot", "--a"));
        args.addAll(repeats("a", 5, 20, 0, 2));
        args.add("--b");
        args.addAll(repeats("b", 5, 15, 1, 2));
        Cli run = Cli.run(args.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(Exit.DONE);
        assertThat(run.out())
                .contains("Verdict on 2 of 2 rows: B is better on 1 and worse on 0; on 1 no difference")
                .contains("TTFT mean ms           20.20    15.20   0.752   [0.742, 0.763] 0.0079 better")
                .contains("TPOT mean ms           5.020    5.020   1.000   [0.995, 1.005] 1.0000 ~");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 80 || line.contains(temp.toString()));
    }

    @Test
    void allOfAThenAllOfBIsRefusedUnlessAllowed() throws IOException {
        repeats("a", 5, 20, 0, 1);
        repeats("b", 5, 15, 30, 1);
        String a = temp.resolve("a*.json").toString();
        String b = temp.resolve("b*.json").toString();
        Cli refused = Cli.run("compare", a, b);
        assertThat(refused.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(refused.out()).contains("No verdict: A and B did not alternate.")
                .contains("--allow order");
        assertThat(Cli.run("compare", a, b, "--allow", "order").code()).isEqualTo(Exit.DONE);
    }

    @Test
    void jsonHoldsOneDocumentWithTheDocumentedFields() throws IOException {
        repeats("a", 5, 20, 0, 2);
        repeats("b", 5, 15, 1, 2);
        Cli run = Cli.run("compare", temp.resolve("a*").toString(), temp.resolve("b*").toString(), "--json");
        JsonValue.Obj document = Json.parse(run.out(), "out").asObject();
        assertThat(document.fields().keySet()).containsExactly("level", "width", "allowed", "verdicts",
                "points",
                "unmatched", "notes");
        JsonValue.Obj point = document.require("points").asList().getFirst().asObject();
        assertThat(point.fields().keySet()).containsExactly("load", "a", "b", "rows", "refused", "only_a",
                "only_b",
                "caveats", "notes");
        JsonValue.Obj row = point.require("rows").asList().getFirst().asObject();
        assertThat(row.fields().keySet()).containsExactly("metric", "statistic", "unit", "formula",
                "formula_text",
                "quantile_rule", "recomputed", "a", "b", "a_values", "b_values", "ratio", "low", "high", "p",
                "p_holm", "finding", "better", "reason", "repeats_needed");
        assertThat(row.require("finding").asText()).isEqualTo("lower");
        assertThat(row.require("a_values").asList()).hasSize(5);
    }

    @Test
    void oneFileWithTwoResultsIsBeforeAndAfter() throws IOException {
        Path file = temp.resolve("two.json");
        Files.writeString(file, result(20, 5, 0, "m") + result(10, 5, 1, "n"));
        Cli run = Cli.run("compare", file.toString());
        assertThat(run.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(run.out()).contains("No verdict: no repeats; model differs.")
                .contains("Model differs: m in A, n in B");
        Files.writeString(file, result(20, 5, 0, "m") + result(10, 5, 1, "n") + result(10, 5, 1, "n"));
        assertThat(Cli.run("compare", file.toString()).err()).contains("found 3 runs; expected 2");
    }

    @Test
    void realResultsOfTwoToolsShowWhatIsNotComparable() {
        Optional<Path> root = real();
        assumeTrue(root.isPresent(), "skipped: shared/data/results is not here");
        String vllm = root.get().resolve("vllm/console_1.txt").toString();
        String aiperf = root.get().resolve("aiperf").toString();
        Cli run = Cli.run("compare", vllm, aiperf);
        assertThat(run.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(run.out()).contains("Refused, since the numbers are not of one kind:")
                .contains("- TPOT (different formulas)")
                .contains("    A: (last chunk with choices - first) / (tokens - 1)")
                .contains("    B: (last content - first content) / (tokens - 1)")
                .contains("different load generators");
        Cli raw = Cli.run("compare", root.get().resolve("vllm").toString(), aiperf);
        assertThat(raw.out()).contains("[computed here from the requests]").doesNotContain("Refused");
    }

    private static Optional<Path> real() {
        return IntStream.iterate(0, i -> i + 1).limit(12)
                .mapToObj(i -> Path.of("").toAbsolutePath().resolve("../".repeat(i)).normalize()
                        .resolve("shared/data/results"))
                .filter(Files::isDirectory).findFirst();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"missing.json other.json|missing.json: no such file",
            "--a x.json|--b is missing", "x.json --a x.json --b y.json|stands beside --a and --b",
            "none-*.json b.json|no file matches", "- -|standard input is given twice",
            "a b --metrics speed|--metrics has 'speed'; expected ttft",
            "a b --allow weather|--allow has 'weather'",
            "a b --level 2|--level and --width: level is 2.0", "a b c|3 results are given; expected two"})
    void misuseIsOneLine(String arguments, String message) {
        List<String> args = new ArrayList<>(List.of("compare"));
        args.addAll(List.of(arguments.split(" ")));
        Cli run = Cli.run(args.toArray(String[]::new));
        assertThat(run.code()).isEqualTo(Exit.MISUSE);
        assertThat(run.err()).contains(message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    /** Pasted text is cut and garbled in transit: always an answer or one line, never an internal error. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void damagedPastesNeverGiveAnInternalError(long seed) throws Exception {
        String text = Files.readString(fixture("pasted.md"));
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 60; i++) {
            int at = random.nextInt(text.length());
            String damaged = random.nextBoolean()
                    ? text.substring(0, at)
                    : text.substring(0, at) + (char) random.nextInt(1, 300)
                            + text.substring(at + random.nextInt(2));
            Cli run = withInput(damaged, "compare");
            assertThat(run.code()).isIn(Exit.MISUSE, Exit.EVIDENCE);
            assertThat(run.err()).doesNotContain("internal error");
            assertThat(run.err().lines().count()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void helpHasExamplesAndExitCodes() {
        Cli run = Cli.run("compare", "--help");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("Examples:").contains("Exit codes: 0").contains("GuideLLM");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    }
}
