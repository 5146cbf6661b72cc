package dev.assay.stats;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether a series drifts: a straight line through the means of consecutive batches, with the t test of its slope.
 * Batches absorb most of the dependence between neighbours; Student's distribution does the rest.
 *
 * @param start value of the line at the series' first batch
 * @param change of the line over the whole series
 * @param p two-sided p value of "no slope"; 1 where it cannot be tested
 * @param explained share of the variance between batch means that the line explains (R²)
 */
public record Trend(double start, double change, double p, double explained) {
    private static final int FEWEST_BATCHES = 4;

    /** The trend of a series through this many batches (fewer where the series is short). */
    public static Trend of(double[] series, int batches) {
        Levels.requireAtLeast("batches", batches, FEWEST_BATCHES);
        if (series.length < FEWEST_BATCHES) {
            return new Trend(series.length == 0 ? 0 : series[0], 0, 1, 0);
        }
        return through(means(series, Math.min(batches, series.length)));
    }

    /** The mean of each of {@code k} consecutive parts of nearly equal length. */
    static double[] means(double[] series, int k) {
        double[] means = new double[k];
        for (int b = 0; b < k; b++) {
            int from = (int) ((long) series.length * b / k);
            int to = (int) ((long) series.length * (b + 1) / k);
            for (int i = from; i < to; i++) {
                means[b] += series[i] / (to - from);
            }
        }
        return means;
    }

    private static Trend through(double[] y) {
        int k = y.length;
        double middle = (k - 1) / 2.0;
        double mean = 0;
        for (double v : y) {
            mean += v / k;
        }
        double sxx = 0;
        double sxy = 0;
        double syy = 0;
        for (int i = 0; i < k; i++) {
            sxx += (i - middle) * (i - middle);
            sxy += (i - middle) * (y[i] - mean);
            syy += (y[i] - mean) * (y[i] - mean);
        }
        double slope = sxy / sxx;
        double residual = Math.max(0, syy - slope * sxy);
        double explained = syy == 0 ? 0 : slope * sxy / syy;
        double error = Math.sqrt(residual / (k - 2) / sxx);
        double p = syy == 0
                ? 1
                : error == 0 ? 0 : 2 * TDistribution.of(k - 2).survivalProbability(Math.abs(slope) / error);
        return new Trend(mean - slope * middle, slope * (k - 1), p, explained);
    }
}
