package dev.assay.workload;

/**
 * Counts of values in buckets whose width is a fixed share of their value: 8,192 to each power of two, so that the
 * middle of a bucket is within 2⁻¹⁴ (0.0061 %) of each value in it. Values below 2⁻²⁰ (a nanosecond in milliseconds)
 * count as 0, values above 2³⁰ as 2³⁰.
 */
final class LogLinear {
    private static final int BITS = 13;
    private static final int SUB = 1 << BITS;
    private static final int SHIFT = 52 - BITS;
    private static final int LEAST_EXPONENT = -20;
    private static final int OCTAVES = 50;
    private static final long BASE = (long) (1023 + LEAST_EXPONENT) << BITS;
    private static final double LEAST = Math.scalb(1.0, LEAST_EXPONENT);
    private static final double MOST = Math.nextDown(Math.scalb(1.0, LEAST_EXPONENT + OCTAVES));
    private static final long[] UNUSED = {};

    private final long[][] octaves = new long[OCTAVES][];
    private long zeros;
    private long n;

    LogLinear() {
        java.util.Arrays.fill(octaves, UNUSED);
    }

    void add(double value, int times) {
        n += times;
        if (value < LEAST) {
            zeros += times;
            return;
        }
        int bucket = (int) ((Double.doubleToRawLongBits(Math.min(value, MOST)) >>> SHIFT) - BASE);
        long[] counts = octaves[bucket >>> BITS];
        if (counts.length == 0) {
            counts = new long[SUB];
            octaves[bucket >>> BITS] = counts;
        }
        counts[bucket & SUB - 1] += times;
    }

    /** The quantile at {@code p} by linear interpolation between order statistics, as {@link Percentiles#ofSorted}. */
    double quantile(double p) {
        double h = (n - 1) * p;
        long below = (long) Math.floor(h);
        double low = ranked(below);
        return low + (h - below) * (ranked(Math.min(below + 1, n - 1)) - low);
    }

    /** The middle of the bucket that holds the value of this rank, from 0. */
    private double ranked(long rank) {
        long rest = rank - zeros;
        if (rest < 0) {
            return 0;
        }
        for (int octave = 0; octave < OCTAVES; octave++) {
            for (int sub = 0; sub < octaves[octave].length; sub++) {
                rest -= octaves[octave][sub];
                if (rest < 0) {
                    long bucket = ((long) octave << BITS) + sub + BASE;
                    return Double.longBitsToDouble((bucket << SHIFT) + (1L << SHIFT - 1));
                }
            }
        }
        throw new IllegalArgumentException("rank " + rank + " of " + n + " values");
    }
}
