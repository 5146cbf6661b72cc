package dev.assay.review;

import dev.assay.forecast.Calibration;
import dev.assay.forecast.Forecast;
import dev.assay.forecast.WidthCorrection;
import dev.assay.model.ModelShape;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is written before anything is measured ({@code prediction.json}): the forecast, the claims drawn from it, the
 * premises under which they hold, and what the measurement needs to send the same prompts to both arms.
 *
 * @param shape the model's shape, read from its file
 * @param promptSizing words to tokens, as the baseline's server counted them
 * @param width by how much past reviews made the intervals of the forecast's ratios wider; absent where they did not
 */
public record Prediction(ModelShape shape, dev.assay.workload.Calibration promptSizing,
        Calibration calibration,
        Forecast forecast, List<Claim> claims, List<Premise> premises, Optional<WidthCorrection> width) {

    /**
     * A condition under which the prediction holds; {@code bound} is its tolerance, in the statement's own words.
     *
     * @param least the value must be at least this, where that matters
     * @param arm the arm that it is about; both where absent
     */
    public record Premise(String id, String statement, double bound, OptionalDouble least,
            Optional<Arm> arm) {
        /** A premise of both arms with an upper bound. */
        public Premise(String id, String statement, double bound) {
            this(id, statement, bound, OptionalDouble.empty(), Optional.empty());
        }
    }
}
