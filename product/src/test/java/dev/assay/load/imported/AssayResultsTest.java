package dev.assay.load.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.json.Json;
import dev.assay.load.RequestLog;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Metrics;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Assay's own output directory read back; oracle: the metrics that wrote it. */
class AssayResultsTest {
    @TempDir
    Path temp;

    @Test
    void summaryAndRequestsMakeOneRunWithAssaysNumbers() throws IOException {
        List<RequestOutcome> outcomes = outcomes();
        RunSummary summary = Metrics.summarize(outcomes, Slo.none(), Metrics.windowNanos(outcomes),
                List.of());
        RequestLog.write(temp.resolve("requests.parquet"), outcomes);
        Files.writeString(temp.resolve("summary.json"), Json.pretty(summary));
        ResultSet set = ResultSet.of(List.of(temp));
        assertThat(set.runs()).hasSize(1);
        ImportedRun run = set.runs().getFirst();
        assertThat(run.counts().failed()).isEqualTo(OptionalLong.of(1));
        assertThat(Runs.mean(run, Formula.TTFT_CONTENT_SCHEDULED)).isCloseTo(
                summary.ttftMs().orElseThrow().mean(),
                within(1e-9));
        assertThat(Runs.p(run, Formula.TTFT_CONTENT_SENT, 99, QuantileRule.LINEAR))
                .isCloseTo(summary.ttftFromSentMs().orElseThrow().p99(), within(1e-9));
        assertThat(Runs.p(run, Formula.E2E_CONTENT_SCHEDULED, 50, QuantileRule.LINEAR))
                .isCloseTo(summary.e2eMs().orElseThrow().p50(), within(1e-9));
        assertThat(Runs.mean(run, Formula.TPOT_AFTER_FIRST_CHUNK)).isCloseTo(
                summary.tpotMs().orElseThrow().mean(),
                within(1e-9));
        // One token an event here, so (tokens - 1) is the number of tokens after the first chunk.
        assertThat(Runs.mean(run, Formula.TPOT_CONTENT)).isCloseTo(summary.tpotMs().orElseThrow().mean(),
                within(1e-9));
        assertThat(Runs.whole(run, Formula.REQUESTS_OVER_WINDOW))
                .isCloseTo(summary.throughput().requestsPerS(), within(1e-9));
    }

    private static List<RequestOutcome> outcomes() {
        SplittableRandom random = new SplittableRandom(5);
        List<RequestOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            long scheduled = i * 10_000_000L;
            long sent = scheduled + random.nextLong(1_000_000);
            long[] at = new long[4];
            int[] tokens = {1, 1, 1, 1};
            long now = sent + 5_000_000 + random.nextLong(5_000_000);
            for (int k = 0; k < at.length; k++) {
                at[k] = now;
                now += 1_000_000 + random.nextLong(1_000_000);
            }
            boolean failed = i == 7;
            Request request = new Request(i, scheduled, "p", 8, 4, "default", Optional.empty());
            outcomes.add(new RequestOutcome(request, OptionalLong.of(sent), OptionalLong.of(at[0]),
                    OptionalLong.of(at[0]), OptionalLong.of(at[0]), now, failed ? new long[0] : at,
                    failed ? new int[0] : tokens, failed ? 0 : 4, true, OptionalLong.of(8),
                    OptionalLong.empty(),
                    failed ? Optional.of(FailureClass.TIMEOUT) : Optional.empty(), "", ""));
        }
        return outcomes;
    }
}
