package dev.assay.load;

import java.util.Map;
import java.util.Optional;

/**
 * Energy of one slot from one source.
 *
 * @param source where it is from, for people
 * @param joules absent where it could not be told; then {@code absent} says why
 * @param updates how many times the source's values changed; the energy is known to about one part in so many
 * @param parts joules by GPU or package
 */
public record EnergyRecord(Kind kind, String source, Optional<Double> joules, Optional<String> absent,
        long updates, Map<String, Double> parts) {
    public EnergyRecord {
        parts = Map.copyOf(parts);
        if (joules.isPresent() == absent.isPresent()) {
            throw new IllegalArgumentException("energy of " + source
                    + ": expected either joules or the reason why there are none");
        }
    }

    /** What the energy is that of. */
    public enum Kind {
        /** GPUs, their memory included. */
        GPU,
        /** Processor packages, without the memory beside them. */
        CPU
    }

    static EnergyRecord of(Kind kind, String source, Map<String, Double> parts, long updates) {
        double joules = parts.values().stream().mapToDouble(Double::doubleValue).sorted().sum();
        return new EnergyRecord(kind, source, Optional.of(joules), Optional.empty(), updates, parts);
    }

    static EnergyRecord absent(Kind kind, String source, String reason) {
        return new EnergyRecord(kind, source, Optional.empty(), Optional.of(reason), 0, Map.of());
    }
}
