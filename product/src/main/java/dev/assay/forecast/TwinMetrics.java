package dev.assay.forecast;

/** The names of what a replay of a trace gives beside {@link MetricNames} and {@link TelemetryNames}. */
public final class TwinMetrics {
    public static final String TTFT_P99 = "ttft_p99_ms";
    public static final String TPOT_P99 = "tpot_p99_ms";
    /** Requests longer than the model or the pool takes. */
    public static final String REJECTED = "rejected";
    /** Prompt tokens found in the prefix cache over all prompt tokens. */
    public static final String PREFIX_HITS = "prefix_hit_share";

    private TwinMetrics() {}
}
