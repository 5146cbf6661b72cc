package dev.assay.load.imported;

import java.util.Locale;

/**
 * What was made of a sample: its mean, a percentile, or nothing since the number is of the run as a whole.
 *
 * @param percent 0 to 100 for a percentile, {@link #MEAN} or {@link #WHOLE} in codes outside that range
 */
public record Statistic(double percent) implements Comparable<Statistic> {
    private static final double CODE_WHOLE = -2;
    private static final double CODE_MEAN = -1;

    /** The arithmetic mean. */
    public static final Statistic MEAN = new Statistic(CODE_MEAN);
    /** A number of the run as a whole, such as a throughput. */
    public static final Statistic WHOLE = new Statistic(CODE_WHOLE);

    public Statistic {
        if (percent != CODE_WHOLE && percent != CODE_MEAN && !(percent > 0 && percent < 100)) {
            throw new IllegalArgumentException("percent is " + percent + "; expected between 0 and 100");
        }
    }

    /** The percentile, between 0 and 100. */
    public static Statistic p(double percent) {
        return new Statistic(percent);
    }

    /** Whether it is a percentile. */
    public boolean isPercentile() {
        return percent > 0;
    }

    /** {@code mean}, {@code p99}, {@code p99.9}, or {@code whole}. */
    public String label() {
        if (!isPercentile()) {
            return percent == CODE_MEAN ? "mean" : "whole";
        }
        return percent == Math.rint(percent)
                ? "p" + (int) percent
                : "p" + String.format(Locale.ROOT, "%s", percent);
    }

    @Override
    public int compareTo(Statistic other) {
        return Double.compare(percent, other.percent);
    }
}
