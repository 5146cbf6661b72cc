package dev.assay.forecast;

/** The names under which a server's telemetry of one slot is read, whatever server it came from. */
public final class TelemetryNames {
    /** Steps that computed something. */
    public static final String STEPS = "steps";
    /** Decode rows by step. */
    public static final String DECODE_ROWS = "decode_rows_per_step";
    /** Decode rows and prefill tokens by step. */
    public static final String TOKENS = "tokens_per_step";
    /** Mean time of a step. */
    public static final String STEP_TIME = "step_time_ms";
    public static final String WEIGHT_BYTES = "weight_bytes_per_step";
    public static final String KV_BYTES = "kv_bytes_per_step";
    public static final String RESIDENT_WEIGHT_BYTES = "resident_weight_bytes";
    /** Time average of the sequences that run. */
    public static final String RUNNING = "running_mean";
    /** Time average of the queue. */
    public static final String WAITING = "waiting_mean";
    /** Largest share of the KV pool in use. */
    public static final String KV_USAGE_PEAK = "kv_cache_usage_peak";
    public static final String PREEMPTIONS = "preemptions";
    public static final String ITL_MEAN = "itl_mean_ms";
    /** Share of the time in which a step ran. */
    public static final String BUSY_SHARE = "engine_busy_share";
    /** Share of step time in the blocks' matrix products, the output head left out. */
    public static final String GEMM_SHARE = "gemm_share";
    /** Share of step time in attention. */
    public static final String ATTENTION_SHARE = "attention_share";
    /** Steps that left the head of the queue waiting for a batch slot. */
    public static final String WAIT_CAP = "wait_cap";
    /** The same, for pages. */
    public static final String WAIT_PAGES = "wait_pages";
    /** The same, for the token budget. */
    public static final String WAIT_BUDGET = "wait_budget";

    private TelemetryNames() {}
}
