package dev.assay.review;

import dev.assay.workload.RunSummary;
import dev.assay.workload.RunSummary.Spread;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A quantity that a claim can be about: its name in files, its unit, which direction is better, and where its value in
 * one slot comes from (the client's summary or the server's telemetry).
 */
public enum Metric {
    /** Time to the first token, half of all requests. */
    TTFT_P50_MS("ttft_p50_ms", "TTFT p50", "ms", false, s -> at(s.ttftMs(), Spread::p50)),
    /** Time to the first token, all but one in twenty. */
    TTFT_P95_MS("ttft_p95_ms", "TTFT p95", "ms", false, s -> at(s.ttftMs(), Spread::p95)),
    /** Time per output token after the first, half of all requests. */
    TPOT_P50_MS("tpot_p50_ms", "TPOT p50", "ms", false, s -> at(s.tpotMs(), Spread::p50)),
    /** Time per output token after the first, all but one in twenty. */
    TPOT_P95_MS("tpot_p95_ms", "TPOT p95", "ms", false, s -> at(s.tpotMs(), Spread::p95)),
    /** Latency of a whole request, half of all. */
    E2E_P50_MS("e2e_p50_ms", "E2E p50", "ms", false, s -> at(s.e2eMs(), Spread::p50)),
    /** Output tokens per second of the slot. */
    OUTPUT_TOKENS_PER_S("output_tokens_per_s", "throughput", "tok/s", true,
            s -> OptionalDouble.of(s.throughput().outputTokensPerS())),
    /** Requests within the SLO, per second. */
    GOODPUT_RPS("goodput_rps", "goodput", "req/s", true, RunSummary::goodputRps),
    /** Share of the attempted requests that met the SLO. */
    GOOD_FRACTION("good_fraction", "good share", "", true, RunSummary::goodFraction),
    /** Sequences that a step decodes, from the server. */
    DECODE_ROWS_PER_STEP("decode_rows_per_step", "decode rows per step", "rows", true),
    /** Length of a step, from the server. */
    STEP_TIME_MS("step_time_ms", "step time", "ms", false),
    /** Mean gap between tokens as the server sees it. */
    ITL_MEAN_MS("itl_mean_ms", "server ITL mean", "ms", false),
    /** Weights that a step reads. */
    WEIGHT_BYTES_PER_STEP("weight_bytes_per_step", "weight bytes per step", "B", false),
    /** Keys and values that a step reads. */
    KV_BYTES_PER_STEP("kv_bytes_per_step", "KV bytes per step", "B", false),
    /** Weights in memory. */
    RESIDENT_WEIGHT_BYTES("resident_weight_bytes", "resident weights", "B", false),
    /** Tokens that a step computes, prompts' and outputs'. */
    TOKENS_PER_STEP("tokens_per_step", "tokens per step", "tok", true),
    /** Most of the KV pages that were in use at once, as a share. */
    KV_CACHE_USAGE_PEAK("kv_cache_usage_peak", "KV pages in use, peak", "", false),
    /** Derived: what a decode row attends, however many rows a step has. */
    KV_BYTES_PER_ROW("kv_bytes_per_row", "KV bytes per decode row", "B", false);

    private final String id;
    private final String label;
    private final String unit;
    private final boolean higherIsBetter;
    @SuppressWarnings("ImmutableEnumChecker") // the lambdas above capture nothing
    private final Optional<Function<RunSummary, OptionalDouble>> fromSummary;

    Metric(String id, String label, String unit, boolean higherIsBetter,
            Function<RunSummary, OptionalDouble> fromSummary) {
        this.id = id;
        this.label = label;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
        this.fromSummary = Optional.of(fromSummary);
    }

    Metric(String id, String label, String unit, boolean higherIsBetter) {
        this.id = id;
        this.label = label;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
        this.fromSummary = Optional.empty();
    }

    /** The name in files. */
    public String id() {
        return id;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** The unit, empty for a share. */
    public String unit() {
        return unit;
    }

    /** Whether a larger value is the better one. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /** Whether an analysis lists it only where a claim is about it: it follows from others that are listed. */
    boolean derived() {
        return this == KV_BYTES_PER_ROW;
    }

    /** Whether a server with this telemetry gives it. */
    boolean observable(Set<String> telemetry) {
        return this == KV_BYTES_PER_ROW
                ? telemetry.contains(DECODE_ROWS_PER_STEP.id) && telemetry.contains(KV_BYTES_PER_STEP.id)
                : telemetry.contains(id);
    }

    /** Its value in one slot; empty where neither the client nor the server gave it. */
    public OptionalDouble in(RunSummary summary, Map<String, Double> telemetry) {
        if (fromSummary.isPresent()) {
            return fromSummary.get().apply(summary);
        }
        if (this == KV_BYTES_PER_ROW) {
            double rows = telemetry.getOrDefault(DECODE_ROWS_PER_STEP.id, 0.0);
            double bytes = telemetry.getOrDefault(KV_BYTES_PER_STEP.id, 0.0);
            return rows > 0 && bytes > 0 ? OptionalDouble.of(bytes / rows) : OptionalDouble.empty();
        }
        Double value = telemetry.get(id);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The metric of that name; an {@link IllegalArgumentException} names the field and the choices. */
    public static Metric named(String field, String name) {
        return Arrays.stream(values()).filter(m -> m.id.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("field '" + field + "' is '" + name
                        + "'; expected one of "
                        + Arrays.stream(values()).map(Metric::id).collect(Collectors.joining(", "))));
    }

    private static OptionalDouble at(Optional<Spread> spread, Function<Spread, Double> percentile) {
        return spread.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(percentile.apply(spread.get()));
    }
}
