package dev.assay.forecast.silicon;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How well the calibrated law forecasts families that it did not see: five-fold over families, twice. Errors are shares
 * of what was measured: of each split the median over held-out rows, then the median over splits.
 *
 * @param file its name
 * @param rows data rows, refused ones included
 * @param scoredRows that took part in the splits
 * @param families of equal configuration, each held out whole
 * @param splits how many
 * @param heldOutShare of the families, in each
 * @param heldOutRows over all splits
 * @param pairs of batch and four times the batch, both held out, over all splits
 * @param medianTpotError of the law
 * @param medianRatioError of TPOT's ratio over such a pair
 * @param coverage_90 share of held-out rows in the 90 % interval, mean over splits; absent where rows are too few for it
 * @param refused rows that were not scored
 * @param baselines what has to be beaten
 * @param spread over the splits
 * @param groups rows by model, hardware, engine and format
 * @param unseenModels each model scored by a calibration on the others
 * @param refusals why rows were not scored
 * @param faults rows that peaks make impossible
 * @param refusedAnyway what the law would have said of rows refused for their regime
 * @param constants as fitted on all scored rows
 * @param presumed what the columns do not say
 */
public record Accuracy(String file, int rows, int scoredRows, int families, int splits, double heldOutShare,
        int heldOutRows, int pairs, double medianTpotError, OptionalDouble medianRatioError,
        OptionalDouble coverage_90, int refused, Rivals baselines, Spreads spread, List<Group> groups,
        List<Unseen> unseenModels, List<Refusal> refusals, List<String> faults,
        Optional<Unseen> refusedAnyway, List<Backend> constants, List<String> presumed) {
    /** Median error of each baseline in TPOT's ratio over a pair; the roofline's in TPOT itself is in {@link Spreads}. */
    public record Rivals(OptionalDouble roofline, OptionalDouble constantRatio) {}

    /**
     * Figures with their lowest and highest split.
     *
     * @param bias median of measured over forecast, as a logarithm
     * @param halfWidth median of the interval's half-width as a factor above one
     */
    public record Spreads(Spread tpotError, Spread tpotErrorP90, Optional<Spread> ratioError,
            Optional<Spread> coverage_90, Spread bias, Optional<Spread> halfWidth, Spread rooflineTpotError,
            Optional<Spread> rooflineRatioError, Optional<Spread> constantRatioError) {}

    /**
     * Held-out rows of one group, over all splits.
     *
     * @param rows in the file
     * @param heldOut times that a row was held out
     * @param unseen of these, while no row of the group was calibrated on
     * @param bias median of measured over forecast, as a logarithm
     * @param halfWidth median half-width as a factor above one
     */
    public record Group(String name, int rows, int heldOut, int unseen, OptionalDouble medianError,
            OptionalDouble bias, OptionalDouble coverage_90, OptionalDouble halfWidth) {}

    /** Rows scored by a calibration that saw nothing like them; as {@link Group}. */
    public record Unseen(String name, int rows, double medianError, double bias, OptionalDouble coverage_90,
            OptionalDouble halfWidth) {}

    /** The constants of one engine, or those common to all. */
    public record Backend(String name, List<Value> values) {}

    /**
     * A fitted constant.
     *
     * @param factor the standard deviation of its logarithm as a factor: times or divided by it
     */
    public record Value(String constant, double value, double factor, String unit) {}
}
