package dev.assay.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The mean of one value per block with its Student interval, t test against zero and exact sign-flip test.
 *
 * @param blocks number of values, the unit of replication
 * @param mean arithmetic mean
 * @param sd sample standard deviation (divisor {@code blocks - 1}); absent for one block
 * @param level level of the interval, for example 0.95
 * @param interval two-sided; absent for one block
 * @param t mean over its standard error; absent for one block or without spread
 * @param df degrees of freedom, {@code blocks - 1}
 * @param p two-sided, of the t test; absent where {@code t} is
 * @param signFlipP two-sided and exact; absent above {@link SignFlip#MAX_ENUMERATED} blocks
 * @param signFlipFloor the smallest {@code signFlipP} possible at this number of blocks
 * @param doubts what limits the result
 */
public record MeanEstimate(int blocks, double mean, OptionalDouble sd, double level,
        Optional<Interval> interval,
        OptionalDouble t, int df, OptionalDouble p, OptionalDouble signFlipP, double signFlipFloor,
        List<Doubt> doubts) {
    public MeanEstimate {
        doubts = List.copyOf(doubts);
    }

    /** The estimate from at least one finite value per block. */
    public static MeanEstimate of(double[] values, double level) {
        Levels.requireShare("level", level);
        Levels.requireAtLeast("blocks", values.length, 1);
        for (double v : values) {
            if (!Double.isFinite(v)) {
                throw new IllegalArgumentException("block value " + v + ": expected a finite number");
            }
        }
        int k = values.length;
        double mean = DoubleStream.of(values).sum() / k;
        OptionalDouble signFlip = SignFlip.p(values);
        List<Doubt> doubts = countDoubts(k, 1 - level);
        if (k == 1) {
            return new MeanEstimate(1, mean, OptionalDouble.empty(), level, Optional.empty(),
                    OptionalDouble.empty(), 0,
                    OptionalDouble.empty(), signFlip, SignFlip.floor(1), doubts);
        }
        double sd = Math.sqrt(DoubleStream.of(values).map(v -> (v - mean) * (v - mean)).sum() / (k - 1));
        TDistribution student = TDistribution.of(k - 1);
        double error = sd / Math.sqrt(k);
        double half = student.inverseSurvivalProbability((1 - level) / 2) * error;
        if (sd == 0) {
            doubts.add(new Doubt(Doubt.Code.NO_SPREAD, "all " + k + " blocks gave the same value"));
        }
        OptionalDouble t = sd == 0 ? OptionalDouble.empty() : OptionalDouble.of(mean / error);
        OptionalDouble p = t.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(2 * student.survivalProbability(Math.abs(t.getAsDouble())));
        return new MeanEstimate(k, mean, OptionalDouble.of(sd), level,
                Optional.of(new Interval(mean - half, mean + half)),
                t, k - 1, p, signFlip, SignFlip.floor(k), doubts);
    }

    /** Whether the exact test could reach {@code 1 - level} at this number of blocks. */
    public boolean testable() {
        return blocks > 1 && signFlipFloor <= 1 - level + ROUNDING;
    }

    /** The interval of the same blocks at another level; empty for one block. */
    public Optional<Interval> intervalAt(double otherLevel) {
        Levels.requireShare("level", otherLevel);
        return sd.isEmpty() ? Optional.empty() : Optional.of(around(halfWidth((1 - otherLevel) / 2)));
    }

    /** Half width that leaves {@code tail} on each side; only for two blocks or more. */
    double halfWidth(double tail) {
        return TDistribution.of(df).inverseSurvivalProbability(tail) * sd.orElseThrow() / Math.sqrt(blocks);
    }

    /** One-sided p value of "the true mean is not above {@code limit}"; only for two blocks or more. */
    double pAbove(double limit) {
        double error = sd.orElseThrow() / Math.sqrt(blocks);
        if (error == 0) {
            return mean > limit ? 0 : 1;
        }
        return TDistribution.of(df).survivalProbability((mean - limit) / error);
    }

    /** One-sided p value of "the true mean is not below {@code limit}"; only for two blocks or more. */
    double pBelow(double limit) {
        double error = sd.orElseThrow() / Math.sqrt(blocks);
        if (error == 0) {
            return mean < limit ? 0 : 1;
        }
        return TDistribution.of(df).cumulativeProbability((mean - limit) / error);
    }

    private Interval around(double half) {
        return new Interval(mean - half, mean + half);
    }

    private static final double ROUNDING = 1e-12;

    private static List<Doubt> countDoubts(int k, double alpha) {
        List<Doubt> doubts = new ArrayList<>();
        if (k == 1) {
            doubts.add(new Doubt(Doubt.Code.ONE_BLOCK, "one block gives an estimate without an interval"));
        }
        if (SignFlip.floor(k) > alpha + ROUNDING) {
            doubts.add(new Doubt(Doubt.Code.UNTESTABLE_COUNT,
                    "untestable at " + k + " block" + (k == 1 ? "" : "s")
                            + ": the exact test cannot go below p = " + SignFlip.floor(k) + "; at least "
                            + SignFlip.fewest(alpha + ROUNDING) + " blocks are needed"));
        }
        if (k > SignFlip.MAX_ENUMERATED) {
            doubts.add(new Doubt(Doubt.Code.NOT_ENUMERATED, "the exact test is enumerated up to "
                    + SignFlip.MAX_ENUMERATED + " blocks, found " + k));
        }
        return doubts;
    }
}
