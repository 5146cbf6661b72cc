package dev.assay.load.curve;

import dev.assay.load.Backlog;
import dev.assay.load.Ceiling;
import dev.assay.load.Gate;
import dev.assay.load.GateInputs;
import dev.assay.load.LoadGenerator;
import dev.assay.load.LoadOptions;
import dev.assay.load.LoadRun;
import dev.assay.load.MetricsSampler;
import dev.assay.load.RoundTrip;
import dev.assay.load.ServerWarmup;
import dev.assay.load.Target;
import dev.assay.stats.ShareEstimate;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.WorkloadSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Slots on a real server: arrivals of one law, a lead-in that fills the server and does not count, then the requests that
 * do. Each slot has prompts of its own, so that no prefix cache makes a later slot faster.
 *
 * @param slos the objective of each request class
 * @param seed of the first slot; later slots have other seeds
 * @param size of each slot
 * @param timeLimitNanos of one request
 * @param percentile of the percentile rule, where one decides
 * @param arrivals how requests arrive at a load
 * @param stopped whether no more is to be measured; a slot that was under way then is dropped
 */
public record ServerSlots(Target target, WorkloadSpec workload, Calibration sizing, Map<String, Slo> slos,
        Slo slo, long seed, SlotSize size, long timeLimitNanos, Optional<Double> percentile,
        Optional<Ceiling> ceiling,
        ArrivalLaw arrivals, BooleanSupplier stopped) implements Slots {
    private static final double LEVEL = 0.95;
    private static final long SLOT_SEEDS = 1_000_003;
    private static final long WARMUP_SEEDS = 7_368_787;

    /** Warms the server until the test passes, in a closed loop of so many streams. */
    public ServerWarmup warm(int streams, long least, long most) {
        return ServerWarmup.run(target, streams, least, most,
                chunk -> workload.schedule(new Arrivals.ClosedLoop(streams),
                        new Extent.Count(ServerWarmup.chunkSize(streams)),
                        seed + WARMUP_SEEDS * (chunk + 1), sizing),
                stopped);
    }

    @Override
    public Optional<CurveSlot> measure(int number, String purpose, double load, int requests) {
        int count = size.requests(load, requests);
        int lead = size.leadIn(count);
        long from = System.nanoTime();
        Optional<RoundTrip> before = RoundTrip.measure(target.baseUrl(), target.apiKey());
        LoadRun run;
        Map<String, Double> telemetry;
        try (MetricsSampler sampler = MetricsSampler.start(target.baseUrl(), target.apiKey())) {
            run = LoadGenerator.run(target,
                    workload.schedule(arrivals.at(load), new Extent.Count(count),
                            seed + SLOT_SEEDS * number, sizing),
                    LoadOptions.openLoop().withTimeLimit(timeLimitNanos));
            if (stopped.getAsBoolean()) {
                return Optional.empty();
            }
            telemetry = sampler.finish();
        }
        GateInputs inputs = GateInputs.of(before, RoundTrip.measure(target.baseUrl(), target.apiKey()),
                ceiling);
        return Optional.of(slot(number, purpose, load, lead, counted(run, lead), telemetry, inputs,
                (System.nanoTime() - from) / 1e9));
    }

    /** The run without its lead-in; its window begins with the first request that counts. */
    private static LoadRun counted(LoadRun run, int lead) {
        List<RequestOutcome> counted = run.outcomes().stream().filter(o -> o.request().id() >= lead).toList();
        long begin = counted.stream().mapToLong(o -> o.request().arrivalNanos()).min().orElse(0);
        return new LoadRun(run.startedEpochNanos() + begin, Math.max(1, run.windowNanos() - begin), counted,
                run.client());
    }

    private CurveSlot slot(int number, String purpose, double load, int lead, LoadRun run,
            Map<String, Double> telemetry, GateInputs inputs, double seconds) {
        List<RequestOutcome> all = run.outcomes();
        boolean[] good = new boolean[all.size()];
        double[] latency = new double[all.size()];
        double inside = 0;
        for (int i = 0; i < good.length; i++) {
            RequestOutcome o = all.get(i);
            good[i] = Metrics.good(o, slos.getOrDefault(o.request().requestClass(), slo));
            double whole = (o.endNanos() - o.request().arrivalNanos()) / 1e6;
            latency[i] = Metrics.perRequest(o).ttftMs().orElse(whole);
            inside += whole / 1e3 / good.length;
        }
        List<ValidityCheck> checks = Gate.check(run,
                new Gate.Context(true, target.exactLengths(), telemetry, inputs));
        RunSummary summary = Metrics.summarize(all, slos, run.windowNanos(), checks)
                .withHeadroom(Gate.headroom(run, inputs));
        boolean any = summary.requests().completed() > 0;
        return new CurveSlot(number, purpose, load, lead, seconds, ShareEstimate.of(good, latency, LEVEL),
                load * inside, Backlog.of(all).saturated(), CurveSlot.voiding(checks, any), summary,
                inputs.roundTripMs(), percentile.map(p -> PercentileRule.of(all, slo, p)), telemetry,
                CurveSlot.MeanTokens.of(all));
    }
}
