package dev.assay.forecast;

/**
 * Steps of one shape in a profile that decode and compute no prompt.
 *
 * @param rows sequences that got a token
 * @param context tokens that one of them attends in the mean
 * @param nanos duration of a step, the median over these
 * @param steps how many there are
 * @param whole whether the duration reaches from step to step; else it is that of the device's work in one step
 */
public record StepSample(String source, double rows, double context, double nanos, int steps,
        boolean whole) {
    /** A profile's steps differ from those of a server without a profiler by this, as a relative standard deviation. */
    private static final double PROFILED_SD = 0.05;
    /** What lies between steps is not in the work of a single one. */
    private static final double PART_SD = 0.12;

    public StepSample {
        if (!(rows >= 1) || rows > 1e6 || !(context >= 0) || context > 1e9 || !(nanos > 0) || nanos > 1e12
                || steps < 1) {
            throw new IllegalArgumentException(source + ": " + steps + " steps of " + rows + " rows over "
                    + context + " tokens in " + nanos
                    + " ns; expected 1 to 1,000,000 rows, 0 or more tokens, and more than 0 ns");
        }
    }

    /** Relative standard deviation of the duration as one of an unprofiled step. */
    public double relativeSd() {
        return whole ? PROFILED_SD : PART_SD;
    }
}
