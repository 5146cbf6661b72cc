package dev.assay.report;

import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Metric;
import java.util.Optional;

/**
 * How a measured ratio reads: better or worse where its interval leaves out 1, else open. The interval is the one that
 * holds over all load points together, where there is one.
 */
final class Reading {
    private Reading() {
    }

    static Cell of(Metric metric, RatioResult ratio) {
        Optional<Double> low = ratio.jointLow().isPresent() ? ratio.jointLow() : ratio.low();
        Optional<Double> high = ratio.jointHigh().isPresent() ? ratio.jointHigh() : ratio.high();
        if (low.isEmpty() || high.isEmpty()) {
            return Cell.marked("no interval", Tone.FAINT);
        }
        boolean above = low.get() > 1;
        boolean below = high.get() < 1;
        if (!above && !below) {
            return Cell.marked("no clear change", Tone.UNSURE);
        }
        return above == metric.higherIsBetter() ? Cell.marked("better", Tone.GOOD) : Cell.marked("worse", Tone.BAD);
    }
}
