package dev.assay.review;

import dev.assay.forecast.EngineSettings;
import dev.assay.forecast.Limits;
import dev.assay.forecast.StepArithmetic;
import dev.assay.model.ModelShape;
import dev.assay.workload.RunSummary;
import dev.assay.workload.ValidityCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A step that is faster than its bytes over the bandwidth that the author states is a fault of the measurement: the slot
 * is left out, with one line that says why.
 */
final class FloorCheck {
    static final String CHECK = "bandwidth-floor";
    /** Clocks and rounding may make a step this much faster. */
    private static final double TOLERANCE = 0.98;
    private static final double GB = 1e9;

    private FloorCheck() {}

    /** The slots, with a failed check in each that beats the floor. */
    static List<SlotResult> mark(Proposal proposal, ModelShape shape, List<SlotResult> slots) {
        OptionalDouble bandwidth = proposal.local().bandwidthGbPerS();
        if (bandwidth.isEmpty()) {
            return slots;
        }
        List<SlotResult> marked = new ArrayList<>();
        for (SlotResult slot : slots) {
            EngineSettings settings = (slot.key().arm() == Arm.BASELINE
                    ? proposal.arms().baseline()
                    : proposal.arms().candidate()).settings();
            marked.add(fault(settings, shape, bandwidth.getAsDouble(), slot.summary(), slot.telemetry())
                    .map(line -> failed(slot, line)).orElse(slot));
        }
        return marked;
    }

    /** The fault of one slot, in one line; empty where its step takes at least as long as its bytes. */
    static Optional<String> fault(EngineSettings settings, ModelShape shape, double gbPerS,
            RunSummary summary,
            Map<String, Double> telemetry) {
        double bytesPerToken = new StepArithmetic(shape, settings).kvBytesPerToken();
        OptionalDouble step = value(telemetry, "step_time_ms");
        double live = step.isPresent() ? value(telemetry, "kv_bytes_per_step").orElse(0) / bytesPerToken : 0;
        OptionalDouble seen = step.isPresent() || settings.rowsPerSequence() > 1
                ? step
                : summary.tpotMs().isPresent()
                        ? OptionalDouble.of(summary.tpotMs().get().p50())
                        : OptionalDouble.empty();
        double floor = Limits.floorStepNanos(shape, settings, live, gbPerS * GB) / 1e6;
        return seen.isEmpty() || seen.getAsDouble() >= TOLERANCE * floor
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT,
                        "a step of %.3g ms is faster than its bytes at %.4g GB/s (%.3g ms): a fault of the"
                                + " measurement, or of measured.bandwidth_gb_per_s",
                        seen.getAsDouble(), gbPerS, floor));
    }

    private static OptionalDouble value(Map<String, Double> telemetry, String name) {
        Double value = telemetry.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static SlotResult failed(SlotResult slot, String line) {
        List<ValidityCheck> checks = new ArrayList<>(slot.summary().validity());
        checks.add(new ValidityCheck(CHECK, ValidityCheck.Status.FAIL, line));
        return new SlotResult(slot.key(), slot.offeredRps(), slot.summary().withValidity(checks),
                slot.telemetry(), slot.evidence());
    }
}
