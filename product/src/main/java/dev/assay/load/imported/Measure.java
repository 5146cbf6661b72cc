package dev.assay.load.imported;

/**
 * One number of a run with its identity.
 *
 * @param value milliseconds for times, per second for rates, 0 to 1 for shares; finite and at least 0
 * @param source who computed it
 */
public record Measure(Key key, double value, Source source) {
    /** What two numbers must share to be compared. */
    public record Key(Formula formula, Statistic statistic, QuantileRule rule) {
        public Key {
            if (statistic.isPercentile() == (rule == QuantileRule.NONE)) {
                throw new IllegalArgumentException("rule is " + rule + " for " + statistic.label()
                        + "; expected one for percentiles only");
            }
        }
    }

    /** Who computed the number. */
    public enum Source {
        /** The tool, as its file says. */
        REPORTED,
        /** Assay, from the requests in the file. */
        RECOMPUTED
    }

    public Measure {
        if (!Double.isFinite(value) || value < 0) {
            throw new IllegalArgumentException(
                    "value is " + value + "; expected a finite number of at least 0");
        }
    }
}
