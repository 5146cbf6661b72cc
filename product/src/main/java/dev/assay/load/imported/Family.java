package dev.assay.load.imported;

/** What people call a metric: several formulas share one of these names, and values compare only within a formula. */
public enum Family {
    /** Time to first token. */
    TTFT("TTFT", "ms", false),
    /** Time per output token after the first. */
    TPOT("TPOT", "ms", false),
    /** Time per output token with the first token's wait inside. */
    NTPOT("NTPOT", "ms", false),
    /** Gap between chunks or tokens, pooled over all requests. */
    ITL("ITL", "ms", false),
    /** Latency of a whole request. */
    E2E("E2E", "ms", false),
    /** Completed requests per second. */
    REQUEST_RATE("requests/s", "1/s", true),
    /** Output tokens per second. */
    OUTPUT_RATE("output tokens/s", "1/s", true),
    /** Requests within the SLO, per second. */
    GOODPUT("goodput", "1/s", true),
    /** Share of requests within the SLO. */
    GOOD_SHARE("good share", "", true);

    private final String label;
    private final String unit;
    private final boolean higherIsBetter;

    Family(String label, String unit, boolean higherIsBetter) {
        this.label = label;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** The unit of every value: {@code ms}, {@code 1/s}, or empty for a share. */
    public String unit() {
        return unit;
    }

    /** Whether a larger value is the better one. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /** Whether values are times of single requests or tokens, in milliseconds. */
    public boolean isLatency() {
        return unit.equals("ms");
    }
}
