package dev.assay.stats;

import java.util.Arrays;
import java.util.List;

/**
 * The factor by which the logarithmic width of past intervals would have had to be larger to hold their share of
 * observations: the split-conformal quantile of the normalised residuals (Vovk and others 2005; Lei and others 2018).
 */
public final class ConformalWidth {
    private ConformalWidth() {}

    /**
     * The {@code ceil((n + 1) * level)}-th smallest of n residuals; the largest where that rank lies beyond n.
     *
     * @param residuals at least one; {@link RatioForecast#residual}
     */
    public static double quantile(double[] residuals, double level) {
        Levels.requireShare("level", level);
        Levels.requireAtLeast("residuals", residuals.length, 1);
        double[] sorted = residuals.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil((sorted.length + 1) * level - 1e-9);
        return sorted[Math.min(sorted.length, rank) - 1];
    }

    /** The same of forecasts, each with a width of its own; exact ones, which no factor widens, are left out. */
    public static double factor(List<RatioForecast> forecasts, double level) {
        return quantile(
                forecasts.stream().filter(f -> !f.exact()).mapToDouble(RatioForecast::residual).toArray(),
                level);
    }
}
