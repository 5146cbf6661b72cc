package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Expected values are worked by hand from the definitions in the class's doc. */
class MetricsTest {
    private static final Slo TIGHT = new Slo(OptionalDouble.of(100), OptionalDouble.of(10),
            OptionalDouble.empty());

    @Test
    void plainStream() {
        Metrics.PerRequest m = Metrics.perRequest(Outcomes.completed(0, 1000, 1050, 1060, 1080));
        assertThat(m.ttftMs()).hasValue(50);
        assertThat(m.tpotMs()).hasValue(15);
        assertThat(m.e2eMs()).hasValue(80);
        assertThat(Metrics.itlMs(List.of(Outcomes.completed(0, 1000, 1050, 1060, 1080)))).containsExactly(10,
                20);
    }

    @Test
    void lateSendCountsFromTheScheduleAndTheSentTimeStandsBeside() {
        RequestOutcome on = Outcomes.completed(0, 1000, 1050);
        RequestOutcome late = new RequestOutcome(on.request(), OptionalLong.of(1_030_000_000L),
                on.firstByteNanos(), on.headersNanos(), on.firstAnswerNanos(),
                on.endNanos(), on.contentNanos(), on.contentTokens(), 1, false, OptionalLong.empty(),
                OptionalLong.empty(), Optional.empty(), "", "");
        assertThat(Metrics.perRequest(late).ttftMs()).hasValue(50);
        assertThat(Metrics.perRequest(late).ttftFromSentMs()).hasValue(20);
        assertThat(Metrics.scheduleLagMs(List.of(late))).containsExactly(30);
    }

    @Test
    void oneTokenReplyHasNoTpotAndMeetsItsBound() {
        RequestOutcome one = Outcomes.completed(0, 0, 50);
        assertThat(Metrics.perRequest(one).tpotMs()).isEmpty();
        assertThat(Metrics.good(one, TIGHT)).isTrue();
        assertThat(Metrics.summarize(List.of(one), TIGHT, 1_000_000_000L, List.of()).tpotMs()).isEmpty();
    }

    @Test
    void bundledTokensAreDividedByTheServersCounts() {
        // 2 tokens at 50 ms, 4 more at 90 ms: TPOT 40/4, and four ITL values of 10 ms.
        RequestOutcome o = Outcomes.bundled(0, 0, new long[]{50, 90}, new int[]{2, 4}, OptionalLong.of(6));
        assertThat(Metrics.perRequest(o).tpotMs()).hasValue(10);
        assertThat(Metrics.itlMs(List.of(o))).containsExactly(10, 10, 10, 10);
    }

    @Test
    void finalUsageCorrectsTpotWhereEventsHadNoCounts() {
        // 3 events, but 9 tokens by the usage: 8 after the first event over 80 ms.
        RequestOutcome o = Outcomes.bundled(0, 0, new long[]{20, 60, 100}, new int[]{1, 1, 1},
                OptionalLong.of(9));
        assertThat(Metrics.perRequest(o).tpotMs()).hasValue(10);
    }

    @Test
    void wholeReplyInOneEventHasNoTpot() {
        RequestOutcome o = Outcomes.bundled(0, 0, new long[]{20}, new int[]{7}, OptionalLong.of(7));
        assertThat(Metrics.perRequest(o).tpotMs()).isEmpty();
    }

    @Test
    void failuresStayInTheDenominatorAndGiveNoLatency() {
        List<RequestOutcome> all = List.of(Outcomes.completed(0, 0, 50, 58),
                Outcomes.completed(1, 0, 500, 508),
                Outcomes.failed(2, 0, FailureClass.HTTP_5XX), Outcomes.failed(3, 0, FailureClass.HTTP_5XX));
        RunSummary s = Metrics.summarize(all, Map.of("default", TIGHT), 2_000_000_000L, List.of());
        assertThat(s.goodFraction()).hasValue(0.25);
        assertThat(s.goodputRps()).hasValue(0.5);
        assertThat(s.requests()).isEqualTo(new RunSummary.Requests(4, 2, Map.of("http_5xx", 2)));
        assertThat(s.ttftMs().orElseThrow().n()).isEqualTo(2);
        assertThat(s.throughput()).isEqualTo(new RunSummary.Throughput(1, 2));
    }

    @Test
    void aClassWithoutAnSloIsGoodWhenItCompletes() {
        RunSummary s = Metrics.summarize(List.of(Outcomes.completed(0, 0, 9999)), Map.of(), 1_000_000_000L,
                List.of());
        assertThat(s.goodFraction()).hasValue(1);
    }

    /** Oracle: numpy.percentile([1, 2, 4, 8], q) = 1.9 at 30, 3.0 at 50, 7.4 at 95 (its default, "linear"). */
    @Test
    void percentilesAreTypeSeven() {
        double[] v = {1, 2, 4, 8};
        assertThat(Percentiles.ofSorted(v, 0.30)).isCloseTo(1.9, within(1e-12));
        assertThat(Percentiles.ofSorted(v, 0.50)).isEqualTo(3);
        assertThat(Percentiles.ofSorted(v, 0.95)).isCloseTo(7.4, within(1e-12));
        assertThat(Percentiles.spread(new double[0])).isEmpty();
    }
}
