package dev.assay.stats;

import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/** The smallest effect that a planned number of blocks can be expected to show. */
public final class DetectionLimit {
    private static final int STEPS = 2000;
    private static final double TAIL = 1e-13;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private DetectionLimit() {}

    /**
     * The smallest true mean (log ratio, or in the metric's unit) whose Student interval at {@code level} excludes zero
     * with probability {@code power}, for normal block values of standard deviation {@code sd}. Empty for fewer than
     * two blocks, and where the exact sign-flip test can never reach {@code 1 - level}: untestable.
     */
    public static OptionalDouble of(int blocks, double sd, double level, double power) {
        Levels.requirePositive("sd", sd);
        Levels.requireShare("level", level);
        if (!(power > 1 - level && power < 1)) {
            throw new IllegalArgumentException(
                    "power " + power + ": expected a number in (" + (1 - level) + ", 1)");
        }
        Levels.requireAtLeast("blocks", blocks, 1);
        if (blocks < 2 || SignFlip.floor(blocks) > 1 - level + 1e-12) {
            return OptionalDouble.empty();
        }
        double low = 0;
        double high = 1;
        while (power(blocks, high, level) < power) {
            low = high;
            high *= 2;
        }
        for (int i = 0; i < 60 && high - low > 1e-12 * high; i++) {
            double middle = (low + high) / 2;
            if (power(blocks, middle, level) < power) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return OptionalDouble.of(high * sd);
    }

    /**
     * The probability that the interval excludes zero where the true mean is {@code effect} standard deviations: a
     * noncentral t probability, integrated by Simpson's rule over the sample standard deviation's distribution.
     */
    public static double power(int blocks, double effect, double level) {
        Levels.requireAtLeast("blocks", blocks, 2);
        Levels.requireShare("level", level);
        int df = blocks - 1;
        double critical = TDistribution.of(df).inverseSurvivalProbability((1 - level) / 2);
        double centre = effect * Math.sqrt(blocks);
        ChiSquaredDistribution chiSquared = ChiSquaredDistribution.of(df);
        double from = Math.sqrt(chiSquared.inverseCumulativeProbability(TAIL) / df);
        double to = Math.sqrt(chiSquared.inverseSurvivalProbability(TAIL) / df);
        double step = (to - from) / STEPS;
        double sum = 0;
        for (int i = 0; i <= STEPS; i++) {
            double s = from + i * step;
            // At s = 0 the density of one degree of freedom is infinite in its square but finite in s.
            double density = s == 0 ? 0 : 2 * df * s * chiSquared.density(df * s * s);
            double rejects = NORMAL.survivalProbability(critical * s - centre)
                    + NORMAL.cumulativeProbability(-critical * s - centre);
            sum += (i == 0 || i == STEPS ? 1 : 2 + 2 * (i % 2)) * density * rejects;
        }
        return sum * step / 3;
    }
}
