package dev.assay.review.ledger;

import dev.assay.forecast.Limiter;
import dev.assay.review.Arm;

/** The limiter of one arm at one load point, forecast and as the server's telemetry showed it. */
public record LimiterCall(Arm arm, double offeredRps, Limiter forecast, Limiter observed) {
    /** Whether they are the same. */
    public boolean hit() {
        return forecast == observed;
    }
}
