package dev.assay.review;

import dev.assay.load.Gate;
import dev.assay.load.GateInputs;
import dev.assay.load.LoadRun;
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

    /** The largest resident memory of the server's processes. */
    static final String PEAK_MEMORY = "peak_memory_bytes";
    /** Output tokens of good requests per second. */
    static final String GOOD_TOKENS = "good_tokens_per_s";

    static SlotReading of(Proposal proposal, List<RequestOutcome> outcomes, SlotRecord slot) {
        Map<String, Double> telemetry = new TreeMap<>(slot.server().telemetry());
        slot.peakMemoryBytes().ifPresent(bytes -> telemetry.put(PEAK_MEMORY, (double) bytes));
        double goodTokens = outcomes.stream().filter(o -> Metrics.good(o, proposal.slo()))
                .mapToLong(RequestOutcome::outputTokens).sum();
        telemetry.put(GOOD_TOKENS, goodTokens * 1e9 / slot.windowNanos());
        LoadRun run = new LoadRun(slot.startedEpochNanos(), slot.windowNanos(), outcomes, slot.client());
        boolean exact = proposal.workload().ignoreEos().orElse(true);
        if (slot.gate().isEmpty()) {
            return new SlotReading(Metrics.summarize(outcomes, proposal.slo(), slot.windowNanos(),
                    Validity.check(run, true, exact, telemetry)), telemetry);
        }
        GateInputs gate = slot.gate().get();
        gate.roundTripMs().ifPresent(ms -> telemetry.put(Paths.ROUND_TRIP, ms));
        List<ValidityCheck> validity = Gate.check(run, new Gate.Context(true, exact, telemetry, gate));
        return new SlotReading(Metrics.summarize(outcomes, proposal.slo(), slot.windowNanos(), validity)
                .withHeadroom(Gate.headroom(run, gate)), telemetry);
    }
}
