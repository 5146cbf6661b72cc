package dev.assay.stats;

import java.util.Arrays;

/** The two-sample test of Kolmogorov and Smirnov: whether two samples may come from one continuous distribution. */
public final class KolmogorovSmirnov {
    private static final int TERMS = 100;

    private KolmogorovSmirnov() {}

    /** The largest distance between the two empirical distribution functions. */
    public static double distance(double[] a, double[] b) {
        Levels.requireAtLeast("values of a", a.length, 1);
        Levels.requireAtLeast("values of b", b.length, 1);
        double[] x = a.clone();
        double[] y = b.clone();
        Arrays.sort(x);
        Arrays.sort(y);
        double most = 0;
        int i = 0;
        int j = 0;
        while (i < x.length && j < y.length) {
            double at = Math.min(x[i], y[j]);
            while (i < x.length && x[i] <= at) {
                i++;
            }
            while (j < y.length && y[j] <= at) {
                j++;
            }
            most = Math.max(most, Math.abs(i / (double) x.length - j / (double) y.length));
        }
        return most;
    }

    /**
     * Two-sided p value by Kolmogorov's limit with the correction of Stephens (1970) for small samples:
     * {@code λ = D (√m + 0.12 + 0.11/√m)} with {@code m = n₁n₂/(n₁+n₂)}.
     */
    public static double p(double[] a, double[] b) {
        double d = distance(a, b);
        double root = Math.sqrt((double) a.length * b.length / (a.length + b.length));
        double lambda = d * (root + 0.12 + 0.11 / root);
        // The alternating series converges from about 0.2 on, where the p value is 1 to many digits.
        if (lambda < 0.2) {
            return 1;
        }
        double sum = 0;
        for (int k = 1; k <= TERMS; k++) {
            sum += (k % 2 == 1 ? 2 : -2) * Math.exp(-2.0 * k * k * lambda * lambda);
        }
        return Math.clamp(sum, 0, 1);
    }
}
