package dev.assay.stats;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/** MLPerf's early stopping rule: how many queries show that a percentile meets its bound although some exceed it. */
public final class EarlyStopping {
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

    private static boolean enough(int n, int over, double percentile, double confidence) {
        return BinomialDistribution.of(n, 1 - percentile).cumulativeProbability(over) <= 1 - confidence;
    }
}
