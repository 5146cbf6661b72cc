package dev.assay.workload;

/**
 * Counts of values in buckets whose width is a fixed share of their value: {@code 2^bits} to each power of two, so that
 * the middle of a bucket is within 2^-(bits + 1) of each value in it (0.0061 % at {@value #FINE} bits). Values below
 * 2⁻²⁰ (a nanosecond in milliseconds) count as 0, values above 2³⁰ as 2³⁰.
 */
final class LogLinear {
    /** 8,192 buckets to a power of two: 64 KiB for each that occurs. */
    static final int FINE = 13;
    /** 128 buckets to a power of two: within 0.4 %, 1 KiB for each that occurs. */
    static final int COARSE = 7;
    private static final int LEAST_EXPONENT = -20;
    private static final int OCTAVES = 50;
    private static final double LEAST = Math.scalb(1.0, LEAST_EXPONENT);
    private static final double MOST = Math.nextDown(Math.scalb(1.0, LEAST_EXPONENT + OCTAVES));
    private static final long[] UNUSED = {};

    private final int bits;
    private final int sub;
    private final int shift;
    private final long base;
    private final long[][] octaves = new long[OCTAVES][];
    private long zeros;
    private long n;

    LogLinear() {
        this(FINE);
    }

    LogLinear(int bits) {
        this.bits = bits;
        sub = 1 << bits;
        shift = 52 - bits;
        base = (long) (1023 + LEAST_EXPONENT) << bits;
        java.util.Arrays.fill(octaves, UNUSED);
    }

    void add(double value, int times) {
        n += times;
        if (value < LEAST) {
            zeros += times;
            return;
        }
        int bucket = (int) ((Double.doubleToRawLongBits(Math.min(value, MOST)) >>> shift) - base);
        long[] counts = octaves[bucket >>> bits];
        if (counts.length == 0) {
            counts = new long[sub];
            octaves[bucket >>> bits] = counts;
        }
        counts[bucket & sub - 1] += times;
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
            for (int at = 0; at < octaves[octave].length; at++) {
                rest -= octaves[octave][at];
                if (rest < 0) {
                    long bucket = ((long) octave << bits) + at + base;
                    return Double.longBitsToDouble((bucket << shift) + (1L << shift - 1));
                }
            }
        }
        throw new IllegalArgumentException("rank " + rank + " of " + n + " values");
    }
}
