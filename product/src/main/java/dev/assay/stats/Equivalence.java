package dev.assay.stats;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Two one-sided tests (TOST, Schuirmann 1987) that a block mean lies inside a region: so exactly if its two-sided
 * interval at level {@code 1 - 2 alpha} does.
 *
 * @param region on the scale of the estimate (log ratio or difference)
 * @param alpha level of each one-sided test
 * @param interval at level {@code 1 - 2 alpha}; absent for one block
 * @param p the larger of the two p values; absent for one block
 * @param outcome what follows
 */
public record Equivalence(Interval region, double alpha, Optional<Interval> interval, OptionalDouble p,
        Outcome outcome) {

    /** What two one-sided tests found. */
    public enum Outcome {
        /** The interval lies inside the region. */
        INSIDE,
        /** The interval lies wholly outside the region. */
        OUTSIDE,
        /** The interval holds values of both sides. */
        UNDECIDED,
        /** One block or none: no interval. */
        UNTESTABLE
    }

    /** The test of a ratio inside {@code region}, given as ratios (both ends positive). */
    public static Equivalence ofRatio(BlockRatio ratio, Interval region, double alpha) {
        Levels.requirePositive("low end of the region", region.low());
        return of(ratio.log(), new Interval(Math.log(region.low()), Math.log(region.high())), alpha);
    }

    /** The test of a difference inside {@code region}, in the metric's unit. */
    public static Equivalence ofDifference(BlockDifference difference, Interval region, double alpha) {
        return of(difference.estimate(), region, alpha);
    }

    private static Equivalence of(Optional<MeanEstimate> estimate, Interval region, double alpha) {
        if (!(alpha > 0 && alpha < 0.5)) {
            throw new IllegalArgumentException("alpha " + alpha + ": expected a number in (0, 0.5)");
        }
        Optional<Interval> interval = estimate.flatMap(e -> e.intervalAt(1 - 2 * alpha));
        if (interval.isEmpty()) {
            return new Equivalence(region, alpha, interval, OptionalDouble.empty(), Outcome.UNTESTABLE);
        }
        MeanEstimate e = estimate.orElseThrow();
        double p = Math.max(e.pAbove(region.low()), e.pBelow(region.high()));
        return new Equivalence(region, alpha, interval, OptionalDouble.of(p),
                outcome(region, interval.get()));
    }

    private static Outcome outcome(Interval region, Interval interval) {
        if (region.contains(interval)) {
            return Outcome.INSIDE;
        }
        return region.overlaps(interval) ? Outcome.UNDECIDED : Outcome.OUTSIDE;
    }
}
