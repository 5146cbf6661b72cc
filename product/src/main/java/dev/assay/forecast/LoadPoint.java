package dev.assay.forecast;

import java.util.OptionalDouble;

/**
 * What a measurement says of one load point by its summary alone.
 *
 * @param source where it was read, for messages
 * @param meanInput prompt tokens of a request
 * @param meanOutput tokens of an answer
 * @param concurrency clients of a closed loop; absent where requests arrive by themselves
 * @param requestsPerS completed requests in a second
 * @param tpotMs time per output token after the first
 * @param median whether that is the median over requests, else their mean
 * @param ttftMs time to the first token, by the same statistic
 * @param requests how many were measured
 */
public record LoadPoint(EvidenceKind kind, String source, double meanInput, double meanOutput,
        OptionalDouble concurrency, double requestsPerS, double tpotMs, boolean median,
        OptionalDouble ttftMs, double requests) {
    /** A load point repeats itself within this, as a relative standard deviation. */
    static final double REPEAT_SD = 0.04;
    /** Relative scatter of TPOT over the requests of one load point. */
    private static final double REQUEST_SD = 0.3;
    private static final double MS_PER_S = 1e3;

    public LoadPoint {
        positive(source, "mean input tokens", meanInput, 1e8);
        positive(source, "mean output tokens", meanOutput, 1e8);
        positive(source, "requests/s", requestsPerS, 1e7);
        positive(source, "TPOT in ms", tpotMs, 1e7);
        positive(source, "requests", requests, 1e12);
        ttftMs.ifPresent(v -> positive(source, "TTFT in ms", v, 1e8));
        concurrency.ifPresent(v -> positive(source, "concurrency", v, 1e6));
        if (!(meanOutput > 1)) {
            throw new IllegalArgumentException(source + ": mean output tokens is " + meanOutput
                    + "; expected more than 1, as TPOT is the time after the first");
        }
    }

    private static void positive(String source, String name, double value, double most) {
        if (!(value > 0) || value > most) {
            throw new IllegalArgumentException(
                    source + ": " + name + " is " + value + "; expected above 0, at most " + most);
        }
    }

    /** Requests that decode at once in the mean over time, by Little's law. */
    public double decoding() {
        return requestsPerS * tpotMs / MS_PER_S * (meanOutput - 1);
    }

    /**
     * Rows of the step that gives a request its token: where requests arrive at random each finds as many others as
     * there are in the mean (Wolff 1982), in a closed loop the mean is all.
     */
    public double rows(int cap) {
        return Math.clamp(concurrency.isPresent() ? decoding() : 1 + decoding(), 1, cap);
    }

    /** Prompts that others send while a request waits for its next token. */
    double promptsPerToken() {
        double others = concurrency.isPresent() ? 1 - 1 / Math.max(1, concurrency.getAsDouble()) : 1;
        return others * requestsPerS * tpotMs / MS_PER_S;
    }

    /** Tokens that a decode row attends in the mean. */
    public double context() {
        return meanInput + meanOutput / 2;
    }

    /** Relative standard deviation of TPOT: from one run to the next, and of its sample. */
    public double relativeSd() {
        return Math.hypot(REPEAT_SD, REQUEST_SD / Math.sqrt(requests));
    }
}
