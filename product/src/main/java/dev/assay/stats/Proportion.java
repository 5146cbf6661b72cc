package dev.assay.stats;

import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** Intervals and exact tests of a share from {@code hits} of {@code trials} independent trials. */
public final class Proportion {
    private static final double TIE = 1 + 1e-7;

    private Proportion() {}

    /** Wilson's score interval (1927), without continuity correction. */
    public static Interval wilson(int hits, int trials, double level) {
        check(hits, trials);
        return wilson((double) hits, trials, level);
    }

    /** The same for a number of trials that is no integer because dependent trials count for less than one. */
    static Interval wilson(double hits, double trials, double level) {
        Levels.requireShare("level", level);
        double z = NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - level) / 2);
        double n = trials;
        double p = Math.min(1, hits / n);
        double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
        double half = z / (1 + z * z / n) * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n));
        return new Interval(hits == 0 ? 0 : Math.max(0, middle - half),
                hits >= trials ? 1 : Math.min(1, middle + half));
    }

    /** Clopper and Pearson's exact interval (1934): never below its nominal coverage. */
    public static Interval clopperPearson(int hits, int trials, double level) {
        check(hits, trials);
        Levels.requireShare("level", level);
        double tail = (1 - level) / 2;
        double low = hits == 0
                ? 0
                : BetaDistribution.of(hits, trials - hits + 1.0).inverseCumulativeProbability(tail);
        double high = hits == trials
                ? 1
                : BetaDistribution.of(hits + 1.0, trials - hits).inverseSurvivalProbability(tail);
        return new Interval(low, high);
    }

    /** Exact two-sided p value: all outcomes that are at most as likely as the observed one (as R's binom.test). */
    public static double test(int hits, int trials, double share) {
        check(hits, trials);
        Levels.requireShare("share", share);
        BinomialDistribution binomial = BinomialDistribution.of(trials, share);
        double observed = binomial.probability(hits) * TIE;
        double sum = 0;
        for (int x = 0; x <= trials; x++) {
            double probability = binomial.probability(x);
            sum += probability <= observed ? probability : 0;
        }
        return Math.min(1, sum);
    }

    /** Exact one-sided p value of too few hits: {@code P(X <= hits)}. */
    public static double testLess(int hits, int trials, double share) {
        check(hits, trials);
        Levels.requireShare("share", share);
        return BinomialDistribution.of(trials, share).cumulativeProbability(hits);
    }

    /** Exact one-sided p value of too many hits: {@code P(X >= hits)}. */
    public static double testGreater(int hits, int trials, double share) {
        check(hits, trials);
        Levels.requireShare("share", share);
        return BinomialDistribution.of(trials, share).survivalProbability(hits - 1);
    }

    private static void check(int hits, int trials) {
        Levels.requireAtLeast("trials", trials, 1);
        if (hits < 0 || hits > trials) {
            throw new IllegalArgumentException("hits " + hits + ": expected 0 to " + trials);
        }
    }
}
