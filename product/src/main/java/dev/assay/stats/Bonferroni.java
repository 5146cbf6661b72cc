package dev.assay.stats;

/**
 * Bonferroni's level for intervals that hold together. Holm's procedure has no simple two-sided intervals that agree
 * with it, so simultaneous intervals beside Holm-adjusted p values are Bonferroni's: they are a little wider, and an
 * interval that contains no effect may stand beside an adjusted p value below alpha.
 */
public final class Bonferroni {
    private Bonferroni() {}

    /** The level of each of {@code count} intervals so that all hold together at {@code level}. */
    public static double level(double level, int count) {
        Levels.requireShare("level", level);
        Levels.requireAtLeast("count", count, 1);
        return 1 - (1 - level) / count;
    }
}
