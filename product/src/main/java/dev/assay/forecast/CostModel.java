package dev.assay.forecast;

import dev.assay.model.ModelShape;
import java.util.Arrays;

/**
 * The time of one step of one arm: the calibrated law, carried over to the arm's weight format and beyond the rows that
 * the calibration saw.
 */
final class CostModel {
    private final StepArithmetic arithmetic;
    private final StepConstants constants;
    private final double weightNanos;
    private final double decodeNanosPerFlop;
    private final double prefillNanosPerFlop;
    private final double seenRows;
    private final double beyondFactor;
    /** The law's own error by decode rows, as a factor; shared by both arms, so that equal rows cancel in ratios. */
    private final double[] misfit;

    private CostModel(StepArithmetic arithmetic, StepConstants constants, double weightNanos,
            double computeFactor,
            double seenRows, double beyondFactor, double[] misfit) {
        this.arithmetic = arithmetic;
        this.constants = constants;
        this.weightNanos = weightNanos;
        this.decodeNanosPerFlop = constants.decodeNanosPerFlop() * computeFactor;
        this.prefillNanosPerFlop = constants.prefillNanosPerFlop() * computeFactor;
        this.seenRows = seenRows;
        this.beyondFactor = beyondFactor;
        this.misfit = misfit;
    }

    /** The law as calibrated, for the baseline itself. */
    static CostModel calibrated(ModelShape shape, EngineSettings baseline, StepConstants constants) {
        return of(shape, baseline, baseline, constants, Variation.none(baseline.maxNumSeqs()));
    }

    /** The law for an arm. */
    static CostModel of(ModelShape shape, EngineSettings baseline, EngineSettings arm,
            StepConstants constants,
            Variation variation) {
        StepArithmetic arithmetic = new StepArithmetic(shape, arm);
        double bytes = (double) arithmetic.weightBytes() / new StepArithmetic(shape, baseline).weightBytes();
        FormatEffect effect = FormatEffect.of(baseline.weights(), arm.weights());
        return new CostModel(arithmetic, constants,
                constants.weightNanos() * bytes / effect.bandwidth(variation.bandwidthZ()),
                effect.compute(variation.computeZ()), variation.seenRows(), variation.beyondFactor(),
                variation.misfit());
    }

    /**
     * What is drawn beside the constants.
     *
     * @param computeZ deviate of the format's compute factor
     * @param bandwidthZ deviate of the format's bandwidth factor
     * @param seenRows decode rows up to which the calibration saw steps
     * @param beyondFactor cost of a row beyond them, over that of a row within
     * @param misfit factor on the step's time by decode rows; the last holds beyond
     */
    record Variation(double computeZ, double bandwidthZ, double seenRows, double beyondFactor,
            double[] misfit) {
        static Variation none(double seenRows) {
            return new Variation(0, 0, seenRows, 1, new double[]{1});
        }
    }

    StepArithmetic arithmetic() {
        return arithmetic;
    }

    /** Time in the matrix products. */
    double gemmNanos(int decodeRows, double prefillFlops) {
        return constants.combine(weightNanos, computeNanos(decodeRows, prefillFlops));
    }

    /** Time of compute alone, as if the weights were free. */
    double computeNanos(double decodeRows, double prefillFlops) {
        double rows = decodeRows <= seenRows ? decodeRows : seenRows + beyondFactor * (decodeRows - seenRows);
        return rows * arithmetic.decodeFlops() * decodeNanosPerFlop + prefillFlops * prefillNanosPerFlop;
    }

    /** Time of streaming the weights. */
    double weightNanos() {
        return weightNanos;
    }

    /** Whether streaming and compute overlap. */
    boolean overlapped() {
        return constants.overlapped();
    }

    /** Time of reading the keys and values of {@code tokens}. */
    double attentionNanos(double tokens) {
        return tokens * arithmetic.kvBytesPerToken() * constants.kvNanosPerByte();
    }

    double overheadNanos() {
        return constants.overheadNanos();
    }

    /** The factor of the law's own error at a number of decode rows. */
    double misfit(int decodeRows) {
        return misfit[Math.min(decodeRows, misfit.length - 1)];
    }

    /** The whole step. */
    double stepNanos(int decodeRows, double prefillFlops, double kvTokens) {
        return (constants.overheadNanos() + gemmNanos(decodeRows, prefillFlops) + attentionNanos(kvTokens))
                * misfit(decodeRows);
    }

    @Override
    public String toString() {
        return "CostModel[" + constants + ", weightNanos=" + weightNanos + ", misfit="
                + Arrays.toString(misfit) + "]";
    }
}
