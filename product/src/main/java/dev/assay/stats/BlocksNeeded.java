package dev.assay.stats;

import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/** How many blocks an interval of a wanted width takes, given the spread between blocks. */
public final class BlocksNeeded {
    /** Beyond this many blocks the answer is "not feasible". */
    public static final int MOST_BLOCKS = 100_000;

    private BlocksNeeded() {}

    /**
     * The fewest blocks whose Student interval at {@code level} has at most this half width (both in log ratio, or both
     * in the metric's unit) and at which the exact sign-flip test can reach {@code 1 - level}; empty where that takes
     * more than {@link #MOST_BLOCKS}. The answer takes {@code sd} as known, so with few blocks it is rough.
     */
    public static Optional<Integer> forHalfWidth(double halfWidth, double sd, double level) {
        Levels.requirePositive("half width", halfWidth);
        Levels.requireShare("level", level);
        if (!(sd >= 0) || Double.isInfinite(sd)) {
            throw new IllegalArgumentException("sd " + sd + ": expected a finite number of at least 0");
        }
        // The width falls with every block, so bisection finds the first that is narrow enough.
        int low = Math.max(1, SignFlip.fewest(1 - level + 1e-12) - 1);
        if (halfWidth(MOST_BLOCKS, sd, level) > halfWidth) {
            return Optional.empty();
        }
        int high = MOST_BLOCKS;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (halfWidth(middle, sd, level) <= halfWidth) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Optional.of(high);
    }

    private static double halfWidth(int blocks, double sd, double level) {
        return TDistribution.of(blocks - 1).inverseSurvivalProbability((1 - level) / 2) * sd
                / Math.sqrt(blocks);
    }
}
