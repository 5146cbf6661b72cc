package dev.assay.stats;

/**
 * A share of successes in a series whose neighbours may depend on each other, such as requests that meet an SLO in the
 * order in which they arrived: a queue that is long now is long for the next request too.
 *
 * @param hits successes
 * @param trials length of the series
 * @param share {@code hits / trials}
 * @param correlationTime trials that carry the information of one independent trial, at least 1
 * @param interval Wilson's interval with {@code trials / correlationTime} trials
 * @param level of the interval
 */
public record ShareEstimate(int hits, int trials, double share, double correlationTime, Interval interval,
        double level) {

    /**
     * The share with an interval at {@code level}. The correlation time is {@code 1 + 2 Σ ρ_k} with the sum cut by
     * Geyer's initial monotone positive sequence (1992), so that noise at long lags does not enter.
     */
    public static ShareEstimate of(boolean[] series, double level) {
        int hits = 0;
        for (boolean b : series) {
            hits += b ? 1 : 0;
        }
        return of(hits, series.length, correlationTime(numbers(series)), level);
    }

    /** The share of {@code hits} of {@code trials} that are worth {@code trials / correlationTime} independent ones. */
    public static ShareEstimate of(int hits, int trials, double correlationTime, double level) {
        Levels.requireAtLeast("trials", trials, 1);
        Levels.requireShare("level", level);
        if (hits < 0 || hits > trials || !(correlationTime >= 1)) {
            throw new IllegalArgumentException("hits " + hits + ", correlation time " + correlationTime
                    + ": expected 0 to " + trials + " and at least 1");
        }
        double share = hits / (double) trials;
        double effective = Math.max(1, trials / correlationTime);
        return new ShareEstimate(hits, trials, share, correlationTime,
                Proportion.wilson(share * effective, effective, level), level);
    }

    /** Independent trials that would say as much. */
    public double effectiveTrials() {
        return trials / correlationTime;
    }

    /** As {@link #of(boolean[], double)}, with the correlation time of the latencies where that is longer. */
    public static ShareEstimate of(boolean[] series, double[] latencies, double level) {
        ShareEstimate own = of(series, level);
        double other = correlationTime(latencies);
        return other <= own.correlationTime() ? own : of(own.hits(), own.trials(), other, level);
    }

    /**
     * How many values of a series carry the information of one independent value, at least 1. A series without spread
     * has 1.
     */
    public static double correlationTime(double[] series) {
        int n = series.length;
        double mean = 0;
        for (double v : series) {
            mean += v / n;
        }
        double variance = covariance(series, mean, 0);
        // A constant series has a variance of rounding errors only.
        if (n < 4 || !(variance > 1e-18 * mean * mean) || Double.isInfinite(variance)) {
            return 1;
        }
        double sum = 0;
        double last = Double.POSITIVE_INFINITY;
        for (int k = 0; 2 * k + 1 < n / 2; k++) {
            double pair = covariance(series, mean, 2 * k) + covariance(series, mean, 2 * k + 1);
            if (pair <= 0) {
                break;
            }
            last = Math.min(last, pair);
            sum += last;
        }
        return Math.max(1, Math.min(n, 2 * sum / variance - 1));
    }

    private static double[] numbers(boolean[] series) {
        double[] numbers = new double[series.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = series[i] ? 1 : 0;
        }
        return numbers;
    }

    private static double covariance(double[] series, double mean, int lag) {
        double sum = 0;
        for (int i = 0; i + lag < series.length; i++) {
            sum += (series[i] - mean) * (series[i + lag] - mean);
        }
        return sum / series.length;
    }
}
