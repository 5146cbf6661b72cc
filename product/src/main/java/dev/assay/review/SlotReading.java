package dev.assay.review;

import dev.assay.load.Telemetry;
import dev.assay.load.Validity;
import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.ValidityCheck;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The numbers of a slot from its raw evidence. Measuring and verifying both go through here, so that what the journal
 * says of a slot is what its files say.
 */
record SlotReading(RunSummary summary, Map<String, Double> telemetry) {

    static SlotReading of(Proposal proposal, List<RequestOutcome> outcomes, SlotRecord slot) {
        Map<String, Double> telemetry = new TreeMap<>(slot.before().isPresent() && slot.after().isPresent()
                ? Telemetry.between(slot.before().get(), slot.after().get(), slot.samples())
                : Map.of());
        slot.modelBytes().ifPresent(bytes -> telemetry.putIfAbsent("resident_weight_bytes", (double) bytes));
        slot.peakMemoryBytes().ifPresent(bytes -> telemetry.put("peak_memory_bytes", (double) bytes));
        List<ValidityCheck> validity = Validity.check(outcomes, slot.client(), slot.windowNanos(),
                slot.arrivalNanos(), telemetry);
        return new SlotReading(Metrics.summarize(outcomes, proposal.slo(), slot.windowNanos(), validity), telemetry);
    }
}
