package dev.assay.review;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.Ceiling;
import dev.assay.load.GateInputs;
import dev.assay.load.LoadGenerator;
import dev.assay.load.LoadOptions;
import dev.assay.load.LoadRun;
import dev.assay.load.MetricsSampler;
import dev.assay.load.RequestLog;
import dev.assay.load.RoundTrip;
import dev.assay.load.ServerWarmup;
import dev.assay.load.Target;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.WorkloadSpec;
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
    /** A server that has not settled after this many times the warm-up asked for is measured with a warning. */
    static final double WARMUP_FACTOR = 3;
    /** Streams of the warm-up: full enough to warm every path, the same for both arms. */
    private static final int WARMUP_STREAMS = 8;
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
        return server.target(proposal.model().name()).withApi(api)
                .withIgnoreEos(w.ignoreEos().orElse(true))
                .withUsage(w.continuousUsage().orElse(true) ? Target.Usage.CONTINUOUS : Target.Usage.FINAL)
                .withExtraBody(JsonValue.Obj.of(Map.of()));
    }

    /**
     * Loads a fresh server with requests that count nowhere: at least so many seconds, then until the latest requests
     * cannot be told from those before them, at most {@link #WARMUP_FACTOR} times as long. Empty where none is wanted.
     */
    Optional<ServerWarmup> warm(ArmServer server, long seed, double seconds) {
        if (!(seconds > 0)) {
            return Optional.empty();
        }
        int most = warmupStreams(proposal);
        WorkloadSpec workload = Schedules.spec(proposal.workload());
        return Optional.of(ServerWarmup.run(target(proposal, server), most, Schedules.nanos(seconds),
                Schedules.nanos(WARMUP_FACTOR * seconds),
                chunk -> workload.schedule(new Arrivals.ClosedLoop(most),
                        new Extent.Count(ServerWarmup.chunkSize(most)), seed + chunk, sizing)));
    }

    /** No more than both arms decode together. */
    static int warmupStreams(Proposal proposal) {
        return Math.min(WARMUP_STREAMS, Math.min(proposal.arms().baseline().settings().maxNumSeqs(),
                proposal.arms().candidate().settings().maxNumSeqs()));
    }

    /** One slot. */
    Measured run(ArmServer server, String label, Arm arm, double rate, long seed,
            Consumer<LoadOptions.Progress> progress) {
        List<Request> requests = schedule(rate, seed);
        Target target = target(proposal, server);
        Optional<RoundTrip> before = RoundTrip.measure(server.base(), server.apiKey());
        LoadRun run;
        MetricsSampler.Recorded said;
        try (MetricsSampler sampler = MetricsSampler.start(server.base(), server.apiKey())) {
            run = LoadGenerator.run(target, requests,
                    LoadOptions.openLoop().withTimeLimit(DRAIN_SECONDS * NANOS)
                            .withDrain(DRAIN_SECONDS * NANOS).withProgress(progress));
            said = sampler.record();
        }
        GateInputs gate = GateInputs.of(before, RoundTrip.measure(server.base(), server.apiKey()),
                Ceiling.ofThisUser());
        SlotRecord record = new SlotRecord(label, arm, rate, seed, server.base().toString(),
                run.startedEpochNanos(),
                Schedules.nanos(proposal.measure().slotS()), run.windowNanos(), run.client(), said,
                boxed(server.peakMemoryBytes()), Optional.of(gate));
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
