package dev.assay.forecast;

import dev.assay.model.ModelShape;

/** Bounds that hold whatever an engine does: the fastest step, the knee of the batch, Amdahl's law. */
public final class Limits {
    private Limits() {}

    /**
     * The fastest possible step: weights and live KV streamed once. A measured step below it is a fault of the
     * measurement (or the model sits in a cache faster than the bandwidth given).
     *
     * @param settings of the arm; its KV format is taken as the lowest precision in use
     * @param liveTokens tokens whose keys and values the step reads
     * @param bytesPerSecond streaming bandwidth
     */
    public static double floorStepNanos(ModelShape shape, EngineSettings settings, double liveTokens,
            double bytesPerSecond) {
        if (!(bytesPerSecond > 0) || !(liveTokens >= 0)) {
            throw new IllegalArgumentException(
                    "bandwidth " + bytesPerSecond + " must be more than 0 and live tokens "
                            + liveTokens + " at least 0");
        }
        StepArithmetic step = new StepArithmetic(shape, settings);
        return (step.weightBytes() + liveTokens * step.kvBytesPerToken()) / bytesPerSecond * 1e9;
    }

    /**
     * The tokens of a step at which compute takes as long as streaming the weights: ridge x bits / 16.
     *
     * @param peakFlops operations per second
     * @param bytesPerSecond bandwidth
     * @param bitsPerWeight effective bits of a weight
     */
    public static double kneeTokens(double peakFlops, double bytesPerSecond, double bitsPerWeight) {
        return peakFlops / bytesPerSecond * bitsPerWeight / 16;
    }

    /**
     * Amdahl's law: the speed-up of the whole when a part of it gets faster.
     *
     * @param share of the whole's time that the part takes, in [0, 1]
     * @param speedup of the part; may be infinite
     */
    public static double amdahl(double share, double speedup) {
        if (!(share >= 0 && share <= 1) || !(speedup > 0)) {
            throw new IllegalArgumentException(
                    "share " + share + " must be in [0, 1] and speedup " + speedup + " more than 0");
        }
        return 1 / (1 - share + share / speedup);
    }
}
