package dev.assay.workload;

import dev.assay.workload.RunSummary.Spread;
import java.util.Arrays;
import java.util.Optional;

/**
 * The values of one metric as they come: kept one by one up to {@link #EXACT}, then in {@link LogLinear} buckets, so
 * that memory is bounded. Beyond that number percentiles are within 0.01 % of exact ones; count and mean stay exact.
 */
final class Values {
    /** How many values are kept one by one. */
    static final int EXACT = 250_000;

    private static final double MS_PER_NANO = 1e-6;

    private final int exact;
    private double[] kept = new double[256];
    private final LogLinear buckets;
    private boolean bucketed;
    private long n;
    private double sum;
    private double lost;

    Values() {
        this(EXACT);
    }

    Values(int exact) {
        this(exact, LogLinear.FINE);
    }

    Values(int exact, int bits) {
        this.exact = exact;
        this.buckets = new LogLinear(bits);
    }

    void add(double value) {
        add(value, 1);
    }

    /** The same value some times. */
    void add(double value, int times) {
        if (!bucketed && n + times > exact) {
            spill();
        }
        if (bucketed) {
            buckets.add(value, times);
            plus(value * times);
            n += times;
            return;
        }
        if (n + times > kept.length) {
            kept = Arrays.copyOf(kept, (int) Math.max(n + times, Math.min(exact, 2L * kept.length)));
        }
        for (int i = 0; i < times; i++) {
            kept[(int) n++] = value;
        }
    }

    /** The gap before each event after the first in milliseconds, once for each token that the event carried. */
    void addGaps(long[] eventNanos, int[] tokens) {
        if (!bucketed) {
            for (int i = 1; i < eventNanos.length; i++) {
                if (tokens[i] > 0) {
                    add(Metrics.ms(eventNanos[i] - eventNanos[i - 1]) / tokens[i], tokens[i]);
                }
            }
            return;
        }
        long gaps = 0;
        long count = 0;
        for (int i = 1; i < eventNanos.length; i++) {
            int times = tokens[i];
            if (times > 0) {
                long gap = eventNanos[i] - eventNanos[i - 1];
                buckets.add(times == 1 ? gap * MS_PER_NANO : gap * MS_PER_NANO / times, times);
                gaps += gap;
                count += times;
            }
        }
        n += count;
        plus(Metrics.ms(gaps));
    }

    private void spill() {
        bucketed = true;
        for (int i = 0; i < n; i++) {
            buckets.add(kept[i], 1);
            plus(kept[i]);
        }
        kept = new double[0];
    }

    /** Neumaier's sum, whose error does not grow with the count. */
    private void plus(double value) {
        double next = sum + value;
        lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
        sum = next;
    }

    /** Count, mean and percentiles; empty where there is no value. */
    Optional<Spread> spread() {
        if (!bucketed) {
            return Percentiles.spread(Arrays.copyOf(kept, (int) n));
        }
        return Optional.of(new Spread(n, (sum + lost) / n, buckets.quantile(0.50), buckets.quantile(0.90),
                buckets.quantile(0.95), buckets.quantile(0.99)));
    }
}
