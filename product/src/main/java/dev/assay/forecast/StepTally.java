package dev.assay.forecast;

import dev.assay.scheduler.Scheduler;
import dev.assay.scheduler.Sequence;
import dev.assay.scheduler.StepPlan;
import dev.assay.scheduler.WaitReason;
import java.util.LinkedHashMap;
import java.util.Map;

/** Costs the steps of a replay and sums what an engine would report of them. */
final class StepTally {
    private final CostModel cost;
    private final StepArithmetic arithmetic;
    private long steps;
    private long decodeRows;
    private long prefillTokens;
    private double kvTokens;
    private double flops;
    private double gemm;
    private double attention;
    private double busy;
    private double idle;
    private double runningTime;
    private double waitingTime;
    private double decodeTime;

    StepTally(CostModel cost) {
        this.cost = cost;
        this.arithmetic = cost.arithmetic();
    }

    void idle(double nanos) {
        idle += nanos;
    }

    /** The time of a planned step in nanoseconds, {@code factor} times what the law says. */
    double step(StepPlan plan, int running, int waiting, double factor) {
        long kv = 0;
        double prefill = 0;
        double extra = 0;
        long written = 0;
        for (int i = 0; i < plan.size(); i++) {
            Sequence sequence = plan.sequence(i);
            int count = plan.count(i);
            long context = (long) sequence.computed() + count;
            if (sequence.state() == Sequence.State.DECODE) {
                kv += context;
                extra += arithmetic.decodeAttentionFlops(context);
            } else {
                prefill += arithmetic.prefillFlops(sequence.computed(), count);
                extra += plan.produces(i) ? arithmetic.logitFlops() : 0;
                written += context;
            }
        }
        return add(new Work(plan.decodeRows(), plan.prefillTokens(), prefill, extra, kv, written), running, waiting,
                factor);
    }

    /** The same of a step that decodes {@code rows} sequences and nothing else, which attend {@code kv} tokens. */
    double decodes(int rows, long kv, int waiting, double factor) {
        return add(new Work(rows, 0, 0, arithmetic.decodeAttentionFlops(kv), kv, 0), rows, waiting, factor);
    }

    /** A step's rows, its prompt tokens with their matrix operations, other operations, and tokens of KV. */
    private record Work(int rows, int promptTokens, double promptFlops, double otherFlops, long kvRead,
            long kvWritten) {}

    private double add(Work w, int running, int waiting, double factor) {
        int rows = w.rows();
        double scale = factor * cost.misfit(rows);
        double gemmNanos = cost.gemmNanos(rows, w.promptFlops()) * scale;
        double attentionNanos = cost.attentionNanos((double) w.kvRead()) * scale;
        double nanos = gemmNanos + attentionNanos
                + cost.overheadNanos(rows, w.promptTokens(), w.kvRead()) * scale;
        steps++;
        decodeRows += rows;
        prefillTokens += w.promptTokens();
        kvTokens += w.kvRead() + w.kvWritten();
        flops += rows * arithmetic.decodeFlops() + w.promptFlops() + w.otherFlops();
        gemm += gemmNanos;
        attention += attentionNanos;
        busy += nanos;
        runningTime += running * nanos;
        waitingTime += waiting * nanos;
        decodeTime += rows * nanos;
        return nanos;
    }

    double flopsPerStep() {
        return steps == 0 ? 0 : flops / steps;
    }

    /** The sums, by {@link TelemetryNames}. */
    Map<String, Double> telemetry(Scheduler scheduler, int pagesPeak) {
        Map<String, Double> t = new LinkedHashMap<>();
        t.put(TelemetryNames.STEPS, (double) steps);
        t.put(TelemetryNames.PREEMPTIONS, (double) scheduler.counts().preemptions());
        t.put(TelemetryNames.RESIDENT_WEIGHT_BYTES, (double) arithmetic.residentWeightBytes());
        t.put(TelemetryNames.KV_USAGE_PEAK, pagesPeak / (double) scheduler.config().numBlocks());
        t.put(TelemetryNames.WAIT_CAP, (double) scheduler.waits(WaitReason.CAP));
        t.put(TelemetryNames.WAIT_PAGES,
                (double) (scheduler.waits(WaitReason.PAGES) + scheduler.waits(WaitReason.PREEMPTION)));
        t.put(TelemetryNames.WAIT_BUDGET, (double) scheduler.waits(WaitReason.BUDGET));
        if (steps > 0) {
            t.put(TelemetryNames.DECODE_ROWS, decodeRows / (double) steps);
            t.put(TelemetryNames.TOKENS, (decodeRows + prefillTokens) / (double) steps);
            t.put(TelemetryNames.STEP_TIME, busy / steps / 1e6);
            t.put(TelemetryNames.WEIGHT_BYTES, (double) arithmetic.weightBytes());
            t.put(TelemetryNames.KV_BYTES, kvTokens * arithmetic.kvBytesPerToken() / steps);
            t.put(TelemetryNames.RUNNING, runningTime / (busy + idle));
            t.put(TelemetryNames.WAITING, waitingTime / (busy + idle));
            t.put(TelemetryNames.BUSY_SHARE, busy / (busy + idle));
            t.put(TelemetryNames.GEMM_SHARE, gemm / busy * arithmetic.blocksShare());
            t.put(TelemetryNames.ATTENTION_SHARE, attention / busy);
        }
        if (decodeRows > 0) {
            t.put(TelemetryNames.ITL_MEAN, decodeTime / decodeRows / 1e6);
        }
        return t;
    }
}
