package dev.assay.stats;

import java.util.Arrays;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/** MLPerf's early stopping rule: how many queries show that a percentile meets its bound although some exceed it. */
public final class EarlyStopping {
    /** The confidence that MLPerf asks for. */
    public static final double CONFIDENCE = 0.99;

    private static final int MOST_QUERIES = 1 << 26;

    private EarlyStopping() {}

    /**
     * The fewest queries of which {@code over} may exceed the latency bound while "the {@code percentile}-quantile is
     * within the bound" still holds with {@code confidence}: the smallest n with
     * {@code P(X <= over) <= 1 - confidence} for X binomial (n, 1 - percentile).
     */
    public static int queries(int over, double percentile, double confidence) {
        Levels.requireAtLeast("over", over, 0);
        Levels.requireShare("percentile", percentile);
        Levels.requireShare("confidence", confidence);
        int high = over + 1;
        while (!enough(high, over, percentile, confidence)) {
            high *= 2;
            if (high > MOST_QUERIES) {
                throw new IllegalArgumentException("over " + over + ", percentile " + percentile
                        + ": expected a bound of at most " + MOST_QUERIES + " queries");
            }
        }
        int low = over;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (enough(middle, over, percentile, confidence)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** The fewest values from which a percentile is estimated at all: two queries of which one is left out. */
    public static int floor(double percentile) {
        return queries(1, percentile, CONFIDENCE);
    }

    /** How many of {@code n} queries may exceed the bound; -1 where {@code n} is too few even for none. */
    public static int allowed(int n, double percentile, double confidence) {
        Levels.requireAtLeast("n", n, 0);
        int low = -1;
        int high = n;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (middle < n && enough(n, middle, percentile, confidence)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * A value that the percentile does not exceed, with {@code confidence}: the {@code t}-th highest, where {@code t}
     * queries may exceed a bound (LoadGen's "early stopping percentile estimate", which discards {@code t - 1}). Empty
     * where fewer than {@link #floor} values leave nothing to discard; {@code +inf} stands for a query that failed.
     */
    public static OptionalDouble estimate(double[] values, double percentile, double confidence) {
        int over = allowed(values.length, percentile, confidence);
        if (over < 1) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return OptionalDouble.of(sorted[sorted.length - over]);
    }

    private static boolean enough(int n, int over, double percentile, double confidence) {
        return BinomialDistribution.of(n, 1 - percentile).cumulativeProbability(over) <= 1 - confidence;
    }
}
