package dev.assay.load.curve;

import dev.assay.stats.EarlyStopping;
import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Whether a percentile of each bounded latency is shown to be within its bound, by MLPerf's early stopping: each
 * metric for itself, at 99 % confidence, a failed request counting as over.
 *
 * @param percentile in (0, 1)
 * @param metrics each bounded metric's count
 */
public record PercentileRule(double percentile, List<Bound> metrics) {
    public PercentileRule {
        metrics = List.copyOf(metrics);
    }

    /**
     * One metric.
     *
     * @param over requests over the bound, failures included
     * @param requests all that were attempted
     * @param needed requests of which so many may be over
     * @param estimateMs a value that the percentile does not exceed; absent where too few requests tell
     */
    public record Bound(String metric, double limitMs, int over, int requests, int needed,
            OptionalDouble estimateMs) {
        /** Whether enough requests were within. */
        public boolean met() {
            return requests >= needed;
        }
    }

    /** The rule on these outcomes. */
    public static PercentileRule of(List<RequestOutcome> outcomes, Slo slo, double percentile) {
        List<Bound> bounds = new ArrayList<>();
        slo.ttftMs().ifPresent(b -> bounds.add(bound("ttft", b, outcomes, percentile, m -> m.ttftMs())));
        slo.tpotMs().ifPresent(b -> bounds.add(bound("tpot", b, outcomes, percentile, m -> m.tpotMs())));
        slo.e2eMs().ifPresent(b -> bounds.add(bound("e2e", b, outcomes, percentile, m -> m.e2eMs())));
        return new PercentileRule(percentile, bounds);
    }

    private static Bound bound(String name, double limit, List<RequestOutcome> outcomes, double percentile,
            Function<Metrics.PerRequest, OptionalDouble> metric) {
        // A completed reply of one token has no TPOT and cannot miss it; a failed request has missed everything.
        double[] values = outcomes.stream().mapToDouble(o -> o.completed()
                ? metric.apply(Metrics.perRequest(o)).orElse(0)
                : Double.POSITIVE_INFINITY).toArray();
        int over = 0;
        for (double v : values) {
            over += v > limit ? 1 : 0;
        }
        OptionalDouble estimate = EarlyStopping.estimate(values, percentile, EarlyStopping.CONFIDENCE);
        return new Bound(name, limit, over, values.length,
                EarlyStopping.queries(over, percentile, EarlyStopping.CONFIDENCE),
                estimate.isPresent() && Double.isInfinite(estimate.getAsDouble())
                        ? OptionalDouble.empty()
                        : estimate);
    }

    /** Whether every bounded metric is shown to meet its bound. */
    public boolean met() {
        return metrics.stream().allMatch(Bound::met);
    }

    /** What each metric shows, in words. */
    public String words() {
        List<String> words = metrics.stream().map(b -> String.format(Locale.ROOT,
                "%s p%.0f %s %.0f ms (%d of %d over; %s)", b.metric().toUpperCase(Locale.ROOT),
                100 * percentile, b.met() ? "≤" : "not shown ≤", b.limitMs(), b.over(), b.requests(),
                b.met() ? "enough" : b.needed() + " requests needed")).toList();
        return String.join(", ", words);
    }
}
