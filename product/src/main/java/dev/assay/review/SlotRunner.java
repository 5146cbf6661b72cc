package dev.assay.review;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.LoadGenerator;
import dev.assay.load.LoadOptions;
import dev.assay.load.LoadRun;
import dev.assay.load.MetricsSampler;
import dev.assay.load.RequestLog;
import dev.assay.load.Target;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Runs slots against a server and turns each into evidence. */
final class SlotRunner {
    private static final long NANOS = 1_000_000_000L;
    /** A request that takes longer than this is given up as a timeout; also how long a slot may drain. */
    private static final long DRAIN_SECONDS = 60;
    /** More than any warm-up sends before its time is over. */
    private static final int WARMUP_REQUESTS = 100_000;
    /** Streams of the warm-up: full enough to warm every path, the same for both arms. */
    private static final int WARMUP_STREAMS = 8;
    /** The warm-up's last requests end before a slot begins: some servers generate on for a client that has gone. */
    private static final long WARMUP_DRAIN_NANOS = 20 * NANOS;

    private final Proposal proposal;
    private final EvidenceStore store;
    private final Calibration sizing;

    SlotRunner(Proposal proposal, EvidenceStore store, Calibration sizing) {
        this.proposal = proposal;
        this.store = store;
        this.sizing = sizing;
    }

    /** What a slot left behind. */
    record Measured(List<EvidenceRef> evidence, RunSummary summary, Map<String, Double> telemetry,
            List<RequestOutcome> outcomes) {}

    /** The requests of a slot with prompts sized for the server. */
    List<Request> schedule(double rate, long seed) {
        return Schedules.at(proposal, sizing, rate, seed, proposal.measure().slotS());
    }

    /** How an arm is spoken to. */
    static Target target(Proposal proposal, ArmServer server) {
        Proposal.Workload w = proposal.workload();
        Target.Api api = w.api().filter("chat"::equals).isPresent()
                ? Target.Api.CHAT
                : Target.Api.COMPLETIONS;
        return Target.of(server.base().toString(), proposal.model().name()).withApi(api)
                .withIgnoreEos(w.ignoreEos().orElse(true))
                .withUsage(w.continuousUsage().orElse(true) ? Target.Usage.CONTINUOUS : Target.Usage.FINAL)
                .withExtraBody(JsonValue.Obj.of(Map.of()));
    }

    /** Loads the server for some seconds with requests that count nowhere, so that a fresh process is warm. */
    void warm(ArmServer server, long seed, double seconds) {
        if (seconds > 0) {
            int most = Math.min(WARMUP_STREAMS, Math.min(proposal.arms().baseline().settings().maxNumSeqs(),
                    proposal.arms().candidate().settings().maxNumSeqs()));
            List<Request> requests = Schedules.spec(proposal.workload()).schedule(
                    new Arrivals.ClosedLoop(most),
                    new Extent.Count(WARMUP_REQUESTS), seed, sizing);
            LoadGenerator.run(target(proposal, server), requests, LoadOptions.closedLoop(most)
                    .withStopSending(Schedules.nanos(seconds)).withDrain(WARMUP_DRAIN_NANOS));
        }
    }

    /** One slot. */
    Measured run(ArmServer server, String label, Arm arm, double rate, long seed,
            Consumer<LoadOptions.Progress> progress) {
        List<Request> requests = schedule(rate, seed);
        Target target = target(proposal, server);
        LoadRun run;
        MetricsSampler.Recorded said;
        try (MetricsSampler sampler = MetricsSampler.start(server.base(), Optional.empty())) {
            run = LoadGenerator.run(target, requests,
                    LoadOptions.openLoop().withTimeLimit(DRAIN_SECONDS * NANOS)
                            .withDrain(DRAIN_SECONDS * NANOS).withProgress(progress));
            said = sampler.record();
        }
        SlotRecord record = new SlotRecord(label, arm, rate, seed, server.base().toString(),
                run.startedEpochNanos(),
                Schedules.nanos(proposal.measure().slotS()), run.windowNanos(), run.client(), said,
                boxed(server.peakMemoryBytes()));
        return store(record, run.outcomes());
    }

    private Measured store(SlotRecord record, List<RequestOutcome> outcomes) {
        Path scratch = store.scratch(record.label() + "-requests");
        RequestLog.write(scratch, outcomes);
        EvidenceRef requests = store.adopt(Evidence.REQUESTS, "parquet", scratch);
        EvidenceRef slot = store.put(Evidence.SLOT, "json",
                Json.pretty(record).getBytes(StandardCharsets.UTF_8));
        SlotReading reading = SlotReading.of(proposal, RequestLog.read(store.path(requests)), record);
        return new Measured(List.of(requests, slot), reading.summary(), reading.telemetry(), outcomes);
    }

    private static Optional<Long> boxed(OptionalLong value) {
        return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
    }
}
