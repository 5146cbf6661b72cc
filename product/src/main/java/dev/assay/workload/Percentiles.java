package dev.assay.workload;

import java.util.Arrays;
import java.util.Optional;

/** Percentiles by linear interpolation between order statistics (Hyndman and Fan 1996, type 7; numpy's default). */
public final class Percentiles {
    private Percentiles() {}

    /** The quantile at {@code p} in [0, 1] of an ascending, non-empty sample. */
    public static double ofSorted(double[] ascending, double p) {
        if (ascending.length == 0 || !(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException(
                    "quantile " + p + " of " + ascending.length + " values; expected 0 to 1 of at least one");
        }
        double h = (ascending.length - 1) * p;
        int below = (int) Math.floor(h);
        int above = Math.min(below + 1, ascending.length - 1);
        return ascending[below] + (h - below) * (ascending[above] - ascending[below]);
    }

    /** Count, mean and the usual percentiles; empty where the sample is. The sample need not be sorted and is kept. */
    public static Optional<RunSummary.Spread> spread(double[] sample) {
        if (sample.length == 0) {
            return Optional.empty();
        }
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).average().orElseThrow();
        return Optional
                .of(new RunSummary.Spread(sorted.length, mean, ofSorted(sorted, 0.50), ofSorted(sorted, 0.90),
                        ofSorted(sorted, 0.95), ofSorted(sorted, 0.99)));
    }
}
