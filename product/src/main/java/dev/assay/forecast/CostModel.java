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

    private final Effects effects;
    private final StepArithmetic baseArithmetic;
    private final int rowsPerSequence;
    private final double tokensPerStep;

    private CostModel(StepArithmetic arithmetic, StepArithmetic baseArithmetic, int rowsPerSequence,
            StepConstants constants, FormatEffect format, Effects effects, Variation variation) {
        this.arithmetic = arithmetic;
        this.baseArithmetic = baseArithmetic;
        this.constants = constants;
        this.effects = effects;
        double bytes = (double) arithmetic.weightBytes() / baseArithmetic.weightBytes();
        this.weightNanos = constants.weightNanos() * bytes / format.bandwidth(variation.bandwidthZ())
                * effects.streamTime();
        double compute = format.compute(variation.computeZ()) * effects.computeTime();
        this.decodeNanosPerFlop = constants.decodeNanosPerFlop() * compute;
        this.prefillNanosPerFlop = constants.prefillNanosPerFlop() * compute;
        this.rowsPerSequence = rowsPerSequence;
        this.tokensPerStep = Effects.tokensPerStep(effects.acceptance(), rowsPerSequence - 1);
        this.seenRows = variation.seenRows();
        this.beyondFactor = variation.beyondFactor();
        this.misfit = variation.misfit();
    }

    /** The law as calibrated, for the baseline itself. */
    static CostModel calibrated(ModelShape shape, EngineSettings baseline, StepConstants constants) {
        return of(shape, baseline, baseline, constants, Variation.none(baseline.maxNumSeqs()));
    }

    /** The law for an arm of which nothing was measured beside the server. */
    static CostModel of(ModelShape shape, EngineSettings baseline, EngineSettings arm,
            StepConstants constants, Variation variation) {
        return of(shape, baseline, arm, constants, variation,
                Effects.of(baseline, arm, LocalMeasurements.NONE, Effects.Deviates.CENTRAL));
    }

    /** The law for an arm. */
    static CostModel of(ModelShape shape, EngineSettings baseline, EngineSettings arm,
            StepConstants constants, Variation variation, Effects effects) {
        // The law of a baseline that drafts is by its own steps already.
        int rows = arm.speculativeTokens().equals(baseline.speculativeTokens()) ? 1 : arm.rowsPerSequence();
        return new CostModel(new StepArithmetic(shape, arm), new StepArithmetic(shape, baseline), rows,
                constants, FormatEffect.of(baseline.weights(), arm.weights()), effects, variation);
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

    /**
     * Time in the matrix products of a step. Where tokens are drafted, a step gives each sequence several; the replay
     * gives one a step, so that its decode part is divided by their mean number.
     */
    double gemmNanos(int decodeRows, double prefillFlops) {
        double all = constants.combine(weightNanos, computeNanos(decodeRows, prefillFlops));
        if (tokensPerStep == 1 || decodeRows == 0) {
            return all;
        }
        double decode = constants.combine(weightNanos, computeNanos(decodeRows, 0));
        return decode / tokensPerStep + (all - decode);
    }

    /** Time of compute alone, as if the weights were free; each sequence verifies its draft with rows of its own. */
    double computeNanos(double decodeRows, double prefillFlops) {
        double all = decodeRows * rowsPerSequence;
        double rows = all <= seenRows ? all : seenRows + beyondFactor * (all - seenRows);
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

    /** Rows at which compute takes as long as streaming the weights; infinite where rows are free. */
    double kneeRows() {
        double row = rowsPerSequence * arithmetic.decodeFlops() * decodeNanosPerFlop;
        double seen = seenRows * arithmetic.decodeFlops() * decodeNanosPerFlop;
        return weightNanos <= seen
                ? weightNanos / row
                : (seenRows + (weightNanos - seen) / (row / rowsPerSequence * beyondFactor))
                        / rowsPerSequence;
    }

    /** Time of reading the keys and values of {@code tokens} in one step. */
    double kvNanos(double tokens) {
        return tokens * baseArithmetic.kvBytesPerToken() * constants.kvNanosPerByte() * kvFactor();
    }

    /** What an arm's format and split do to the time of a token's keys and values. */
    private double kvFactor() {
        return effects.kvTime() * effects.streamTime() * baseArithmetic.kvDevices() / arithmetic.kvDevices();
    }

    /** The same, of a replayed step that gives each sequence one token. */
    double attentionNanos(double tokens) {
        return kvNanos(tokens) / tokensPerStep;
    }

    /** Time of the arm's collectives in a step that computes {@code tokens}. */
    double collectiveNanos(double tokens) {
        return effects.candidateLink().nanos(arithmetic, tokens);
    }

    /** What a step costs beyond matrices and attention: overhead, collectives, drafting, less what fusing saves. */
    double otherNanos(double decodeRows, double prefillTokens, double kvTokens) {
        double tokens = decodeRows * rowsPerSequence + prefillTokens;
        double before = effects.baselineLink().nanos(baseArithmetic, tokens);
        double moved = collectiveNanos(tokens) - before;
        double other = Math.max(0, constants.overheadNanos() * effects.overheadTime() + moved);
        return other + draftNanos(decodeRows, kvTokens) - savedNanos(decodeRows, other, kvTokens);
    }

    /** The same of a replayed step: what comes with every step is shared by the tokens that it gives. */
    double overheadNanos(int decodeRows, int prefillTokens, double kvTokens) {
        double all = otherNanos(decodeRows, prefillTokens, kvTokens);
        if (tokensPerStep == 1 || decodeRows == 0) {
            return all;
        }
        double decode = otherNanos(decodeRows, 0, kvTokens);
        return decode / tokensPerStep + (all - decode);
    }

    /** Each drafted token costs a share of a plain decode step. */
    private double draftNanos(double decodeRows, double kvTokens) {
        if (rowsPerSequence == 1 || decodeRows == 0) {
            return 0;
        }
        double plain = constants.overheadNanos()
                + constants.combine(weightNanos, computeNanos(decodeRows / rowsPerSequence, 0))
                + kvNanos(kvTokens);
        return (rowsPerSequence - 1) * effects.draftCost() * plain;
    }

    /** Amdahl's law over the decode part of a step: share x (1 - 1 / speed-up) of it is saved. */
    private double savedNanos(double decodeRows, double other, double kvTokens) {
        if (effects.epilogueShare() == 0 || decodeRows == 0) {
            return 0;
        }
        double decode = other + constants.combine(weightNanos, computeNanos(decodeRows, 0))
                + kvNanos(kvTokens);
        return effects.epilogueShare() * (1 - 1 / effects.epilogueSpeedup()) * decode;
    }

    /** Tokens that a sequence gets from one step. */
    double tokensPerStep() {
        return tokensPerStep;
    }

    /** The factor of the law's own error at a number of decode rows. */
    double misfit(int decodeRows) {
        return misfit[Math.min(decodeRows * rowsPerSequence, misfit.length - 1)];
    }

    /** A decode step without the law's own error, by token where tokens are drafted. */
    double plainNanos(int decodeRows, double kvTokens) {
        return overheadNanos(decodeRows, 0, kvTokens) + gemmNanos(decodeRows, 0) + attentionNanos(kvTokens);
    }

    /** The whole step, by token where tokens are drafted. */
    double stepNanos(int decodeRows, double prefillFlops, double kvTokens) {
        return (overheadNanos(decodeRows, 0, kvTokens) + gemmNanos(decodeRows, prefillFlops)
                + attentionNanos(kvTokens)) * misfit(decodeRows);
    }

    @Override
    public String toString() {
        return "CostModel[" + constants + ", weightNanos=" + weightNanos + ", misfit="
                + Arrays.toString(misfit) + "]";
    }
}
