package dev.assay.forecast;

import java.util.List;

/** The names of the metrics that a forecast gives, as in files. */
public final class MetricNames {
    public static final String TTFT_P50 = "ttft_p50_ms";
    public static final String TTFT_P95 = "ttft_p95_ms";
    public static final String TPOT_P50 = "tpot_p50_ms";
    public static final String TPOT_P95 = "tpot_p95_ms";
    public static final String E2E_P50 = "e2e_p50_ms";
    public static final String OUTPUT_TOKENS_PER_S = "output_tokens_per_s";
    public static final String GOODPUT = "goodput_rps";
    public static final String GOOD_FRACTION = "good_fraction";
    public static final String DECODE_ROWS = "decode_rows_per_step";
    public static final String TOKENS = "tokens_per_step";
    public static final String ITL_MEAN = "itl_mean_ms";
    public static final String STEP_TIME = "step_time_ms";
    public static final String WEIGHT_BYTES = "weight_bytes_per_step";
    public static final String KV_BYTES = "kv_bytes_per_step";
    public static final String FLOPS = "flops_per_step";
    public static final String RESIDENT_WEIGHT_BYTES = "resident_weight_bytes";
    public static final String KV_PAGES_PEAK = "kv_pages_peak";

    public static final String KV_USAGE_PEAK = "kv_cache_usage_peak";

    /** The metrics that a client sees. */
    public static final List<String> CLIENT = List.of(TTFT_P50, TTFT_P95, TPOT_P50, TPOT_P95, E2E_P50,
            OUTPUT_TOKENS_PER_S, GOODPUT, GOOD_FRACTION);

    private MetricNames() {}
}
