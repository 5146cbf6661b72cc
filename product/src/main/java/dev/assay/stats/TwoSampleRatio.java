package dev.assay.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The ratio of two independent samples of repeats, B over A, by their geometric means: Welch's interval on the log
 * ratio, and an exact permutation test of "the labels do not matter".
 *
 * @param ratio exp(mean log B − mean log A)
 * @param interval Welch's, at {@code level}; empty where a side has one value or there is no spread at all
 * @param df Welch's degrees of freedom; empty where the interval is
 * @param welchP two-sided p value of Welch's test; empty where the interval is
 * @param exactP two-sided share of label permutations with at least this difference of mean logs; empty above
 *     {@link #MOST_PERMUTATIONS} of them
 * @param exactFloor the smallest {@code exactP} that these counts can give
 * @param sd spread of one repeat, in log: pooled over both sides; empty where no side has two values
 */
public record TwoSampleRatio(double ratio, Optional<Interval> interval, OptionalDouble df,
        OptionalDouble welchP,
        OptionalDouble exactP, double exactFloor, OptionalDouble sd) {
    /** The most label permutations that are enumerated: 10 repeats against 10. */
    public static final long MOST_PERMUTATIONS = 184_756;
    private static final double TIE = 1e-12;

    /** The estimate; values must be positive and finite, at least one a side. */
    public static TwoSampleRatio of(double[] a, double[] b, double level) {
        Levels.requireShare("level", level);
        double[] x = logs("A", a);
        double[] y = logs("B", b);
        double difference = mean(y) - mean(x);
        double vx = x.length > 1 ? variance(x) / x.length : 0;
        double vy = y.length > 1 ? variance(y) / y.length : 0;
        boolean spread = x.length > 1 && y.length > 1 && vx + vy > 0;
        OptionalDouble df = OptionalDouble.empty();
        OptionalDouble p = OptionalDouble.empty();
        Optional<Interval> interval = Optional.empty();
        if (spread) {
            double degrees = (vx + vy) * (vx + vy)
                    / (vx * vx / (x.length - 1) + vy * vy / (y.length - 1));
            TDistribution student = TDistribution.of(degrees);
            double error = Math.sqrt(vx + vy);
            double half = student.inverseSurvivalProbability((1 - level) / 2) * error;
            df = OptionalDouble.of(degrees);
            p = OptionalDouble.of(2 * student.survivalProbability(Math.abs(difference) / error));
            interval = finite(Math.exp(difference - half), Math.exp(difference + half));
        }
        long permutations = choose(x.length + y.length, x.length);
        return new TwoSampleRatio(Math.exp(difference), interval, df, p,
                permutations > MOST_PERMUTATIONS ? OptionalDouble.empty() : OptionalDouble.of(exact(x, y)),
                floor(x.length, y.length), pooledSd(x, y));
    }

    /** The smallest p value of the exact test: one or, at equal counts, two of all label permutations. */
    public static double floor(int a, int b) {
        return Math.min(1, (a == b ? 2.0 : 1.0) / choose(a + b, a));
    }

    /** The fewest repeats a side, equal on both, at which the exact test can reach {@code alpha}. */
    public static int fewest(double alpha) {
        Levels.requireShare("alpha", alpha);
        int n = 1;
        while (floor(n, n) > alpha) {
            n++;
        }
        return n;
    }

    /** The p value that a verdict uses: exact where it was enumerated, else Welch's. */
    public OptionalDouble p() {
        return exactP.isPresent() ? exactP : welchP;
    }

    private static Optional<Interval> finite(double low, double high) {
        return Double.isFinite(low) && Double.isFinite(high)
                ? Optional.of(new Interval(low, high))
                : Optional.empty();
    }

    private static double[] logs(String name, double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException(name + " has 0 values; expected at least 1");
        }
        for (double v : values) {
            if (!(v > 0) || Double.isInfinite(v)) {
                throw new IllegalArgumentException(
                        name + " holds " + v + "; expected positive finite numbers");
            }
        }
        return Arrays.stream(values).map(Math::log).toArray();
    }

    private static double exact(double[] x, double[] y) {
        double[] all = new double[x.length + y.length];
        System.arraycopy(x, 0, all, 0, x.length);
        System.arraycopy(y, 0, all, x.length, y.length);
        double total = Arrays.stream(all).sum();
        double scale = Arrays.stream(all).map(Math::abs).sum();
        double observed = Math.abs(difference(Arrays.stream(x).sum(), total, x.length, y.length));
        long extreme = count(all, 0, x.length, 0, total, x.length, y.length, observed - TIE * (1 + scale));
        return (double) extreme / choose(all.length, x.length);
    }

    private static long count(double[] all, int from, int left, double sum, double total, int n, int m,
            double reach) {
        if (left == 0) {
            return Math.abs(difference(sum, total, n, m)) >= reach ? 1 : 0;
        }
        long found = 0;
        for (int i = from; i <= all.length - left; i++) {
            found += count(all, i + 1, left - 1, sum + all[i], total, n, m, reach);
        }
        return found;
    }

    private static double difference(double sumOfX, double total, int n, int m) {
        return (total - sumOfX) / m - sumOfX / n;
    }

    private static long choose(int n, int k) {
        double result = 1;
        for (int i = 1; i <= Math.min(k, n - k); i++) {
            result = result * (n - i + 1) / i;
        }
        return result > Long.MAX_VALUE ? Long.MAX_VALUE : Math.round(result);
    }

    private static OptionalDouble pooledSd(double[] x, double[] y) {
        int degrees = x.length + y.length - 2;
        if (degrees < 1) {
            return OptionalDouble.empty();
        }
        double squares = (x.length > 1 ? variance(x) * (x.length - 1) : 0)
                + (y.length > 1 ? variance(y) * (y.length - 1) : 0);
        return OptionalDouble.of(Math.sqrt(squares / degrees));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
    }
}
