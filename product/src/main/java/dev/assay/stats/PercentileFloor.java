package dev.assay.stats;

/** The fewest independent values with which a percentile has a two-sided upper confidence bound at all. */
public final class PercentileFloor {
    private PercentileFloor() {}

    /**
     * The smallest n whose largest value exceeds the {@code p}-quantile with probability {@code (1 + level) / 2}:
     * {@code p^n <= (1 - level) / 2}. Below it even the sample's maximum is no bound.
     */
    public static int values(double p, double level) {
        Levels.requireShare("p", p);
        Levels.requireShare("level", level);
        double tail = (1 - level) / 2;
        int n = (int) Math.max(1, Math.floor(Math.log(tail) / Math.log(p)) - 1);
        while (Math.pow(p, n) > tail) {
            n++;
        }
        return n;
    }
}
