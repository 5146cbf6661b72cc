package dev.assay.forecast;

import dev.assay.scheduler.SchedulerConfig;
import dev.assay.scheduler.SchedulerCounts;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Metrics;
import dev.assay.workload.MetricsAccumulator;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import dev.assay.workload.Trace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One arm at one load point under one draw of the constants, replaying the stretches of a trace as they come. */
final class TwinLane {
    private static final String CLASS = "default";

    private final SchedulerConfig config;
    private final int contextLength;
    private final double speed;
    private final MetricsAccumulator metrics;
    private final Replay replay;
    /** Where on the lane's own clock the next stretch begins. */
    private double base;
    private long requests;
    private long rejected;

    /**
     * @param contextLength the longest sequence that the model takes
     * @param speed by which the trace's times are divided
     */
    TwinLane(SchedulerConfig config, int contextLength, CostModel cost, double overheadNanos, double[] jitter,
            long seed, Slo slo, double speed) {
        this.config = config;
        this.contextLength = contextLength;
        this.speed = speed;
        this.metrics = Metrics.smallAccumulator(slo);
        this.replay = new Replay(config, cost, overheadNanos, jitter, seed, true, this::ended);
    }

    private void ended(long serial, Request request, long first, long last, int tokens) {
        metrics.add(TwinRun.outcome(request, first, last, tokens, Math.round(replay.now())));
    }

    /**
     * Replays a stretch {@code times} over; with 0 it is left out, and its time too.
     *
     * @param tokens of each row's prompt; empty where no prefix is shared
     * @param nanos from the stretch's first arrival to the next one's
     */
    void replay(List<Trace.Row> rows, List<int[]> tokens, long nanos, int times) {
        long start = rows.getFirst().arrivalNanos();
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < rows.size(); i++) {
                Trace.Row row = rows.get(i);
                long at = Math.round(base + (row.arrivalNanos() - start) / speed);
                offer(new Request((int) (requests++ & Integer.MAX_VALUE), at, "", row.inputTokens(),
                        row.outputTokens(), CLASS, Optional.empty()), tokens, i);
            }
            base += nanos / speed;
            replay.run(true, Double.POSITIVE_INFINITY);
        }
    }

    private void offer(Request request, List<int[]> tokens, int index) {
        int all = request.promptTokens() + request.outputTokens();
        if (all > contextLength || !config.fits(request.promptTokens(), request.outputTokens())) {
            rejected++;
            metrics.add(rejection(request));
        } else if (config.prefixCaching()) {
            replay.offer(request, tokens.get(index));
        } else {
            replay.offer(request);
        }
    }

    /** An engine answers with an error what it could never finish. */
    private static RequestOutcome rejection(Request request) {
        OptionalLong none = OptionalLong.empty();
        return new RequestOutcome(request, OptionalLong.of(request.arrivalNanos()), none, none, none,
                request.arrivalNanos(), new long[0], new int[0], 0, false, none, none,
                Optional.of(FailureClass.HTTP_4XX), "longer than the model or the pool takes", "");
    }

    /** Ends the replay; called once. */
    void finish() {
        replay.run(false, Double.POSITIVE_INFINITY);
        replay.close();
    }

    /** Requests replayed, those rejected included. */
    long requests() {
        return requests;
    }

    Map<String, Double> telemetry() {
        return replay.telemetry();
    }

    /** The metrics by name; what is undefined is absent. */
    Map<String, Double> values() {
        RunSummary summary = metrics.summary(Math.max(1, Math.round(Math.max(replay.now(), base))),
                List.of());
        Map<String, Double> values = new LinkedHashMap<>(MetricValues.client(summary));
        summary.ttftMs().ifPresent(s -> values.put(TwinMetrics.TTFT_P99, s.p99()));
        summary.tpotMs().ifPresent(s -> values.put(TwinMetrics.TPOT_P99, s.p99()));
        values.putAll(MetricValues.server(replay.telemetry()));
        Map<String, Double> t = replay.telemetry();
        for (String name : List.of(TelemetryNames.PREEMPTIONS, TelemetryNames.RUNNING, TelemetryNames.WAITING,
                TelemetryNames.BUSY_SHARE)) {
            Optional.ofNullable(t.get(name)).ifPresent(v -> values.put(name, v));
        }
        SchedulerCounts counts = replay.scheduler().counts();
        values.put(TwinMetrics.REJECTED, (double) rejected);
        if (counts.prefixQueryTokens() > 0) {
            values.put(TwinMetrics.PREFIX_HITS,
                    counts.prefixHitTokens() / (double) counts.prefixQueryTokens());
        }
        return values;
    }
}
