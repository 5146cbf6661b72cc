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
    /** What every step that only decodes so many rows has in common. */
    private int likeRows = -1;
    private double likeGemm;
    private double likeMisfit;
    private double likeFlops;

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
        int rows = plan.decodeRows();
        prefillTokens += plan.prefillTokens();
        return add(rows, cost.gemmNanos(rows, prefill), rows * arithmetic.decodeFlops() + prefill + extra, kv,
                kv + written,
                cost.overheadNanos(rows, plan.prefillTokens(), kv), running, waiting,
                factor * cost.misfit(rows));
    }

    /** The same of a step that decodes {@code rows} sequences and nothing else, which attend {@code kv} tokens. */
    double decodes(int rows, long kv, int waiting, double factor) {
        if (rows != likeRows) {
            likeRows = rows;
            likeGemm = cost.gemmNanos(rows, 0);
            likeMisfit = cost.misfit(rows);
            likeFlops = rows * arithmetic.decodeFlops();
        }
        return add(rows, likeGemm, likeFlops + arithmetic.decodeAttentionFlops(kv), kv, kv,
                cost.overheadNanos(rows, 0, kv), rows, waiting, factor * likeMisfit);
    }

    private double add(int rows, double matrices, double operations, long kvRead, long kvTouched,
            double overhead,
            int running, int waiting, double scale) {
        double gemmNanos = matrices * scale;
        double attentionNanos = cost.attentionNanos((double) kvRead) * scale;
        double nanos = gemmNanos + attentionNanos + overhead * scale;
        steps++;
        decodeRows += rows;
        kvTokens += kvTouched;
        flops += operations;
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
