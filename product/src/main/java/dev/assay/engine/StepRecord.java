package dev.assay.engine;

import java.util.function.BiConsumer;

/**
 * One step in numbers.
 *
 * @param n             its number, from 0
 * @param startNanos    when it began, on the machine's monotonic clock
 * @param wallNanos     how long it took, without the idle time before it
 * @param scheduleNanos taking in requests, planning and building the batch
 * @param cost          time and traffic of the model
 * @param sampleNanos   choosing the tokens
 * @param emitNanos     handing them over and updating the scheduler
 * @param idleNanos     waiting for a request before the step
 * @param pagesUsed     KV pages that sequences hold after the step
 * @param pagesCached   free KV pages whose content can still be found
 * @param queueDepth    sequences that wait
 * @param running       sequences that were running in the step
 */
record StepRecord(long n, long startNanos, long wallNanos, int decodeRows, int prefillTokens,
        long scheduleNanos,
        StepCost cost, long sampleNanos, long emitNanos, long idleNanos, int pagesTotal, int pagesUsed,
        int pagesCached,
        int queueDepth, int running, int preemptions) {
    StepKind kind() {
        return StepKind.of(decodeRows, prefillTokens);
    }

    /** Time by stage, in a fixed order. */
    void stages(BiConsumer<String, Long> each) {
        each.accept("schedule", scheduleNanos);
        each.accept("gemm", cost.gemmNanos());
        each.accept("attention", cost.attentionNanos());
        each.accept("norm_rope", cost.normRopeNanos());
        each.accept("logits", cost.logitsNanos());
        each.accept("sample", sampleNanos);
        each.accept("emit", emitNanos);
        each.accept("idle", idleNanos);
    }

    /** The record as one line of JSON; all values are numbers but the kind, so nothing needs escaping. */
    void appendJson(StringBuilder out) {
        out.append("{\"n\":").append(n).append(",\"kind\":\"").append(kind().wire()).append('"');
        field(out, "start_ns", startNanos);
        field(out, "wall_ns", wallNanos);
        field(out, "decode_rows", decodeRows);
        field(out, "prefill_tokens", prefillTokens);
        stages((stage, nanos) -> field(out, stage + "_ns", nanos));
        field(out, "weight_bytes", cost.weightBytes());
        field(out, "kv_read_bytes", cost.kvBytesRead());
        field(out, "kv_write_bytes", cost.kvBytesWritten());
        field(out, "flops", cost.flops());
        field(out, "pages_total", pagesTotal);
        field(out, "pages_used", pagesUsed);
        field(out, "pages_cached", pagesCached);
        field(out, "queue_depth", queueDepth);
        field(out, "running", running);
        field(out, "preemptions", preemptions);
        out.append("}\n");
    }

    private static void field(StringBuilder out, String name, long value) {
        out.append(",\"").append(name).append("\":").append(value);
    }
}
