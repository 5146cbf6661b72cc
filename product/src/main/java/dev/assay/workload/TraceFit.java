package dev.assay.workload;

import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.statistics.distribution.LogNormalDistribution;

/**
 * The log-normal distribution nearest to a sample of lengths: the one of least Kolmogorov distance (greatest gap
 * between the two distribution functions), found on a grid that is refined three times. Its bounds are the sample's.
 *
 * @param distance the Kolmogorov distance that is left
 */
public record TraceFit(LengthDistribution.Lognormal distribution, int n, double distance) {
    private static final int STEPS = 20;
    private static final int ROUNDS = 4;

    /** The fit of at least two lengths of 1 or more. */
    public static TraceFit of(int[] lengths) {
        if (lengths.length < 2) {
            throw new IllegalArgumentException("a fit needs at least 2 lengths, found " + lengths.length);
        }
        int[] sorted = lengths.clone();
        Arrays.sort(sorted);
        double mu = Arrays.stream(sorted).mapToDouble(Math::log).average().orElseThrow();
        double sigma = Math.max(0.05, Math.sqrt(
                Arrays.stream(sorted).mapToDouble(v -> Math.pow(Math.log(v) - mu, 2)).average()
                        .orElseThrow()));
        double[] best = {mu, sigma, distance(sorted, mu, sigma)};
        double span = sigma;
        for (int round = 0; round < ROUNDS; round++, span /= STEPS / 4.0) {
            double centre = best[0];
            double width = best[1];
            for (int i = -STEPS; i <= STEPS; i++) {
                for (int j = -STEPS; j <= STEPS; j++) {
                    double m = centre + span * i / STEPS;
                    double s = width + 0.8 * span * j / STEPS;
                    double d = s > 0.01 ? distance(sorted, m, s) : 1;
                    if (d < best[2]) {
                        best = new double[]{m, s, d};
                    }
                }
            }
        }
        return new TraceFit(
                new LengthDistribution.Lognormal(Math.max(1, Math.round(Math.exp(best[0]) * 10) / 10.0),
                        Math.round(best[1] * 1000) / 1000.0, sorted[0], sorted[sorted.length - 1]),
                sorted.length, best[2]);
    }

    /** The text that {@link LengthDistribution#parse} reads. */
    public String text() {
        return String.format(Locale.ROOT, "lognormal:%.1f,%.3f,%d,%d", distribution.median(),
                distribution.sigma(),
                distribution.min(), distribution.max());
    }

    /** Kolmogorov distance at 200 evenly spaced ranks, with the half-token shift that rounding asks for. */
    private static double distance(int[] sorted, double mu, double sigma) {
        LogNormalDistribution fit = LogNormalDistribution.of(mu, sigma);
        double worst = 0;
        int points = Math.min(200, sorted.length);
        for (int k = 0; k < points; k++) {
            int value = sorted[(int) ((long) k * sorted.length / points)];
            double below = lowerBound(sorted, value + 1) / (double) sorted.length;
            worst = Math.max(worst, Math.abs(fit.cumulativeProbability(value + 0.5) - below));
        }
        return worst;
    }

    /** How many entries are less than {@code value}. */
    private static int lowerBound(int[] sorted, int value) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (sorted[mid] < value) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }
}
