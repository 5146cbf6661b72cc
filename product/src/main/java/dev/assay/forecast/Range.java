package dev.assay.forecast;

/**
 * What a local measurement or a prior says of a number: its 90 % interval. Draws are log-normal between the bounds, or
 * normal cut at 0 where the lower bound is 0; equal bounds are exact.
 */
public record Range(double low, double high) {
    private static final double Z90 = 1.6448536269514722;

    public Range {
        if (!(low >= 0 && low <= high) || Double.isInfinite(high)) {
            throw new IllegalArgumentException("interval from " + low + " to " + high
                    + "; expected finite bounds of at least 0, the lower one first");
        }
    }

    /** The value at a standard normal deviate; 0 gives the median. */
    public double at(double z) {
        if (low == high) {
            return low;
        }
        if (low == 0) {
            return Math.max(0, high / 2 * (1 + z / Z90));
        }
        double middle = (Math.log(low) + Math.log(high)) / 2;
        return Math.exp(middle + z * (Math.log(high) - Math.log(low)) / (2 * Z90));
    }

    /** The value at a deviate, at most {@code bound}: for shares and probabilities, whose tail has an end. */
    public double at(double z, double bound) {
        return Math.min(bound, at(z));
    }

    /** The interval of the inverse. */
    Range inverse() {
        return new Range(1 / high, 1 / low);
    }

    /** The bounds with a unit, for warnings. */
    String words(String unit) {
        return low + " to " + high + (unit.isEmpty() ? "" : " " + unit);
    }
}
