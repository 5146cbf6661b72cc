package dev.assay.forecast.arith;

import dev.assay.forecast.Hardware;

/** The time of a step on given hardware: bytes and operations of the busiest device under the constants of a theory. */
public final class StepLaw {
    private static final double NANOS = 1e9;

    private final RankArithmetic rank;
    private final QuantFormat kv;
    private final Hardware hardware;

    /** The law of an arm. */
    public StepLaw(RankArithmetic rank, QuantFormat kv, Hardware hardware) {
        this.rank = rank;
        this.kv = kv;
        this.hardware = hardware;
    }

    /**
     * What a step computes on one copy of attention.
     *
     * @param decodeRows sequences that get one token
     * @param decodeAttended tokens that one of them attends
     * @param prefillTokens prompt tokens
     * @param prefillPairs tokens attended by all prompt tokens together
     * @param prefillReread cached tokens that the prompt tokens' kernels read once more
     * @param logits rows that want logits
     */
    public record Load(double decodeRows, RankArithmetic.Attended decodeAttended, double prefillTokens,
            RankArithmetic.Attended prefillPairs, double prefillReread, double logits) {
        /** Decode rows alone. */
        public static Load decode(double rows, double context) {
            return new Load(rows, RankArithmetic.Attended.context(context), 0, a -> 0, 0, rows);
        }

        double tokens() {
            return decodeRows + prefillTokens;
        }
    }

    /** The time of a step. */
    public StepTime time(Load load, StepTheory t) {
        double bandwidth = t.memoryShare() * hardware.bandwidth();
        double tokens = load.tokens();
        double weights = (rank.weightBytes(tokens) / KernelCosts.bandwidth(rank.plan().main(), t.formatZ())
                + rank.activationTraffic(tokens)) / bandwidth;
        double kvBytes = load.decodeRows() * rank.kvReadBytes(load.decodeAttended())
                + (tokens + load.prefillReread()) * rank.kvBytesPerToken();
        double cache = kvBytes / KernelCosts.cache(kv, t.formatZ()) / bandwidth;
        double peak = rank.plan().main().peak(hardware) * t.computeShare()
                * KernelCosts.compute(rank.plan().main(), hardware, t.formatZ());
        double attention = load.decodeRows() * rank.attentionFlops(load.decodeAttended())
                + rank.attentionFlops(load.prefillPairs());
        double half = QuantFormat.BF16.peak(hardware) * t.computeShare();
        double compute = rank.matrixFlops(tokens, load.logits()) / peak + attention / half;
        double memory = weights + cache;
        double joint = t.overlap() == 1
                ? memory + compute
                : Math.pow(Math.pow(memory, t.overlap()) + Math.pow(compute, t.overlap()), 1 / t.overlap());
        double memoryPart = t.overlap() == 1
                ? memory
                : joint * Math.pow(memory / joint, t.overlap());
        double scale = t.level() * NANOS;
        double part = memory > 0 ? memoryPart / memory : 0;
        return new StepTime(weights * part * scale, cache * part * scale, (joint - memoryPart) * scale,
                rank.spec().layerCount() * t.layerNanos() * t.level(),
                collectiveNanos(tokens, t) * t.level());
    }

    private double collectiveNanos(double tokens, StepTheory t) {
        Parallelism p = rank.parallel();
        double latency = rank.allReduces() * t.collectiveNanos() * log2(p.tensor())
                + rank.allToAlls() * t.collectiveNanos() * log2(p.experts())
                + rank.sends() * t.collectiveNanos();
        return latency + rank.wireBytes(tokens) / (t.linkShare() * hardware.linkBandwidth()) * NANOS;
    }

    private static double log2(int n) {
        return n <= 1 ? 0 : Math.log(n) / Math.log(2);
    }

    /** Rows at which compute takes as long as streaming the weights does, in pure decode without context. */
    public double knee(StepTheory t) {
        StepTheory plain = new StepTheory(1, t.memoryShare(), t.computeShare(), 0, 0, t.linkShare(), 1,
                t.formatZ());
        double low = 1;
        double high = 1;
        while (high < 1e7 && !computeBound(high, plain)) {
            high *= 2;
        }
        if (high >= 1e7) {
            return Double.POSITIVE_INFINITY;
        }
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (computeBound(middle, plain)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private boolean computeBound(double rows, StepTheory t) {
        StepTime time = time(new Load(rows, a -> 0, 0, a -> 0, 0, rows), t);
        double bandwidth = t.memoryShare() * hardware.bandwidth();
        double streaming = rank.weightBytes(rows) / KernelCosts.bandwidth(rank.plan().main(), t.formatZ())
                / bandwidth * NANOS;
        return time.computeNanos() >= streaming;
    }

    /** Rows at the knee by the peaks alone: ridge times bytes per weight over two. */
    public double nominalKnee() {
        return rank.plan().main().peak(hardware) / hardware.bandwidth() * rank.plan().main().bits() / 16;
    }

    /** The format of keys and values. */
    public QuantFormat kv() {
        return kv;
    }

    /** Bytes and operations. */
    public RankArithmetic rank() {
        return rank;
    }

    /** The machine. */
    public Hardware hardware() {
        return hardware;
    }
}
