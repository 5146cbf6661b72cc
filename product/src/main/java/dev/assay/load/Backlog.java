package dev.assay.load;

import dev.assay.stats.Trend;
import dev.assay.workload.RequestOutcome;
import java.util.List;

/**
 * How many requests were scheduled and not ended while requests arrived, and whether that grew without an end.
 *
 * <p>A server that is offered more than it serves is behind by offered − served more each second: the backlog is a
 * straight line. One that keeps up has a backlog that wanders about its mean by about its square root.
 *
 * @param early mean over the second quarter of the arrivals (the first fills the server)
 * @param late mean over the last quarter
 * @param trend of the line through the last three quarters
 */
public record Backlog(double early, double late, Trend trend) {
    private static final int WINDOWS = 12;
    private static final double SURE = 0.001;
    private static final double EXPLAINED = 0.6;
    private static final double DEVIATIONS = 3;

    /** The backlog of a run's requests while they arrived. */
    public static Backlog of(List<RequestOutcome> outcomes) {
        long from = outcomes.stream().mapToLong(o -> o.request().arrivalNanos()).min().orElse(0);
        long to = outcomes.stream().mapToLong(o -> o.request().arrivalNanos()).max().orElse(0);
        long quarter = Math.max(1, (to - from) / 4);
        double[] levels = new double[WINDOWS];
        for (int i = 0; i < WINDOWS; i++) {
            long begin = from + quarter + 3 * quarter * i / WINDOWS;
            levels[i] = mean(outcomes, begin, from + quarter + 3 * quarter * (i + 1) / WINDOWS);
        }
        return new Backlog(mean(outcomes, from + quarter, from + 2 * quarter),
                mean(outcomes, from + 3 * quarter, from + 4 * quarter), Trend.of(levels, WINDOWS));
    }

    /** Whether it grew steadily and by more than chance: the server was offered more than it serves. */
    public boolean saturated() {
        return late > early + DEVIATIONS * Math.sqrt(Math.max(1, early)) && trend.change() > 0
                && trend.p() < SURE && trend.explained() > EXPLAINED;
    }

    private static double mean(List<RequestOutcome> outcomes, long from, long to) {
        double area = 0;
        for (RequestOutcome o : outcomes) {
            area += Math.max(0, Math.min(to, o.endNanos()) - Math.max(from, o.request().arrivalNanos()));
        }
        return area / Math.max(1, to - from);
    }
}
