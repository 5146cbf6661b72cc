package dev.assay.stats;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A one-sided test that the candidate is not worse than the baseline by a margin, on the scale of a
 * {@link MeanEstimate} (log ratio or difference).
 *
 * @param better which direction is better
 * @param limit the worst value that is still accepted: {@code ln(1 - margin)} or {@code ln(1 + margin)} for ratios
 * @param alpha one-sided level
 * @param bound one-sided confidence bound on the bad side; absent for one block
 * @param p one-sided p value of "worse than the limit"; absent for one block
 * @param outcome what follows
 */
public record NonInferiority(Better better, double limit, double alpha, OptionalDouble bound,
        OptionalDouble p,
        Outcome outcome) {

    /** Which direction of a metric is better. */
    public enum Better {
        /** As goodput. */
        HIGHER,
        /** As latency. */
        LOWER
    }

    /** What a test against a margin found. */
    public enum Outcome {
        /** The bound on the bad side lies inside the margin. */
        NOT_INFERIOR,
        /** Even the bound on the good side lies beyond the margin. */
        INFERIOR,
        /** The data allow both. */
        UNDECIDED,
        /** One block or none: no bound. */
        UNTESTABLE
    }

    /** The test of a ratio: the candidate may lose the share {@code margin} (in (0, 1)) of the baseline's value. */
    public static NonInferiority ofRatio(BlockRatio ratio, Better better, double margin, double alpha) {
        Levels.requireShare("margin", margin);
        return of(ratio.log(), better, Math.log1p(better == Better.HIGHER ? -margin : margin), alpha);
    }

    /** The test of a difference: the candidate may lose {@code margin} in the metric's unit. */
    public static NonInferiority ofDifference(BlockDifference difference, Better better, double margin,
            double alpha) {
        Levels.requirePositive("margin", margin);
        return of(difference.estimate(), better, better == Better.HIGHER ? -margin : margin, alpha);
    }

    private static NonInferiority of(Optional<MeanEstimate> estimate, Better better, double limit,
            double alpha) {
        Levels.requireShare("alpha", alpha);
        if (estimate.isEmpty() || estimate.get().blocks() < 2) {
            return new NonInferiority(better, limit, alpha, OptionalDouble.empty(), OptionalDouble.empty(),
                    Outcome.UNTESTABLE);
        }
        MeanEstimate e = estimate.get();
        double half = e.halfWidth(alpha);
        boolean higher = better == Better.HIGHER;
        double bad = higher ? e.mean() - half : e.mean() + half;
        double good = higher ? e.mean() + half : e.mean() - half;
        double p = higher ? e.pAbove(limit) : e.pBelow(limit);
        return new NonInferiority(better, limit, alpha, OptionalDouble.of(bad), OptionalDouble.of(p),
                outcome(higher ? bad > limit : bad < limit, higher ? good < limit : good > limit));
    }

    private static Outcome outcome(boolean inside, boolean beyond) {
        if (inside) {
            return Outcome.NOT_INFERIOR;
        }
        return beyond ? Outcome.INFERIOR : Outcome.UNDECIDED;
    }
}
