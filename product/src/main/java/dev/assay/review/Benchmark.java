package dev.assay.review;

import dev.assay.value.ValueRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The benchmark matrix: what each arm gave at each load point, and what that costs. */
final class Benchmark {
    private Benchmark() {}

    /** One row for each load point and arm that has an admissible slot; means over its slots. */
    static List<ValueRow> rows(Proposal proposal, List<SlotResult> all) {
        List<ValueRow> rows = new ArrayList<>();
        for (int point = 0; point < proposal.loadPoints().size(); point++) {
            for (Arm arm : Arm.values()) {
                int at = point;
                List<SlotResult> slots = all.stream().filter(SlotResult::admissible)
                        .filter(s -> s.key().arm() == arm && s.key().point() == at).toList();
                if (!slots.isEmpty()) {
                    rows.add(row(proposal, arm, proposal.loadPoints().get(point), slots));
                }
            }
        }
        return rows;
    }

    private static ValueRow row(Proposal proposal, Arm arm, double rate, List<SlotResult> slots) {
        double tokens = slots.stream().mapToDouble(s -> s.summary().throughput().outputTokensPerS()).average()
                .orElseThrow();
        double good = slots.stream().mapToDouble(s -> s.summary().goodputRps().orElse(0)).average()
                .orElseThrow();
        double goodTokens = slots.stream()
                .mapToDouble(s -> s.telemetry().getOrDefault(SlotReading.GOOD_TOKENS, 0.0))
                .average().orElseThrow();
        // Where every request was good the two means are one number, up to the order in which it was added.
        return ValueRow.of(arm.name().toLowerCase(Locale.ROOT), rate, tokens, Math.min(goodTokens, tokens),
                good,
                proposal.cost().map(c -> OptionalDouble.of(c.perHour())).orElse(OptionalDouble.empty()),
                peakMemory(slots), OptionalDouble.empty());
    }

    private static Optional<Long> peakMemory(List<SlotResult> slots) {
        return slots.stream().map(SlotResult::telemetry)
                .map((Map<String, Double> t) -> t.get(SlotReading.PEAK_MEMORY))
                .flatMap(v -> Optional.ofNullable(v).stream()).max(Double::compare).map(Double::longValue);
    }
}
