package dev.assay.cli;

import java.util.Locale;

/** Counts of milliseconds in buckets 2 % wide: good for a glance, never for a report. */
final class LiveHistogram {
    private static final double LEAST_MS = 1e-3;
    private static final double STEP = Math.log(1.02);

    private final long[] counts = new long[1400];
    private long n;

    void add(double ms) {
        int bucket = ms <= LEAST_MS ? 0 : (int) (Math.log(ms / LEAST_MS) / STEP);
        counts[Math.min(bucket, counts.length - 1)]++;
        n++;
    }

    /** The value that this share of all lie below; NaN where there is none. */
    double quantile(double share) {
        long rank = (long) Math.ceil(share * n);
        long seen = 0;
        for (int i = 0; i < counts.length && n > 0; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return LEAST_MS * Math.exp((i + 0.5) * STEP);
            }
        }
        return Double.NaN;
    }

    String text(double share) {
        return n == 0 ? "-" : String.format(Locale.ROOT, "%.3g", quantile(share));
    }
}
