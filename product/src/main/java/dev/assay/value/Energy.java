package dev.assay.value;

import java.util.OptionalDouble;

/** Energy from counters that only rise. A counter that fell (reset or wrapped) leaves the energy unknown. */
public final class Energy {
    private Energy() {}

    /** The unit of a counter. */
    public enum Unit {
        /** As NVML's total energy consumption and DCGM's field 156. */
        MILLIJOULE(1e-3),
        /** As Linux powercap ({@code energy_uj}). */
        MICROJOULE(1e-6),
        /** As most metric exporters. */
        JOULE(1);

        private final double joules;

        Unit(double joules) {
            this.joules = joules;
        }
    }

    /** Joules between two readings of a counter; empty where the counter fell. */
    public static OptionalDouble joules(double before, double after, Unit unit) {
        Cost.require("counter before", before);
        Cost.require("counter after", after);
        return after < before ? OptionalDouble.empty() : OptionalDouble.of((after - before) * unit.joules);
    }

    /** Joules per output token; empty where nothing was produced or the energy is unknown. */
    public static OptionalDouble perToken(OptionalDouble joules, long outputTokens) {
        if (outputTokens < 0) {
            throw new IllegalArgumentException("output tokens " + outputTokens + ": expected at least 0");
        }
        return joules.isEmpty() || outputTokens == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(joules.getAsDouble() / outputTokens);
    }
}
