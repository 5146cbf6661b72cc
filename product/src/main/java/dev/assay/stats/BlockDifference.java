package dev.assay.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The difference B - A (candidate less baseline) of a metric from its blocks, in the metric's unit: for fractions such
 * as attainment and for metrics that can be zero. A missing value in any slot makes it absent, as no block is dropped.
 *
 * @param blocks number of blocks given
 * @param estimate mean difference, interval and tests; absent without blocks or with a missing value
 * @param doubts what limits the result, or why it is absent
 */
public record BlockDifference(int blocks, Optional<MeanEstimate> estimate, List<Doubt> doubts) {
    public BlockDifference {
        doubts = List.copyOf(doubts);
    }

    /** The difference at {@code level}, for example 0.95. */
    public static BlockDifference of(List<Block> blocks, double level) {
        Levels.requireShare("level", level);
        List<Doubt> missing = missing(blocks);
        if (!missing.isEmpty()) {
            return new BlockDifference(blocks.size(), Optional.empty(), missing);
        }
        MeanEstimate estimate = MeanEstimate.of(blocks.stream().mapToDouble(Block::difference).toArray(),
                level);
        return new BlockDifference(blocks.size(), Optional.of(estimate), estimate.doubts());
    }

    static List<Doubt> missing(List<Block> blocks) {
        List<Doubt> doubts = new ArrayList<>();
        if (blocks.isEmpty()) {
            doubts.add(new Doubt(Doubt.Code.NO_BLOCKS, "no block was measured"));
        }
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).values().anyMatch(v -> !Double.isFinite(v))) {
                doubts.add(new Doubt(Doubt.Code.MISSING_VALUE, "block " + (i + 1) + " lacks a value"));
            }
        }
        return doubts;
    }
}
