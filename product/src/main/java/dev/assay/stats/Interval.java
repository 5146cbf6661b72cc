package dev.assay.stats;

/** A closed interval of finite numbers with {@code low <= high}, in the unit of whatever it bounds. */
public record Interval(double low, double high) {
    public Interval {
        if (!Double.isFinite(low) || !Double.isFinite(high) || low > high) {
            throw new IllegalArgumentException(
                    "interval [" + low + ", " + high + "]: expected finite low <= high");
        }
    }

    /** Whether {@code x} lies inside, ends included. */
    public boolean contains(double x) {
        return low <= x && x <= high;
    }

    /** Whether {@code other} lies wholly inside, ends included. */
    public boolean contains(Interval other) {
        return low <= other.low && other.high <= high;
    }

    /** Whether the two share a point. */
    public boolean overlaps(Interval other) {
        return low <= other.high && other.low <= high;
    }

    /** Half of the width. */
    public double halfWidth() {
        return (high - low) / 2;
    }

    /**
     * Interval score of this interval, stated at level {@code 1 - alpha}, for the observed {@code x}: its width plus
     * {@code 2/alpha} times the distance by which it missed (Gneiting and Raftery 2007, formula 43). Lower is better.
     */
    public double score(double x, double alpha) {
        Levels.requireShare("alpha", alpha);
        return high - low + 2 / alpha * (Math.max(0, low - x) + Math.max(0, x - high));
    }
}
