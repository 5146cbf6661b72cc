package dev.assay.workload;

import dev.assay.AssayException;
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

    /** The objective of a text such as {@code ttft:250,tpot:12,e2e:4000}, in milliseconds. */
    public static Slo parse(String text) {
        OptionalDouble ttft = OptionalDouble.empty();
        OptionalDouble tpot = OptionalDouble.empty();
        OptionalDouble e2e = OptionalDouble.empty();
        for (String part : text.split(",")) {
            String[] pair = part.strip().split(":", 2);
            try {
                OptionalDouble bound = OptionalDouble.of(Double.parseDouble(pair[pair.length - 1]));
                switch (pair[0]) {
                    case "ttft" -> ttft = bound;
                    case "tpot" -> tpot = bound;
                    case "e2e" -> e2e = bound;
                    default -> throw new NumberFormatException();
                }
            } catch (NumberFormatException e) {
                throw AssayException
                        .misuse("SLO '" + text
                                + "'; expected milliseconds such as ttft:250,tpot:12,e2e:4000");
            }
        }
        try {
            return new Slo(ttft, tpot, e2e);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("SLO '" + text + "': " + e.getMessage());
        }
    }

    private static void check(String name, OptionalDouble bound) {
        if (bound.isPresent() && !(bound.getAsDouble() > 0)) {
            throw new IllegalArgumentException(
                    name + " is " + bound.getAsDouble() + "; expected more than 0");
        }
    }
}
