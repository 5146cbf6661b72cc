package dev.assay.workload;

import java.util.OptionalDouble;

/**
 * A latency objective: each bound in milliseconds, empty where that metric is not bounded. A bound on a metric that is
 * undefined for a request (TPOT of a one-token reply) counts as met.
 */
public record Slo(OptionalDouble ttftMs, OptionalDouble tpotMs, OptionalDouble e2eMs) {
    public Slo {
        check("ttft_ms", ttftMs);
        check("tpot_ms", tpotMs);
        check("e2e_ms", e2eMs);
    }

    /** No bound at all: every completed request is good. */
    public static Slo none() {
        return new Slo(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
    }

    private static void check(String name, OptionalDouble bound) {
        if (bound.isPresent() && !(bound.getAsDouble() > 0)) {
            throw new IllegalArgumentException(name + " is " + bound.getAsDouble() + "; expected more than 0");
        }
    }
}
