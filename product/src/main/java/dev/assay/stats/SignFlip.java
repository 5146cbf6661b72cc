package dev.assay.stats;

import java.util.OptionalDouble;

/**
 * Exact two-sided sign-flip (Fisher randomisation) test of a zero centre: under the null each block's value is as
 * likely as its negative, and the p value is the share of the {@code 2^k} sign patterns whose sum is at least as far
 * from zero as the observed one.
 */
public final class SignFlip {
    /** The largest number of values that is enumerated. */
    public static final int MAX_ENUMERATED = 20;
    private static final double TIE = 1e-12;

    private SignFlip() {}

    /** The p value; empty for no values or more than {@link #MAX_ENUMERATED}. Values must be finite. */
    public static OptionalDouble p(double[] values) {
        int k = values.length;
        if (k == 0 || k > MAX_ENUMERATED) {
            return OptionalDouble.empty();
        }
        double scale = 0;
        double observed = 0;
        for (double v : values) {
            scale += Math.abs(v);
            observed += v;
        }
        double reach = Math.abs(observed) - TIE * scale;
        // The first sign stays: turning all signs gives the same distance.
        int patterns = 1 << (k - 1);
        int extreme = 0;
        for (int pattern = 0; pattern < patterns; pattern++) {
            double sum = values[0];
            for (int i = 1; i < k; i++) {
                sum += (pattern >> (i - 1) & 1) == 0 ? values[i] : -values[i];
            }
            if (Math.abs(sum) >= reach) {
                extreme++;
            }
        }
        return OptionalDouble.of((double) extreme / patterns);
    }

    /** The smallest p value that {@code k} values can give: {@code 2^(1-k)}. */
    public static double floor(int k) {
        Levels.requireAtLeast("values", k, 1);
        return Math.scalb(1.0, 1 - k);
    }

    /** The fewest values whose floor is not above {@code alpha}. */
    public static int fewest(double alpha) {
        Levels.requireShare("alpha", alpha);
        int k = 1;
        while (floor(k) > alpha) {
            k++;
        }
        return k;
    }
}
