package dev.assay.report;

import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Metric;
import java.util.Optional;

/**
 * How a measured ratio reads: better or worse where its interval leaves out 1, else open. The interval is the one that
 * holds over all load points together, where there is one. With so few blocks that the exact test could not reach 5 %
 * it reads as nothing.
 */
final class Reading {
    /** The level that an exact test must be able to reach for a ratio to read as anything. */
    private static final double ALPHA = 0.05;

    private Reading() {}

    static Cell of(Metric metric, RatioResult ratio) {
        Optional<Double> low = ratio.jointLow().isPresent() ? ratio.jointLow() : ratio.low();
        Optional<Double> high = ratio.jointHigh().isPresent() ? ratio.jointHigh() : ratio.high();
        if (low.isEmpty() || high.isEmpty()) {
            return Cell.marked("no interval", Tone.FAINT);
        }
        if (ratio.signFlipFloor() > ALPHA) {
            return Cell.marked("too few blocks", Tone.FAINT);
        }
        boolean above = low.get() > 1;
        boolean below = high.get() < 1;
        if (!above && !below) {
            return Cell.marked("no clear change", Tone.UNSURE);
        }
        return above == metric.higherIsBetter()
                ? Cell.marked("better", Tone.GOOD)
                : Cell.marked("worse", Tone.BAD);
    }
}
