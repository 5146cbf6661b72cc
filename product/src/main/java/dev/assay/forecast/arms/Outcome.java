package dev.assay.forecast.arms;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;

/** What is compared between arms. */
public enum Outcome {
    /** Time from token to token. */
    TPOT,
    /** Time to the first token. */
    TTFT,
    /** Tokens generated in a second. */
    THROUGHPUT;

    /** Name in reports and options. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its value at a point, in milliseconds or tokens per second. */
    public OptionalDouble of(ArmPoint p) {
        return switch (this) {
            case TPOT -> OptionalDouble.of(p.tpotNanos() / 1e6);
            case TTFT -> p.ttftNanos().isPresent()
                    ? OptionalDouble.of(p.ttftNanos().getAsDouble() / 1e6)
                    : OptionalDouble.empty();
            case THROUGHPUT -> OptionalDouble.of(p.outputRate());
        };
    }

    /** How much better a candidate is: a ratio above 1 helps. */
    public OptionalDouble gain(ArmPoint baseline, ArmPoint candidate) {
        OptionalDouble b = of(baseline);
        OptionalDouble c = of(candidate);
        if (b.isEmpty() || c.isEmpty()) {
            // A queue that grows without end is worse than any that does not.
            return b.isEmpty() == c.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(b.isEmpty() ? Double.POSITIVE_INFINITY : 0);
        }
        return OptionalDouble.of(this == THROUGHPUT
                ? c.getAsDouble() / b.getAsDouble()
                : b.getAsDouble() / c.getAsDouble());
    }

    /** A middle value with a 90 % interval. */
    public record Spread(double value, double low, double high) {
        /** From a middle and draws. */
        static Spread of(double value, double[] draws) {
            double[] sorted = draws.clone();
            Arrays.sort(sorted);
            return new Spread(value, quantile(sorted, 0.05), quantile(sorted, 0.95));
        }

        private static double quantile(double[] sorted, double q) {
            double at = q * (sorted.length - 1);
            int below = (int) at;
            double above = sorted[Math.min(sorted.length - 1, below + 1)];
            return above == sorted[below] ? above : sorted[below] + (at - below) * (above - sorted[below]);
        }
    }
}
