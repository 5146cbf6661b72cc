package dev.assay.review;

import dev.assay.load.Validity;
import dev.assay.workload.Slo;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What sets the two arms apart beside the change: the ways to them and the warmth of their prefix caches. Where one way is
 * longer, every request of that arm waits longer for its first token although nothing about the server is slower; a
 * difference that could make the effect observed lets no claim be decided.
 *
 * @param gapMs how much longer the candidate's median round trip is, negative where the baseline's is; absent where an
 *     arm has none, as in evidence from before round trips were measured
 * @param noiseMs by how much the slots' round trips scatter
 * @param prefixGap distance between the arms' median shares of prompt tokens from a prefix cache, 0 where unknown
 */
record Paths(OptionalDouble gapMs, double noiseMs, double prefixGap) {
    /** Evidence that says nothing of paths. */
    static final Paths UNKNOWN = new Paths(OptionalDouble.empty(), 0, 0);
    /** The round trip of a slot in milliseconds, among its telemetry. */
    static final String ROUND_TRIP = "rtt_ms";
    private static final String PREFIX_HITS = "prefix_hit_share";
    /** Less than this is within what the client itself adds. */
    private static final double FLOOR_MS = 0.1;
    /** A gap counts when it is more than this many times the scatter. */
    private static final double CLEAR = 3;
    /** The path could make the effect when it is this share of it: then at most half is the change's. */
    private static final double SHARE_OF_EFFECT = 0.5;
    /** And it matters only when it is this share of the value. */
    private static final double SHARE_OF_VALUE = 0.01;
    /** Goodput can move when the gap is this share of the bound that requests are held to. */
    private static final double SHARE_OF_BOUND = 0.02;

    static Paths of(List<SlotResult> slots) {
        double[] a = values(slots, Arm.BASELINE, ROUND_TRIP);
        double[] b = values(slots, Arm.CANDIDATE, ROUND_TRIP);
        double[] cachedA = values(slots, Arm.BASELINE, PREFIX_HITS);
        double[] cachedB = values(slots, Arm.CANDIDATE, PREFIX_HITS);
        double prefixGap = cachedA.length == 0 || cachedB.length == 0
                ? 0
                : Math.abs(median(cachedB) - median(cachedA));
        return a.length == 0 || b.length == 0
                ? new Paths(OptionalDouble.empty(), 0, prefixGap)
                : new Paths(OptionalDouble.of(median(b) - median(a)), scatter(a) + scatter(b), prefixGap);
    }

    /** The same where different shares from the prefix cache are the change itself. */
    Paths cachesMayDiffer() {
        return new Paths(gapMs, noiseMs, 0);
    }

    private static double[] values(List<SlotResult> slots, Arm arm, String name) {
        return slots.stream().filter(s -> s.key().arm() == arm)
                .flatMap(s -> Optional.ofNullable(s.telemetry().get(name)).stream())
                .mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private static double median(double[] ascending) {
        int n = ascending.length;
        return (ascending[(n - 1) / 2] + ascending[n / 2]) / 2;
    }

    /** Median distance from the median. */
    private static double scatter(double[] ascending) {
        double middle = median(ascending);
        return median(Arrays.stream(ascending).map(v -> Math.abs(v - middle)).sorted().toArray());
    }

    /** Why paths or caches forbid a conclusion on this metric's change at a load point; empty where they allow it. */
    Optional<String> refusal(Metric metric, OptionalDouble baseline, OptionalDouble candidate, Slo slo) {
        if (prefixGap > Validity.PREFIX_GAP_FAIL) {
            return Optional.of(String.format(Locale.ROOT,
                    "the arms' prefix caches served %.0f percentage points apart (bound %.0f): one arm computed less",
                    100 * prefixGap, 100 * Validity.PREFIX_GAP_FAIL));
        }
        double gap = Math.abs(gapMs.orElse(0));
        if (gap < FLOOR_MS || gap < CLEAR * noiseMs) {
            return Optional.empty();
        }
        return switch (metric) {
            case TTFT_P50_MS, TTFT_P95_MS, E2E_P50_MS -> baseline.isPresent() && candidate.isPresent()
                    ? latency(gap, baseline.getAsDouble(), candidate.getAsDouble())
                    : Optional.empty();
            case GOODPUT_RPS, GOOD_FRACTION -> bound(gap, slo);
            // A path that is longer by the same time for every token changes no gap between tokens and no rate.
            case TPOT_P50_MS, TPOT_P95_MS, OUTPUT_TOKENS_PER_S, DECODE_ROWS_PER_STEP, STEP_TIME_MS,
                    ITL_MEAN_MS,
                    WEIGHT_BYTES_PER_STEP, KV_BYTES_PER_STEP, RESIDENT_WEIGHT_BYTES, TOKENS_PER_STEP,
                    KV_CACHE_USAGE_PEAK, KV_BYTES_PER_ROW ->
                Optional.empty();
        };
    }

    private Optional<String> latency(double gap, double a, double b) {
        double effect = Math.abs(b - a);
        return gap >= SHARE_OF_EFFECT * effect && gap >= SHARE_OF_VALUE * a
                ? Optional.of(String.format(Locale.ROOT,
                        "the ways to the arms differ by %.2f ms a round trip, the metric by %.2f ms: the path could make the effect",
                        gap, effect))
                : Optional.empty();
    }

    private static Optional<String> bound(double gap, Slo slo) {
        double tightest = Math.min(slo.ttftMs().orElse(Double.POSITIVE_INFINITY),
                slo.e2eMs().orElse(Double.POSITIVE_INFINITY));
        return gap >= SHARE_OF_BOUND * tightest
                ? Optional.of(String.format(Locale.ROOT,
                        "the ways to the arms differ by %.2f ms a round trip, %.0f %% of the SLO's %.0f ms: the path could make the effect",
                        gap, 100 * gap / tightest, tightest))
                : Optional.empty();
    }
}
