package dev.assay.load;

import dev.assay.workload.Metrics;
import dev.assay.workload.Percentiles;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary.Spread;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Whether a run may be concluded from: each check with its figures and bound. A check never changes a figure. */
public final class Validity {
    /** Sent rate over scheduled rate: below the first is doubtful, below the second void. */
    public static final double RATE_WARN = 0.98;
    public static final double RATE_FAIL = 0.95;
    /** 99th percentile of schedule lag in milliseconds; latency counts from the schedule, so lag is part of it. */
    public static final double LAG_WARN_MS = 5;
    public static final double LAG_FAIL_MS = 25;
    /** Share of the run that the client's thread worked. */
    public static final double BUSY_WARN = 0.5;
    public static final double BUSY_FAIL = 0.8;
    /** Failed requests over all. */
    public static final double ERRORS_WARN = 0;
    public static final double ERRORS_FAIL = 0.05;
    /** Relative distance of mean output length from what was asked for. */
    public static final double OUTPUT_WARN = 0.01;
    public static final double OUTPUT_FAIL = 0.05;
    /** Relative distance of mean prompt length from what was asked for. */
    public static final double PROMPT_WARN = 0.10;
    public static final double PROMPT_FAIL = 0.30;
    /** Prompt tokens from a prefix cache, in a workload that shares no prefix. */
    public static final double PREFIX_WARN = 0.05;
    /** Difference of that share between two arms. */
    public static final double PREFIX_GAP_WARN = 0.02;
    public static final double PREFIX_GAP_FAIL = 0.10;
    /** Difference of the arms' round trips in milliseconds. */
    public static final double PATH_WARN_MS = 0.3;
    public static final double PATH_FAIL_MS = 1.0;
    /** Independent values that a two-sided 95 % bound on p50, p95, p99 needs (reference/statistics.md 2.3). */
    public static final int FLOOR_P50 = 6;
    public static final int FLOOR_P95 = 72;
    public static final int FLOOR_P99 = 368;
    /** In flight late in the run over early: more than this factor and this many more means a growing queue. */
    public static final double GROWTH_FACTOR = 1.5;
    public static final double GROWTH_FLOOR = 3;

    private Validity() {}

    /**
     * The checks of one run.
     *
     * @param openLoop whether requests had scheduled times
     * @param exactLengths whether the server was asked to ignore its end token
     * @param telemetry what {@link Telemetry#between} gave, empty where nothing was scraped
     */
    public static List<ValidityCheck> check(LoadRun run, boolean openLoop, boolean exactLengths,
            Map<String, Double> telemetry) {
        List<RequestOutcome> all = run.outcomes();
        List<RequestOutcome> completed = all.stream().filter(RequestOutcome::completed).toList();
        List<ValidityCheck> checks = new ArrayList<>();
        checks.add(achievedRate(all, openLoop));
        checks.add(scheduleLag(all));
        checks.add(above("client-saturation", run.client().busyShare(), BUSY_WARN, BUSY_FAIL,
                "the client was busy"));
        checks.add(errorShare(all, completed));
        checks.add(outputLength(completed, exactLengths));
        checks.add(promptTokens(completed));
        checks.add(prefixHits(completed, telemetry));
        checks.add(sampleCount(completed.size()));
        checks.add(steadyState(all, openLoop));
        return List.copyOf(checks);
    }

    /** What two arms' runs must share, beside their schedules. */
    public record Path(OptionalDouble prefixHitShare, OptionalLong roundTripNanos) {}

    /** The checks of two arms against each other: prefix-cache hits and the paths to them. */
    public static List<ValidityCheck> compare(Path a, Path b) {
        ValidityCheck prefix = a.prefixHitShare().isEmpty() || b.prefixHitShare().isEmpty()
                ? absent("prefix-hit-gap", "a server does not report prefix-cache hits")
                : above("prefix-hit-gap",
                        Math.abs(a.prefixHitShare().getAsDouble() - b.prefixHitShare().getAsDouble()),
                        PREFIX_GAP_WARN, PREFIX_GAP_FAIL, "difference of the arms' prefix-hit shares");
        if (a.roundTripNanos().isEmpty() || b.roundTripNanos().isEmpty()) {
            return List.of(prefix, absent("round-trip-gap", "a round trip could not be measured"));
        }
        double gap = Math.abs(a.roundTripNanos().getAsLong() - b.roundTripNanos().getAsLong()) / 1e6;
        return List.of(prefix, new ValidityCheck("round-trip-gap", status(gap, PATH_WARN_MS, PATH_FAIL_MS),
                text("the arms' round trips differ by %.2f ms (bounds %.1f, %.1f)", gap, PATH_WARN_MS,
                        PATH_FAIL_MS)));
    }

    /** Share of prompt tokens served from a prefix cache, by the usage of each request, else by the server's metrics. */
    public static OptionalDouble prefixHitShare(List<RequestOutcome> outcomes,
            Map<String, Double> telemetry) {
        List<RequestOutcome> known = outcomes.stream()
                .filter(o -> o.cachedTokens().isPresent() && o.promptTokens().isPresent()).toList();
        long prompt = known.stream().mapToLong(o -> o.promptTokens().orElse(0)).sum();
        if (prompt > 0) {
            return OptionalDouble
                    .of(known.stream().mapToLong(o -> o.cachedTokens().orElse(0)).sum() / (double) prompt);
        }
        Double server = telemetry.get("prefix_hit_share");
        return server == null ? OptionalDouble.empty() : OptionalDouble.of(server);
    }

    private static ValidityCheck achievedRate(List<RequestOutcome> all, boolean openLoop) {
        List<RequestOutcome> sent = all.stream().filter(o -> o.sentNanos().isPresent()).toList();
        if (!openLoop || sent.size() < 2) {
            return absent("achieved-rate",
                    openLoop ? "fewer than two requests were sent" : "a closed loop has no rate");
        }
        long asked = all.stream().mapToLong(o -> o.request().arrivalNanos()).max().orElse(0)
                - all.stream().mapToLong(o -> o.request().arrivalNanos()).min().orElse(0);
        long taken = sent.stream().mapToLong(o -> o.sentNanos().orElse(0)).max().orElse(0)
                - sent.stream().mapToLong(o -> o.sentNanos().orElse(0)).min().orElse(0);
        double requested = (all.size() - 1) / (Math.max(1, asked) / 1e9);
        double achieved = (sent.size() - 1) / (Math.max(1, taken) / 1e9);
        double share = achieved / requested;
        Status status = share < RATE_FAIL ? Status.FAIL : share < RATE_WARN ? Status.WARN : Status.PASS;
        return new ValidityCheck("achieved-rate", status,
                text("sent %.2f of %.2f scheduled requests/s (bounds %.2f, %.2f of it)", achieved, requested,
                        RATE_WARN,
                        RATE_FAIL));
    }

    private static ValidityCheck scheduleLag(List<RequestOutcome> all) {
        Optional<Spread> lag = Percentiles.spread(Metrics.scheduleLagMs(all));
        return lag.map(s -> new ValidityCheck("schedule-lag", status(s.p99(), LAG_WARN_MS, LAG_FAIL_MS),
                text("p50 %.2f ms, p99 %.2f ms (bounds on p99: %.0f, %.0f)", s.p50(), s.p99(), LAG_WARN_MS,
                        LAG_FAIL_MS)))
                .orElse(absent("schedule-lag", "no request was sent"));
    }

    private static ValidityCheck errorShare(List<RequestOutcome> all, List<RequestOutcome> completed) {
        int failed = all.size() - completed.size();
        String first = all.stream().filter(o -> !o.completed()).findFirst()
                .map(o -> "; first: " + o.failure().orElseThrow().name().toLowerCase(Locale.ROOT) + ", "
                        + o.detail())
                .orElse("");
        double share = all.isEmpty() ? 1 : failed / (double) all.size();
        return new ValidityCheck("error-share", status(share, ERRORS_WARN, ERRORS_FAIL),
                text("%d of %d requests failed (bound %.0f %%)", failed, all.size(), 100 * ERRORS_FAIL)
                        + first);
    }

    private static ValidityCheck outputLength(List<RequestOutcome> completed, boolean exactLengths) {
        if (!exactLengths || completed.isEmpty()) {
            return absent("output-length",
                    exactLengths
                            ? "no request completed"
                            : "the server may end an answer early (no ignore_eos)");
        }
        double asked = completed.stream().mapToInt(o -> o.request().outputTokens()).average().orElseThrow();
        double got = completed.stream().mapToInt(RequestOutcome::outputTokens).average().orElseThrow();
        return new ValidityCheck("output-length", status(Math.abs(got / asked - 1), OUTPUT_WARN, OUTPUT_FAIL),
                text("asked for %.1f tokens in the mean, got %.1f (bounds %.0f %%, %.0f %%)", asked, got,
                        100 * OUTPUT_WARN, 100 * OUTPUT_FAIL));
    }

    private static ValidityCheck promptTokens(List<RequestOutcome> completed) {
        List<RequestOutcome> known = completed.stream().filter(o -> o.promptTokens().isPresent()).toList();
        if (known.isEmpty()) {
            return absent("prompt-tokens", "the server reports no prompt tokens");
        }
        double asked = known.stream().mapToInt(o -> o.request().promptTokens()).average().orElseThrow();
        double got = known.stream().mapToLong(o -> o.promptTokens().orElse(0)).average().orElseThrow();
        return new ValidityCheck("prompt-tokens", status(Math.abs(got / asked - 1), PROMPT_WARN, PROMPT_FAIL),
                text("meant %.1f tokens in the mean, the server counted %.1f (bounds %.0f %%, %.0f %%)",
                        asked, got,
                        100 * PROMPT_WARN, 100 * PROMPT_FAIL));
    }

    private static ValidityCheck prefixHits(List<RequestOutcome> completed, Map<String, Double> telemetry) {
        OptionalDouble share = prefixHitShare(completed, telemetry);
        return share.isEmpty()
                ? absent("prefix-hits", "the server does not report prefix-cache hits")
                : new ValidityCheck("prefix-hits",
                        share.getAsDouble() > PREFIX_WARN ? Status.WARN : Status.PASS,
                        text("%.1f %% of prompt tokens came from a prefix cache (bound %.0f %%)",
                                100 * share.getAsDouble(), 100 * PREFIX_WARN));
    }

    private static ValidityCheck sampleCount(int n) {
        Status status = n < FLOOR_P50 ? Status.FAIL : n < FLOOR_P99 ? Status.WARN : Status.PASS;
        String supports = n < FLOOR_P50
                ? "no percentile"
                : n < FLOOR_P95 ? "the median only" : n < FLOOR_P99 ? "p50 to p95, not p99" : "p50 to p99";
        return new ValidityCheck("sample-count", status, text(
                "%d completed requests support %s (p50 needs %d, p95 %d, p99 %d independent values)", n,
                supports,
                FLOOR_P50, FLOOR_P95, FLOOR_P99));
    }

    private static ValidityCheck steadyState(List<RequestOutcome> all, boolean openLoop) {
        long span = all.stream().mapToLong(o -> o.request().arrivalNanos()).max().orElse(0);
        if (!openLoop || all.size() < FLOOR_P50 || span == 0) {
            return absent("steady-state", openLoop ? "too few requests" : "a closed loop has no backlog");
        }
        double early = inFlight(all, span / 4, span / 2);
        double late = inFlight(all, span * 3 / 4, span);
        boolean growing = late > early * GROWTH_FACTOR + GROWTH_FLOOR;
        return new ValidityCheck("steady-state", growing ? Status.WARN : Status.PASS, text(
                "%sin flight: %.1f in the second quarter, %.1f in the last (bound %.1f times and %.0f more)",
                growing ? "overloaded: " : "", early, late, GROWTH_FACTOR, GROWTH_FLOOR));
    }

    /** Mean number of requests that were scheduled and not ended, over a part of the run. */
    private static double inFlight(List<RequestOutcome> all, long from, long to) {
        double area = 0;
        for (RequestOutcome o : all) {
            area += Math.max(0, Math.min(to, o.endNanos()) - Math.max(from, o.request().arrivalNanos()));
        }
        return area / Math.max(1, to - from);
    }

    private static ValidityCheck above(String name, double value, double warn, double fail, String what) {
        return new ValidityCheck(name, status(value, warn, fail),
                text("%s: %.1f %% (bounds %.0f %%, %.0f %%)", what,
                        100 * value, 100 * warn, 100 * fail));
    }

    static Status status(double value, double warn, double fail) {
        return value > fail ? Status.FAIL : value > warn ? Status.WARN : Status.PASS;
    }

    static ValidityCheck absent(String name, String why) {
        return new ValidityCheck(name, Status.ABSENT, why);
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
