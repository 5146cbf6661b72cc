package dev.assay.stats;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.BetaDistribution;

/** Sample quantiles. Each needs at least one value and no {@code NaN}; the order of the values does not matter. */
public final class Quantiles {
    private Quantiles() {}

    /**
     * Linear interpolation between order statistics: type 7 of Hyndman and Fan (1996), the default of R and NumPy.
     *
     * @param p in [0, 1]
     */
    public static double type7(double[] values, double p) {
        double[] sorted = sorted(values, p);
        double h = (sorted.length - 1) * p;
        int below = (int) Math.floor(h);
        int above = Math.min(below + 1, sorted.length - 1);
        // Also keeps infinite values, which callers use for "not bracketed", from turning into NaN.
        if (h == below || sorted[below] == sorted[above] || sorted[below] == Double.NEGATIVE_INFINITY) {
            return sorted[below];
        }
        return sorted[below] + (h - below) * (sorted[above] - sorted[below]);
    }

    /**
     * The Harrell-Davis estimate (1982): all order statistics weighted by a beta distribution. It varies less than one
     * order statistic does.
     *
     * @param p in (0, 1)
     */
    public static double harrellDavis(double[] values, double p) {
        Levels.requireShare("p", p);
        double[] sorted = sorted(values, p);
        int n = sorted.length;
        BetaDistribution beta = BetaDistribution.of((n + 1) * p, (n + 1) * (1 - p));
        double sum = 0;
        double before = 0;
        for (int i = 0; i < n; i++) {
            double upTo = i == n - 1 ? 1 : beta.cumulativeProbability((i + 1.0) / n);
            sum += (upTo - before) * sorted[i];
            before = upTo;
        }
        return sum;
    }

    private static double[] sorted(double[] values, double p) {
        if (values.length == 0) {
            throw new IllegalArgumentException("0 values: expected at least 1");
        }
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException("p " + p + ": expected a number in [0, 1]");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        if (Double.isNaN(sorted[sorted.length - 1])) {
            throw new IllegalArgumentException("NaN among the values: expected numbers");
        }
        return sorted;
    }
}
