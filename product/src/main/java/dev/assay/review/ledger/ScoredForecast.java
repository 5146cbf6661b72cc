package dev.assay.review.ledger;

import dev.assay.stats.RatioForecast;

/**
 * One sealed ratio of one claim at one load point, with the ratio that was measured.
 *
 * @param ratio with the interval as sealed
 * @param widened the factor by which the ledger of that time had widened it, 1 where it had not
 * @param verdict the word for what became of the claim there
 */
public record ScoredForecast(String claim, String metric, double offeredRps, RatioForecast ratio,
        double widened,
        String verdict) {
    /** The forecast with the interval that the model gave, before any ledger. */
    public RatioForecast unwidened() {
        return widened == 1 ? ratio : ratio.widened(1 / widened);
    }
}
