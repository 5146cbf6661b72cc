package dev.assay.engine;

import dev.assay.scheduler.Scheduler;
import dev.assay.scheduler.SchedulerCounts;
import dev.assay.scheduler.WaitReason;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counters of the engine: written by its thread once per step and token, read by any thread. */
final class EngineMetrics {
    private static final double NANOS = 1e9;
    private static final double[] TTFT_BOUNDS = {0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1,
            0.25, 0.5,
            0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160};
    /** Finer at the low end than vLLM's, whose first bound of 10 ms would hold all steps of a small model. */
    private static final double[] ITL_BOUNDS = {0.0005, 0.001, 0.0015, 0.002, 0.003, 0.004, 0.006, 0.008,
            0.01, 0.015,
            0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
    private static final double[] E2E_BOUNDS = {0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5,
            10, 15,
            20, 30, 40, 60, 120, 240};

    private final Histogram ttft = new Histogram(TTFT_BOUNDS);
    private final Histogram itl = new Histogram(ITL_BOUNDS);
    private final Histogram e2e = new Histogram(E2E_BOUNDS);
    private final Histogram iterationTokens = new Histogram(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048,
            4096,
            8192);
    private final Map<StepKind, Long> steps = new EnumMap<>(StepKind.class);
    private final Map<String, Long> stageNanos = new LinkedHashMap<>();
    private final Map<StepKind, Long> kindNanos = new EnumMap<>(StepKind.class);
    private final Map<FinishReason, Long> finished = new EnumMap<>(FinishReason.class);
    private final Map<WaitReason, Long> waits = new EnumMap<>(WaitReason.class);
    private SchedulerCounts counts = new SchedulerCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0);
    private int running;
    private int waiting;
    private long promptTokens;
    private long generationTokens;
    private long cancelledTokens;
    private long decodeRows;
    private long prefillTokens;
    private long weightBytes;
    private long kvRead;
    private long kvWritten;
    private long flops;

    synchronized void step(StepRecord step) {
        steps.merge(step.kind(), 1L, Long::sum);
        kindNanos.merge(step.kind(), step.wallNanos(), Long::sum);
        step.stages((stage, nanos) -> stageNanos.merge(stage, nanos, Long::sum));
        iterationTokens.add(step.decodeRows() + step.prefillTokens());
        decodeRows += step.decodeRows();
        prefillTokens += step.prefillTokens();
        weightBytes += step.cost().weightBytes();
        kvRead += step.cost().kvBytesRead();
        kvWritten += step.cost().kvBytesWritten();
        flops += step.cost().flops();
    }

    /** The scheduler's own counters and gauges now. */
    synchronized void state(Scheduler scheduler) {
        counts = scheduler.counts();
        running = scheduler.running();
        waiting = scheduler.waiting();
        for (WaitReason reason : WaitReason.values()) {
            waits.put(reason, scheduler.waits(reason));
        }
    }

    /** A token of a request, given at {@code nowNanos}. */
    synchronized void token(Generation generation, long nowNanos) {
        generationTokens++;
        if (generation.firstTokenNanos == 0) {
            generation.firstTokenNanos = nowNanos;
            promptTokens += generation.sequence().promptLength();
            ttft.add((nowNanos - generation.arrivalNanos()) / NANOS);
        } else {
            itl.add((nowNanos - generation.lastTokenNanos) / NANOS);
        }
        generation.lastTokenNanos = nowNanos;
    }

    synchronized void finished(Generation generation, FinishReason reason, long nowNanos) {
        finished.merge(reason, 1L, Long::sum);
        if (reason == FinishReason.ABORT) {
            cancelledTokens += generation.sequence().generated();
        } else {
            e2e.add((nowNanos - generation.arrivalNanos()) / NANOS);
        }
    }

    /** Writes all series of the engine. */
    synchronized void write(MetricsText out) {
        out.gauge("num_requests_running", "Requests in the batch.", running);
        out.gauge("num_requests_waiting", "Requests in the queue.", waiting);
        out.gauge("kv_cache_usage_perc", "Share of KV pages held by requests, 0 to 1.",
                (double) counts.pagesUsed() / counts.pagesTotal());
        out.gauge("kv_pages", "KV pages in the pool.", counts.pagesTotal());
        out.gauge("kv_pages_used", "KV pages held by requests.", counts.pagesUsed());
        out.gauge("kv_pages_cached", "Free KV pages whose content can be found again.", counts.pagesCached());
        writeTokens(out);
        writeScheduler(out);
        writeSteps(out);
        ttft.write(out, "time_to_first_token_seconds", "From arrival to the first token, in the engine.");
        itl.write(out, "inter_token_latency_seconds", "Gap between two tokens of a request, in the engine.");
        e2e.write(out, "e2e_request_latency_seconds", "From arrival to the last token, in the engine.");
    }

    private void writeTokens(MetricsText out) {
        out.counter("prompt_tokens_total", "Prompt tokens of requests that got their first token.",
                promptTokens);
        out.counter("generation_tokens_total", "Tokens generated.", generationTokens);
        out.counter("cancelled_tokens_total", "Tokens generated for requests that were cancelled.",
                cancelledTokens);
        out.type("request_success_total", "counter", "Requests that ended, by reason.");
        for (FinishReason reason : FinishReason.values()) {
            out.sample("request_success_total", "finished_reason", reason.wire(),
                    finished.getOrDefault(reason, 0L));
        }
    }

    private void writeScheduler(MetricsText out) {
        out.counter("prefix_cache_queries_total", "Prompt tokens looked up at first admissions.",
                counts.prefixQueryTokens());
        out.counter("prefix_cache_hits_total", "Prompt tokens found at first admissions.",
                counts.prefixHitTokens());
        out.counter("recompute_cache_hits_total", "Tokens found at readmissions.",
                counts.recomputeHitTokens());
        out.counter("num_preemptions_total", "Requests that lost their pages.", counts.preemptions());
        out.counter("recomputed_tokens_total", "Computed tokens lost to preemption.",
                counts.recomputedTokens());
        out.counter("kv_page_allocations_total", "KV pages taken.", counts.allocations());
        out.counter("kv_page_evictions_total", "Cached KV pages given up.", counts.evictions());
        out.type("admission_waits_total", "counter",
                "Steps that left the head of the queue waiting, by reason.");
        for (WaitReason reason : WaitReason.values()) {
            out.sample("admission_waits_total", "reason", reason.name().toLowerCase(java.util.Locale.ROOT),
                    waits.getOrDefault(reason, 0L));
        }
    }

    private void writeSteps(MetricsText out) {
        out.type("steps_total", "counter", "Steps, by kind.");
        for (StepKind kind : StepKind.values()) {
            out.sample("steps_total", "kind", kind.wire(), steps.getOrDefault(kind, 0L));
        }
        out.type("step_seconds_total", "counter", "Time of the engine thread, by stage.");
        stageNanos.forEach((stage, nanos) -> out.sample("step_seconds_total", "stage", stage, nanos / NANOS));
        out.type("step_kind_seconds_total", "counter",
                "Time of steps without the idle time before them, by kind.");
        for (StepKind kind : StepKind.values()) {
            out.sample("step_kind_seconds_total", "kind", kind.wire(),
                    kindNanos.getOrDefault(kind, 0L) / NANOS);
        }
        iterationTokens.write(out, "iteration_tokens_total", "Tokens computed in a step.");
        out.counter("decode_rows_total", "Decode rows computed.", decodeRows);
        out.counter("prefill_tokens_total", "Prompt and recomputed tokens computed.", prefillTokens);
        out.counter("weight_bytes_total", "Weight bytes read.", weightBytes);
        out.counter("kv_read_bytes_total", "KV bytes read.", kvRead);
        out.counter("kv_write_bytes_total", "KV bytes written.", kvWritten);
        out.counter("flops_total", "Floating point operations, a fused multiply-add as two.", flops);
    }
}
