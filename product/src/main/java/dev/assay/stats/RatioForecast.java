package dev.assay.stats;

/**
 * An interval forecast of a ratio and the ratio that came. All figures are compared as logarithms within [1/{@value #MOST},
 * {@value #MOST}]: a ratio beyond counts as that bound, so that an interval which begins at 0 has a width.
 *
 * @param estimate the forecast, in {@code [low, high]}
 * @param low,high the interval
 * @param level at which it was stated, such as 0.9
 * @param observed the ratio that came, above 0
 */
public record RatioForecast(double estimate, double low, double high, double level, double observed) {
    /** Ratios beyond this factor, or below its inverse, count as that factor. */
    public static final double MOST = 100;
    /** Two ratios that differ by less, relatively, count as equal: what is left of rounding in exact arithmetic. */
    private static final double ROUNDING = 1e-9;

    public RatioForecast {
        Levels.requireShare("level", level);
        Levels.requirePositive("observed", observed);
        if (!(low >= 0 && low <= estimate && estimate <= high)) {
            throw new IllegalArgumentException(
                    "estimate " + estimate + ": expected a number in [" + low + ", " + high
                            + "], low at least 0");
        }
    }

    /** Whether the observation lies in the interval, ends included. */
    public boolean inside() {
        return observed >= low * (1 - ROUNDING) && observed <= high * (1 + ROUNDING);
    }

    /** log(observed/forecast): above 0 where the forecast was too low. */
    public double logError() {
        return log(observed) - log(estimate);
    }

    /** |forecast/observed - 1|. */
    public double relativeError() {
        return Math.abs(estimate / observed - 1);
    }

    /** The interval score of the logarithms (Gneiting and Raftery 2007, formula 43); lower is better. */
    public double score() {
        return interval(0).score(log(observed), 1 - level);
    }

    /** The score of "no change": the same interval moved so that its estimate is a ratio of 1. */
    public double noChangeScore() {
        return interval(-log(estimate)).score(log(observed), 1 - level);
    }

    /** |log(observed)|: the error of the point forecast "no change". */
    public double noChangeLogError() {
        return Math.abs(log(observed));
    }

    /** Whether the interval has no width, as that of a figure which follows from arithmetic. */
    public boolean exact() {
        return log(high) - log(low) < ROUNDING;
    }

    /**
     * How many times the interval's arm on the observation's side the observation lies away from the estimate: at most 1
     * inside. Infinite where that arm has no width.
     */
    public double residual() {
        double away = logError();
        if (Math.abs(away) <= ROUNDING) {
            return 0;
        }
        double arm = away > 0 ? log(high) - log(estimate) : log(estimate) - log(low);
        return arm > 0 ? Math.abs(away) / arm : Double.POSITIVE_INFINITY;
    }

    /** The same forecast with both arms of its interval, as logarithms, {@code factor} times as long. */
    public RatioForecast widened(double factor) {
        return new RatioForecast(estimate, widen(estimate, low, factor), widen(estimate, high, factor), level,
                observed);
    }

    /** A bound of an interval whose arm, as a logarithm, is made {@code factor} times as long; 0 stays 0. */
    public static double widen(double estimate, double bound, double factor) {
        Levels.requirePositive("factor", factor);
        return estimate > 0 && bound > 0 ? estimate * Math.pow(bound / estimate, factor) : bound;
    }

    private Interval interval(double shift) {
        return new Interval(log(low) + shift, log(high) + shift);
    }

    private static double log(double ratio) {
        return Math.log(Math.min(MOST, Math.max(1 / MOST, ratio)));
    }
}
