package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input gets one line: what, where, expected. */
class BadInputTest {
    @TempDir
    Path temp;

    private Path review() {
        return temp.resolve("r");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "change: batch_cap|change: batch_size|field 'change': expected one of batch_cap",
            "load_points: [2, 4, 8, 12]|load_points: [2, 4, 8]|field 'load_points' has 3 entries; expected at least 4",
            "load_points: [2, 4, 8, 12]|load_points: [2, 4, 3, 12]|field 'load_points[2]' is 3.0; expected ascending",
            "seed: 1|sed: 1|unknown field 'measure.sed'",
            "  blocks: 6|  blocks: six|field 'measure.blocks': expected a whole number, found 'six'",
            "title: \"Raise the decode batch cap\"||field 'title' is missing",
            "metric: goodput_rps|metric: goodput|field 'objective.metric' is 'goodput'; expected one of ttft_p50_ms",
            "--port {port}\"|--port 8000\"|field 'command' lacks {port}",
            "max_num_seqs: 8, max|max_num_seqs: 0, max|max_num_seqs is 0; expected at least 1",
            "assay: 1|assay: 7|field 'assay' is 7; expected format 1",
            "seed: 1|seed: 1§nmeasured: {epilogue: {share: {low: 0.1, high: 1.5}, speedup: {low: 1, high: 2}}}|epilogue.share ends at 1.5; expected a share of at most 1",
            "seed: 1|seed: 1§nmeasured: {bandwidth_gb_per_s: 0}|bandwidth_gb_per_s is 0.0; expected more than 0",
            "kv: f32}|kv: f32, tensor_parallel_size: 0}|tensor_parallel_size is 0; expected 1 to 1024",
            "kv: f32}|kv: f32, speculative_tokens: 40}|is 256; expected at least 328",
            "  output_tokens:|  prefix_groups: 2§n  output_tokens:|prefix_groups needs prefix_tokens",
            "  output_tokens:|  arrivals: {kind: bursty}§n  output_tokens:|field 'workload.arrivals': expected field 'kind' as one of poisson, gamma, constant, trace",
            "  output_tokens:|  arrivals: {kind: gamma}§n  output_tokens:|field 'workload.arrivals.burstiness' is missing",
            "  output_tokens:|  arrivals: {kind: gamma, burstiness: 0.01}§n  output_tokens:|workload.arrivals: burstiness is 0.01; expected 0.05 to 100",
            "  output_tokens:|  arrivals: {kind: trace}§n  output_tokens:|workload.arrivals.kind' is trace and the workload records no arrivals",
            "seed: 1|seed: 1§nclaims: [{id: x, low: 2, high: 1}]|claim 'x' has low 2.0 above high 1.0"})
    void aFaultInTheProposalNamesFileLineAndField(String good, String bad, String message)
            throws IOException {
        assertThat(Cli.run("new", review().toString()).code()).isZero();
        Path file = review().resolve("review.yaml");
        String yaml = Files.readString(file);
        assertThat(yaml).contains(good);
        Files.writeString(file, yaml.replace(good, bad == null ? "" : bad.replace("§n", "\n")));
        Cli lint = Cli.run("lint", review().toString());
        assertThat(lint.code()).isEqualTo(Exit.MISUSE);
        assertThat(lint.err()).contains(message).matches("(?s)assay: review\\.yaml:\\d+:\\d+: .*")
                .hasLineCount(1);
        assertThat(lint.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"rollback:|field 'rollback' is missing",
            "telemetry:|field 'telemetry' is missing", "explanation:|field 'explanation' is missing"})
    void lintRefusesWhatCannotBeUndoneOrExplained(String field, String message) throws IOException {
        assertThat(Cli.run("new", review().toString()).code()).isZero();
        Path file = review().resolve("review.yaml");
        StringBuilder without = new StringBuilder();
        boolean skipping = false;
        for (String line : Files.readString(file).lines().toList()) {
            skipping = line.startsWith(field) || (skipping && line.startsWith("  "));
            without.append(skipping ? "" : line + "\n");
        }
        Files.writeString(file, without);
        Cli lint = Cli.run("lint", review().toString());
        assertThat(lint.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(lint.out()).contains("refused: " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "TIMESTAMP,ContextTokens,GeneratedTokens§n2024-05-12 00:00:01,30,3|the trace has 1 arrivals over 0.0 s",
            "[{\"id\": \"a\", \"conversations\": [{\"from\": \"human\", \"value\": \"hi\"}, {\"from\": \"gpt\", \"value\": \"yo\"}]}]|has no recorded arrivals to stretch"})
    void aTraceWithoutArrivalsCannotGiveThem(String trace, String message) throws IOException {
        assertThat(Cli.run("new", review().toString()).code()).isZero();
        Path workload = Files.writeString(temp.resolve("trace.txt"), trace.replace("§n", "\n") + "\n");
        Path file = review().resolve("review.yaml");
        Files.writeString(file,
                Files.readString(file).replaceFirst("  input_tokens: .*\n  output_tokens: .*",
                        "  trace: \"" + workload + "\"\n  arrivals: {kind: trace}"));
        Cli lint = Cli.run("lint", review().toString());
        assertThat(lint.code()).as(lint.err()).isEqualTo(Exit.EVIDENCE);
        assertThat(lint.out()).contains("refused: field 'workload': ").contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "http2: yes|field 'arms.baseline.http2': expected true or false, found 'yes'",
            "cacert: ca.pem|field 'cacert' is for TLS; expected a 'url' that begins with https",
            "insecure: true|field 'insecure' is for TLS; expected a 'url' that begins with https",
            "api_key_env: a-b|field 'api_key_env' is 'a-b'; expected the name of an environment variable",
            "headers: {Authorization: Bearer x}|Authorization would stand in the sealed file; expected api_key_env",
            "headers: {Host: x}|header 'Host'; the load generator sets this one itself"})
    void howAnArmIsSpokenToHasItsBounds(String field, String message) throws IOException {
        assertThat(Cli.run("new", review().toString()).code()).isZero();
        Path file = review().resolve("review.yaml");
        Files.writeString(file, Files.readString(file).replaceFirst("    settings:", "    " + field
                + "\n    settings:"));
        Cli lint = Cli.run("lint", review().toString());
        assertThat(lint.code()).isEqualTo(Exit.MISUSE);
        assertThat(lint.err()).contains(message).matches("(?s)assay: review\\.yaml:\\d+:\\d+: .*")
                .hasLineCount(1);
    }

    @Test
    void theArmsGoTheSameWay() throws IOException {
        assertThat(Cli.run("new", review().toString()).code()).isZero();
        Path file = review().resolve("review.yaml");
        Files.writeString(file,
                Files.readString(file).replaceFirst("    settings:", "    http2: true\n    settings:"));
        assertThat(Cli.run("lint", review().toString()).out())
                .contains("refused: field 'arms': http2 is true in one arm");
    }

    @Test
    void aDirectoryThatIsNoReview() {
        assertThat(Cli.run("lint", temp.toString()).err()).contains("expected a review").hasLineCount(1);
        assertThat(Cli.run("new", review().toString()).code()).isZero();
        assertThat(Cli.run("new", review().toString()).err()).contains("there is a review already");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "NaN"})
    void aSelfTestNeedsALength(String seconds) {
        Cli bad = Cli.run("load", "--self-test", "--self-test-seconds", seconds);
        assertThat(bad.code()).isEqualTo(Exit.MISUSE);
        assertThat(bad.err()).contains("--self-test-seconds is ").contains("more than 0").hasLineCount(1);
    }

    @Test
    void misuseNamesTheOptionAndPointsToHelp() {
        Cli bad = Cli.run("decide", temp.toString(), "--decision", "maybe");
        assertThat(bad.code()).isEqualTo(Exit.MISUSE);
        assertThat(bad.err()).contains("--decision").contains("assay decide --help").hasLineCount(1);
    }
}
