package dev.assay.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.Analysis.ClaimResult;
import dev.assay.workload.Slo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PathsTest {
    private static final Slo SLO = Slo.parse("ttft:250,tpot:12");

    private static List<SlotResult> slots(double baseline, double candidate) {
        double[][] values = {{41, 43, 44, 41}, {40, 43, 43, 41}, {42, 44, 44, 42}, {41, 43, 43, 41},
                {40, 43, 44, 41}, {41, 44, 44, 41}};
        return Fixtures.blocks(values).stream().map(s -> {
            double jitter = 0.01 * (s.key().block() % 3);
            double rtt = (s.key().arm() == Arm.BASELINE ? baseline : candidate) + jitter;
            return new SlotResult(s.key(), s.offeredRps(), s.summary(), Map.of(Paths.ROUND_TRIP, rtt),
                    List.of());
        }).toList();
    }

    private static Optional<String> refusal(Paths paths, Metric metric, double a, double b) {
        return paths.refusal(metric, OptionalDouble.of(a), OptionalDouble.of(b), SLO);
    }

    /** aiperf#850: 2.09 ms apart. An effect of 3 ms of TTFT may be the path's; one of 30 ms is not. */
    @Test
    void aPathThatCouldMakeTheEffectIsRefused() {
        Paths paths = Paths.of(slots(0.2, 2.29));
        assertThat(paths.gapMs().orElseThrow()).isBetween(2.0, 2.2);
        assertThat(refusal(paths, Metric.TTFT_P50_MS, 50, 53)).isPresent().get().asString()
                .contains("2.09 ms a round trip").contains("3.00 ms");
        assertThat(refusal(paths, Metric.TTFT_P50_MS, 50, 50)).as("an equality may hide the path")
                .isPresent();
        assertThat(refusal(paths, Metric.TTFT_P50_MS, 50, 80)).isEmpty();
        assertThat(refusal(paths, Metric.TTFT_P50_MS, 5000, 5001)).as("0.04 % of the value").isEmpty();
        assertThat(refusal(paths, Metric.TPOT_P50_MS, 5, 5.1)).as("the same for every token").isEmpty();
        assertThat(refusal(paths, Metric.GOODPUT_RPS, 5, 6)).as("0.8 % of the TTFT bound").isEmpty();
        assertThat(paths.refusal(Metric.GOODPUT_RPS, OptionalDouble.of(5), OptionalDouble.of(6),
                Slo.parse("ttft:50"))).isPresent();
    }

    @Test
    void loopbacksAndOldEvidenceAreNoReason() {
        assertThat(refusal(Paths.of(slots(0.2, 0.23)), Metric.TTFT_P50_MS, 5, 5.01)).isEmpty();
        assertThat(Paths.of(Fixtures.blocks(new double[][]{{1, 2, 2, 1}})).gapMs()).isEmpty();
        assertThat(refusal(Paths.UNKNOWN, Metric.TTFT_P50_MS, 5, 5.01)).isEmpty();
        assertThat(new Paths(OptionalDouble.of(2), 1, 0).refusal(Metric.TTFT_P50_MS, OptionalDouble.of(50),
                OptionalDouble.of(51), SLO)).as("within the scatter").isEmpty();
    }

    @Test
    void armsWithOtherCacheHitRatesAreRefused() {
        for (double share : new double[]{0.02, 0.3}) {
            List<SlotResult> slots = slots(0.2, 0.2).stream().map(s -> new SlotResult(s.key(), s.offeredRps(),
                    s.summary(), Map.of("prefix_hit_share", s.key().arm() == Arm.BASELINE ? 0.0 : share),
                    List.of())).toList();
            Optional<String> refused = refusal(Paths.of(slots), Metric.TPOT_P50_MS, 5, 6);
            assertThat(refused.isPresent()).isEqualTo(share > 0.1);
        }
    }

    @Test
    void theVerdictIsInconclusiveWithTheReason() {
        Proposal proposal = Fixtures.proposal();
        Expectation claim = new Expectation.NotWorse("ttft_p50_ms", 0.5,
                List.of(proposal.loadPoints().getFirst()));
        for (double far : new double[]{0.2, 2.29}) {
            List<SlotResult> slots = slots(0.2, far);
            Verdicts verdicts = new Verdicts(proposal, new Samples(slots), Optional.empty(),
                    (_, _) -> Optional.empty(), Optional.empty(), Paths.of(slots));
            ClaimResult result = verdicts
                    .decide(new Claim("c", Level.END_TO_END, "", claim, "", List.of(), true));
            if (far > 1) {
                assertThat(result.verdict()).isInstanceOf(Verdict.Inconclusive.class);
                assertThat(((Verdict.Inconclusive) result.verdict()).reason())
                        .contains("the path could make");
            } else {
                assertThat(result.verdict()).isInstanceOf(Verdict.Survived.class);
            }
        }
    }
}
