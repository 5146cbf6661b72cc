package dev.assay.forecast.arms;

import dev.assay.forecast.arith.StepTheory;

/**
 * One possible set of constants.
 *
 * @param outsideNanos time of a request outside the steps
 * @param z standard normal deviate by which it stands off where nothing was measured near
 */
public record TheoryDraw(StepTheory theory, double outsideNanos, double z) {
    /** How far a draw moves on all times for each doubling outside of what was measured. */
    private static final double LEVEL_BEYOND = 0.1;
    /** How much farther from the middle its constants move for each doubling. */
    private static final double STRETCH_BEYOND = 0.5;

    /** Constants that no measurement touched. */
    static TheoryDraw of(StepTheory theory) {
        return new TheoryDraw(theory, 0, 0);
    }

    /** The draw so many doublings outside of what was measured. */
    TheoryDraw beyond(StepTheory middle, double octaves) {
        if (octaves == 0) {
            return this;
        }
        double k = 1 + STRETCH_BEYOND * octaves;
        return new TheoryDraw(new StepTheory(theory.overlap(),
                far(theory.memoryShare(), middle.memoryShare(), k),
                far(theory.computeShare(), middle.computeShare(), k),
                far(theory.layerNanos(), middle.layerNanos(), k),
                far(theory.collectiveNanos(), middle.collectiveNanos(), k),
                far(theory.linkShare(), middle.linkShare(), k),
                far(theory.level(), middle.level(), k) * Math.exp(LEVEL_BEYOND * octaves * z),
                theory.formatZ()), outsideNanos, z);
    }

    private static double far(double value, double middle, double k) {
        return middle == 0 ? value : middle * Math.pow(value / middle, k);
    }
}
