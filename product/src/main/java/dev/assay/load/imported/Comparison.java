package dev.assay.load.imported;

import dev.assay.stats.Interval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Two results or two sets of them, held against each other.
 *
 * @param points one for each load point that both sides hold
 * @param unmatched load points that one side alone holds, in words
 * @param verdicts rows on which there is a verdict
 */
public record Comparison(List<Point> points, List<String> unmatched, int verdicts) {

    /** Both sides at one load point. */
    public record Point(String load, List<String> a, List<String> b, String toolA, String toolB,
            List<Row> rows,
            List<Refused> refused, List<String> onlyA, List<String> onlyB, List<Caveat> caveats,
            List<String> notes) {

        /** Whether nothing stands against verdicts at this point as a whole. */
        public boolean judged() {
            return caveats.stream().noneMatch(Caveat::blocks);
        }
    }

    /**
     * One statistic of one metric under one formula.
     *
     * @param metric the family's name
     * @param a the geometric mean of {@code aValues}, one value a run
     * @param ratio B over A; absent where a value is zero
     * @param interval of the ratio, at 95 %; absent without repeats on both sides
     * @param p two-sided, of the exact permutation test (Welch's where that has too many permutations)
     * @param pHolm {@code p} adjusted over all rows of the point that are tested
     * @param better whether B is the better one; absent without a verdict of a difference
     * @param reason why there is no verdict, empty where there is one
     * @param repeatsNeeded repeats a side for an interval of the wanted width, from the spread seen; absent without it
     */
    public record Row(Family metric, Statistic statistic, Formula formula, QuantileRule rule,
            boolean recomputed,
            double[] aValues, double[] bValues, double a, double b, OptionalDouble ratio,
            Optional<Interval> interval, OptionalDouble p, OptionalDouble pHolm, Finding finding,
            Optional<Boolean> better, String reason, Optional<Integer> repeatsNeeded) {

        /** Metric and statistic, for people. */
        public String label() {
            return statistic.equals(Statistic.WHOLE)
                    ? metric.label()
                    : metric.label() + " " + statistic.label();
        }
    }

    /** What the repeats say about a row. */
    public enum Finding {
        /** B is lower. */
        LOWER,
        /** B is higher. */
        HIGHER,
        /** Neither could be shown; this is no proof of equality. */
        NOT_SHOWN,
        /** Not tested. */
        NONE
    }

    /** A metric that both sides have, under formulas that do not compare. */
    public record Refused(Family metric, String a, String b, String reason) {}

    /**
     * Something that cannot be known from these files.
     *
     * @param code a stable name
     * @param blocks whether it stands against every verdict
     * @param text for people
     */
    public record Caveat(String code, boolean blocks, String text) {}
}
