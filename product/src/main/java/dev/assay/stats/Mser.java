package dev.assay.stats;

/**
 * Where a series stops depending on how it began: the marginal standard error rule over means of five (MSER-5, White
 * 1997). It cuts where the standard error of what is left is smallest.
 */
public final class Mser {
    private static final int BATCH = 5;

    private Mser() {}

    /**
     * How many leading values to leave out, a multiple of five. More than half of the series means that it has not
     * settled: the rule then only found the least bad end.
     */
    public static int cut(double[] series) {
        int k = series.length / BATCH;
        if (k < 2) {
            return 0;
        }
        double[] means = new double[k];
        for (int b = 0; b < k; b++) {
            for (int i = 0; i < BATCH; i++) {
                means[b] += series[b * BATCH + i] / BATCH;
            }
        }
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        double sum = 0;
        double squares = 0;
        // The last few batches alone have a small spread by chance, so they are no candidates.
        for (int d = k - 1; d >= 0; d--) {
            int left = k - d;
            sum += means[d];
            squares += means[d] * means[d];
            double error = Math.max(0, squares - sum * sum / left) / ((double) left * left);
            if (left >= BATCH && error <= least) {
                least = error;
                best = d;
            }
        }
        return best * BATCH;
    }

    /** Whether the rule leaves at least half of the series, which it has to have {@code 50} values for. */
    public static boolean settled(double[] series) {
        return series.length >= 2 * BATCH * BATCH && cut(series) <= series.length / 2;
    }
}
