package dev.assay.review;

import dev.assay.forecast.Calibration;
import dev.assay.forecast.Forecast;
import java.util.List;

/**
 * What is written before anything is measured ({@code prediction.json}): the forecast, the claims drawn from it, and
 * the premises under which they hold.
 */
public record Prediction(Forecast forecast, Calibration calibration, List<Claim> claims, List<Premise> premises) {

    /** A condition under which the prediction holds; {@code bound} is its tolerance, in the premise's own words. */
    public record Premise(String id, String statement, double bound) {}
}
