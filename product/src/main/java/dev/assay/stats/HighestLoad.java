package dev.assay.stats;

import java.util.random.RandomGenerator;

/**
 * The highest load at which a share (SLO attainment) still meets a target, on a curve over load points: the first
 * downward crossing, interpolated linearly between the last load that meets the target and the next.
 */
public final class HighestLoad {
    private HighestLoad() {}

    /**
     * The crossing of one curve: {@code -inf} where even the lowest load misses the target, {@code inf} where every
     * load meets it (the curve does not bracket the target), {@code NaN} where a share up to the crossing is missing.
     *
     * @param loads ascending
     * @param shares one per load
     */
    public static double of(double[] loads, double[] shares, double target) {
        check(loads, shares);
        for (int i = 0; i < loads.length; i++) {
            if (Double.isNaN(shares[i])) {
                return Double.NaN;
            }
            if (shares[i] < target) {
                return i == 0
                        ? Double.NEGATIVE_INFINITY
                        : loads[i - 1] + (loads[i] - loads[i - 1]) * (shares[i - 1] - target)
                                / (shares[i - 1] - shares[i]);
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** The crossing of the mean curve of blocks, with a bootstrap interval. {@code shares[block][load]}. */
    public static BlockBootstrap ofBlocks(double[] loads, double[][] shares, double target, double level,
            int resamples, RandomGenerator random) {
        return BlockBootstrap.of(shares.length, drawn -> of(loads, mean(shares, drawn), target), level,
                resamples,
                random);
    }

    /**
     * The ratio B/A of the two arms' crossings, with a bootstrap interval over blocks drawn for both arms together. A
     * resample in which either arm does not bracket the target counts as undefined.
     */
    public static BlockBootstrap ratio(double[] loads, double[][] sharesA, double[][] sharesB, double target,
            double level, int resamples, RandomGenerator random) {
        if (sharesA.length != sharesB.length) {
            throw new IllegalArgumentException(
                    sharesB.length + " blocks of B: expected " + sharesA.length + " as of A");
        }
        return BlockBootstrap.of(sharesA.length, drawn -> {
            double a = of(loads, mean(sharesA, drawn), target);
            double b = of(loads, mean(sharesB, drawn), target);
            return Double.isFinite(a) && Double.isFinite(b) ? b / a : Double.NaN;
        }, level, resamples, random);
    }

    private static double[] mean(double[][] shares, int[] drawn) {
        double[] mean = new double[shares[0].length];
        for (int block : drawn) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] += shares[block][i] / drawn.length;
            }
        }
        return mean;
    }

    private static void check(double[] loads, double[] shares) {
        if (loads.length == 0 || loads.length != shares.length) {
            throw new IllegalArgumentException(
                    shares.length + " shares: expected one per load, " + loads.length);
        }
        for (int i = 1; i < loads.length; i++) {
            if (!(loads[i] > loads[i - 1])) {
                throw new IllegalArgumentException(
                        "load " + loads[i] + " after " + loads[i - 1] + ": expected ascending");
            }
        }
    }
}
