package dev.assay.engine;

/** Counts of values by fixed upper bounds, as Prometheus wants them. Not safe for use by several threads. */
final class Histogram {
    private final double[] bounds;
    private final long[] counts;
    private double sum;
    private long count;

    Histogram(double... bounds) {
        this.bounds = bounds.clone();
        counts = new long[bounds.length];
    }

    void add(double value) {
        for (int i = 0; i < bounds.length; i++) {
            if (value <= bounds[i]) {
                counts[i]++;
                break;
            }
        }
        sum += value;
        count++;
    }

    /** Writes the series; buckets are cumulative. */
    void write(MetricsText out, String name, String help) {
        out.type(name, "histogram", help);
        long below = 0;
        for (int i = 0; i < bounds.length; i++) {
            below += counts[i];
            out.sample(name + "_bucket", "le", MetricsText.number(bounds[i]), (double) below);
        }
        out.sample(name + "_bucket", "le", "+Inf", (double) count);
        out.sample(name + "_sum", sum);
        out.sample(name + "_count", (double) count);
    }
}
