package dev.assay.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The ratio B/A (candidate over baseline) of a positive metric from its blocks: {@code exp} of the mean of the blocks'
 * log ratios and of its Student interval.
 *
 * <p>What happens to values that have no logarithm, in any one slot of any block: zero, negative or missing makes the
 * whole ratio absent with that reason. No block is dropped (dropping the bad slots of one arm would favour it) and no
 * constant is added; {@link BlockDifference} is defined for zeros and is what to use, for example, for goodput that
 * fell to 0 in one arm.
 *
 * @param blocks number of blocks given
 * @param log estimate of the mean log ratio; absent where the ratio is
 * @param ratio B/A; absent without blocks or where a value has no logarithm
 * @param interval of the ratio at the level of {@code log}; absent for one block
 * @param doubts what limits the result, or why it is absent
 */
public record BlockRatio(int blocks, Optional<MeanEstimate> log, OptionalDouble ratio,
        Optional<Interval> interval,
        List<Doubt> doubts) {
    public BlockRatio {
        doubts = List.copyOf(doubts);
    }

    /** The ratio at {@code level}, for example 0.95. */
    public static BlockRatio of(List<Block> blocks, double level) {
        Levels.requireShare("level", level);
        List<Doubt> undefined = BlockDifference.missing(blocks);
        undefined.addAll(unusable(blocks));
        if (!undefined.isEmpty()) {
            return new BlockRatio(blocks.size(), Optional.empty(), OptionalDouble.empty(), Optional.empty(),
                    undefined);
        }
        MeanEstimate log = MeanEstimate.of(blocks.stream().mapToDouble(Block::logRatio).toArray(), level);
        List<Doubt> doubts = new ArrayList<>(log.doubts());
        Optional<Interval> interval = log.interval().flatMap(BlockRatio::exp);
        if (log.interval().isPresent() && interval.isEmpty()) {
            doubts.add(
                    new Doubt(Doubt.Code.OVERFLOW, "the interval of the log ratio is too wide for a ratio"));
        }
        return new BlockRatio(blocks.size(), Optional.of(log), OptionalDouble.of(Math.exp(log.mean())),
                interval, doubts);
    }

    /** The interval at another level; empty where this one is. */
    public Optional<Interval> intervalAt(double level) {
        return log.flatMap(l -> l.intervalAt(level)).flatMap(BlockRatio::exp);
    }

    private static Optional<Interval> exp(Interval logs) {
        double high = Math.exp(logs.high());
        return Double.isFinite(high)
                ? Optional.of(new Interval(Math.exp(logs.low()), high))
                : Optional.empty();
    }

    private static List<Doubt> unusable(List<Block> blocks) {
        List<Doubt> doubts = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            Block b = blocks.get(i);
            String zeros = (b.a1() == 0 || b.a2() == 0 ? "A" : "") + (b.b1() == 0 || b.b2() == 0 ? "B" : "");
            if (!zeros.isEmpty()) {
                doubts.add(new Doubt(Doubt.Code.ZERO_VALUE, "block " + (i + 1) + ": " + String.join(" and ",
                        zeros.split("")) + " has a zero, so the ratio is undefined; the difference is not"));
            }
            if (b.values().anyMatch(v -> v < 0)) {
                doubts.add(
                        new Doubt(Doubt.Code.NEGATIVE_VALUE, "block " + (i + 1) + " has a negative value"));
            }
        }
        return doubts;
    }
}
