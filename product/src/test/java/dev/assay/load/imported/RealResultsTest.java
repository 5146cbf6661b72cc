package dev.assay.load.imported;

import static dev.assay.load.imported.Runs.mean;
import static dev.assay.load.imported.Runs.p;
import static dev.assay.load.imported.Runs.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Real results of one small server. The expected numbers were read from the files by a Python script that shares nothing
 * with the program: json.raw_decode, sums over the parallel arrays, and a linear quantile of seven lines.
 */
class RealResultsTest {
    private static final Offset<Double> CLOSE = within(1e-5);

    private static Path file(String name) {
        Optional<Path> file = Runs.real(name);
        assumeTrue(file.isPresent(), "skipped: shared/data/results/" + name + " is not here");
        return file.orElseThrow();
    }

    @Test
    void vllmAppendedDetailedResults() {
        List<ImportedRun> runs = Importer.read(file("vllm/append.json"));
        assertThat(runs).hasSize(2);
        ImportedRun one = runs.getFirst();
        ImportedRun two = runs.getLast();
        assertThat(one.tool()).isEqualTo(Tool.VLLM);
        assertThat(one.when().orElseThrow()).hasToString("2026-11-29T19:07:28");
        assertThat(one.facts()).containsEntry(Fact.MODEL, "assay-18m").containsEntry(Fact.RATE, "4")
                .containsEntry(Fact.ARRIVALS, "poisson").containsEntry(Fact.ENDPOINT, "completions")
                .doesNotContainKey(Fact.CONCURRENCY);
        assertThat(one.counts().failed()).isEqualTo(OptionalLong.of(0));
        assertThat(one.requests()).hasSize(40);
        assertThat(mean(one, Formula.TTFT_CONTENT_SENT)).isCloseTo(20.1542873, CLOSE);
        assertThat(p(one, Formula.TTFT_CONTENT_SENT, 99, QuantileRule.LINEAR)).isCloseTo(35.6945528, CLOSE);
        assertThat(mean(one, Formula.TPOT_CONTENT)).isCloseTo(4.92603539, CLOSE);
        assertThat(p(one, Formula.TPOT_CONTENT, 99, QuantileRule.LINEAR)).isCloseTo(6.64947041, CLOSE);
        assertThat(p(one, Formula.TPOT_CHOICES, 99, QuantileRule.LINEAR)).isCloseTo(6.64947041, CLOSE);
        assertThat(p(two, Formula.E2E_CONTENT_SENT, 50, QuantileRule.LINEAR)).isCloseTo(172.99813, CLOSE);
        assertThat(p(two, Formula.ITL_CHUNKS, 50, QuantileRule.LINEAR)).isCloseTo(0.0030945, CLOSE);
        assertThat(p(two, Formula.ITL_CHUNKS, 99, QuantileRule.LINEAR)).isCloseTo(70.0956635, CLOSE);
        assertThat(whole(one, Formula.REQUESTS_OVER_WINDOW)).isCloseTo(3.9396552665, CLOSE);
        assertThat(one.notes()).isEmpty();
    }

    @Test
    void vllmsPrintedTableIsItsResultRounded() {
        ImportedRun table = Runs.only(file("vllm/console_1.txt"));
        assertThat(p(table, Formula.TTFT_VLLM_UNSTATED, 99, QuantileRule.LINEAR)).isEqualTo(35.69);
        assertThat(mean(table, Formula.TPOT_CHOICES)).isEqualTo(4.93);
        assertThat(whole(table, Formula.GOOD_PER_SECOND)).isEqualTo(3.94);
        assertThat(table.facts()).containsEntry(Fact.RATE, "4").doesNotContainKey(Fact.MODEL);
        assertThat(table.raw()).isFalse();
    }

    @Test
    void aDirectoryOfVllmResultsLeavesThePrintedTablesOut() {
        ResultSet set = ResultSet.of(List.of(file("vllm")));
        assertThat(set.runs()).hasSize(2).allMatch(r -> r.raw());
        assertThat(set.notes()).anyMatch(n -> n.contains("passed over 2 printed tables"))
                .anyMatch(n -> n.contains("metrics.txt"));
    }

    @Test
    void aiperfSummaryAndRequestsMakeOneRun() {
        ResultSet set = ResultSet.of(List.of(file("aiperf")));
        assertThat(set.runs()).hasSize(1);
        ImportedRun run = set.runs().getFirst();
        assertThat(run.version()).contains("0.13.0");
        assertThat(run.facts()).containsEntry(Fact.RATE, "4").containsEntry(Fact.ARRIVALS, "poisson")
                .containsEntry(Fact.MODEL, "assay-18m")
                .containsEntry(Fact.SLO, "inter_token_latency 20, time_to_first_token 200");
        assertThat(run.counts().completed()).isEqualTo(OptionalLong.of(40));
        assertThat(mean(run, Formula.TTFT_CONTENT_SENT)).isCloseTo(32.9520344, CLOSE);
        // 38 of 40: replies in one chunk have no TPOT, where AIPerf counts them as 0 and says 5.2613.
        assertThat(mean(run, Formula.TPOT_CONTENT)).isCloseTo(5.53822487, CLOSE);
        assertThat(p(run, Formula.TPOT_CONTENT, 99, QuantileRule.LINEAR)).isCloseTo(9.44032054, CLOSE);
        assertThat(p(run, Formula.E2E_CONTENT_SENT, 99, QuantileRule.LINEAR)).isCloseTo(311.444803, CLOSE);
        assertThat(p(run, Formula.ITL_CHUNKS, 99, QuantileRule.LINEAR)).isCloseTo(61.7753161, CLOSE);
        assertThat(whole(run, Formula.GOOD_OF_ATTEMPTED)).isEqualTo(0.975);
        ImportedRun summary = Runs.only(file("aiperf/profile_export_aiperf.json"));
        assertThat(mean(summary, Formula.TPOT_CONTENT)).isCloseTo(5.261313625, CLOSE);
        assertThat(summary.notes()).anyMatch(n -> n
                .contains("requests/s whole is 3.770 in the file, its counts over its duration give 3.861"));
    }

    @Test
    void aiperfCsv() {
        ImportedRun run = Runs.only(file("aiperf/profile_export_aiperf.csv"));
        assertThat(mean(run, Formula.TTFT_CONTENT_SENT)).isEqualTo(32.95);
        assertThat(p(run, Formula.E2E_CONTENT_SENT, 99, QuantileRule.LINEAR)).isEqualTo(311.44);
        assertThat(run.counts().completed()).isEqualTo(OptionalLong.of(40));
        assertThat(run.counts().failed()).isEqualTo(OptionalLong.of(0));
    }

    @Test
    void guidellmNamesAreMappedByFormula() {
        ImportedRun run = Runs.only(file("guidellm/benchmarks.json"));
        assertThat(run.version()).contains("0.8.1");
        // "time_per_output_token_ms" is NTPOT and "inter_token_latency_ms" TPOT; p99, not p001 or p01.
        assertThat(p(run, Formula.NTPOT_CONTENT_WEIGHTED, 99, QuantileRule.TOKEN_WEIGHTED))
                .isCloseTo(21.848678588867188, CLOSE);
        assertThat(mean(run, Formula.TPOT_TOKEN_WEIGHTED)).isCloseTo(8.14199678, CLOSE);
        assertThat(mean(run, Formula.TPOT_CONTENT)).isCloseTo(8.14199678, CLOSE);
        assertThat(p(run, Formula.TPOT_CONTENT, 99, QuantileRule.LINEAR)).isCloseTo(21.2072378, CLOSE);
        assertThat(mean(run, Formula.NTPOT_CONTENT)).isCloseTo(11.1543477, CLOSE);
        assertThat(mean(run, Formula.TTFT_CONTENT_SENT)).isCloseTo(104.537225, CLOSE);
        assertThat(mean(run, Formula.TTFT_CONTENT_SCHEDULED)).isCloseTo(168.270975, CLOSE);
        assertThat(mean(run, Formula.E2E_SOCKET_SENT)).isCloseTo(392.3472464, CLOSE);
        assertThat(whole(run, Formula.REQUESTS_OVER_WINDOW)).isCloseTo(8.69174927, CLOSE);
    }

    @Test
    void inferencePerfStageAndRequestsMakeOneRun() {
        ResultSet set = ResultSet.of(List.of(file("inference_perf")));
        assertThat(set.runs()).hasSize(1);
        ImportedRun run = set.runs().getFirst();
        assertThat(run.facts()).containsEntry(Fact.RATE, "4").containsEntry(Fact.MEAN_OUTPUT_TOKENS, "32");
        assertThat(mean(run, Formula.TTFT_CONTENT_SENT)).isCloseTo(29.5169044, CLOSE);
        assertThat(mean(run, Formula.TPOT_CONTENT)).isCloseTo(6.51055384, CLOSE);
        assertThat(p(run, Formula.TPOT_CONTENT, 99, QuantileRule.LINEAR)).isCloseTo(8.46090107, CLOSE);
        assertThat(p(run, Formula.E2E_CONTENT_SENT, 99, QuantileRule.LINEAR)).isCloseTo(287.826711, CLOSE);
        assertThat(mean(run, Formula.NTPOT_PROCESS)).isCloseTo(7.299022003681439, CLOSE);
        assertThat(mean(run, Formula.E2E_PROCESS_SENT)).isCloseTo(232.07774779998, CLOSE);
        assertThat(whole(run, Formula.REQUESTS_OVER_WINDOW)).isCloseTo(2.9484416432584166, CLOSE);
        ImportedRun stage = Runs.only(file("inference_perf/stage_0_lifecycle_metrics.json"));
        assertThat(mean(stage, Formula.TPOT_CONTENT)).isCloseTo(6.5498811273502905, CLOSE);
        assertThat(stage.facts()).doesNotContainKey(Fact.MODEL);
    }

    @Test
    void endpointsSummaryAndEventsMakeOneRun() {
        ResultSet set = ResultSet.of(List.of(file("endpoints")));
        assertThat(set.runs()).hasSize(1);
        ImportedRun run = set.runs().getFirst();
        assertThat(mean(run, Formula.TTFT_CONTENT_ISSUED)).isCloseTo(47.6554248, CLOSE);
        assertThat(p(run, Formula.TTFT_CONTENT_ISSUED, 99, QuantileRule.LINEAR)).isCloseTo(345.631685, CLOSE);
        assertThat(p(run, Formula.TTFT_CONTENT_ISSUED, 99, QuantileRule.UNSTATED)).isCloseTo(322.0072, CLOSE);
        assertThat(p(run, Formula.E2E_ISSUED, 50, QuantileRule.LINEAR)).isCloseTo(233.579571, CLOSE);
        assertThat(mean(run, Formula.TPOT_ISSUED)).isCloseTo(6.241329923, CLOSE);
        assertThat(whole(run, Formula.REQUESTS_OVER_WINDOW)).isCloseTo(40 / 9.444394014, CLOSE);
        assertThat(run.facts()).containsEntry(Fact.SEED, "42").containsEntry(Fact.RATE, "4");
    }
}
