package dev.assay.review.ledger;

import dev.assay.review.Arm;

/**
 * A metric of one arm at one load point, forecast and as measured (mean over blocks, above 0).
 *
 * @param estimate and {@code low}, {@code high} are the forecast with its interval
 */
public record LevelForecast(Arm arm, String metric, double offeredRps, double estimate, double low,
        double high,
        double observed) {
    /** An interval that spans this factor or more, and holds the value, says that the forecast does not know. */
    public static final double UNKNOWING = 2;

    /** |forecast/observed - 1|. */
    public double error() {
        return Math.abs(estimate / observed - 1);
    }

    /** Whether the interval said that the forecast does not know, and was right. */
    public boolean saysUnknown() {
        return high >= UNKNOWING * low && low <= observed && observed <= high;
    }
}
