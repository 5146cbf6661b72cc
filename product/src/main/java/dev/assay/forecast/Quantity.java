package dev.assay.forecast;

/** A forecast figure with its interval at the forecast's level. */
public record Quantity(double estimate, double low, double high) {
    public Quantity {
        if (!Double.isFinite(estimate) || !(low <= estimate && estimate <= high)) {
            throw new IllegalArgumentException(
                    "estimate " + estimate + " must lie in [" + low + ", " + high + "]");
        }
    }

    /** A figure that follows from arithmetic and has no uncertainty. */
    static Quantity exact(double value) {
        return new Quantity(value, value, value);
    }

    /** Whether a value lies in the interval. */
    public boolean covers(double value) {
        return low <= value && value <= high;
    }
}
