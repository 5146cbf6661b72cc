package dev.assay.load;

import static dev.assay.load.Validity.absent;
import static dev.assay.load.Validity.status;
import static dev.assay.load.Validity.text;

import dev.assay.stats.EarlyStopping;
import dev.assay.stats.Trend;
import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The validity gate: {@link Validity}'s checks and those that need more than the requests (the machine's ceiling, the
 * round trip), with the percentiles' floors and the steady state told in full. {@code docs/validity.md} lists every
 * check with its bounds and their reasons.
 */
public final class Gate {
    /** Share of the ceiling: beyond the second the client's own delays are part of what it measures. */
    public static final double CEILING_WARN = 0.5;
    public static final double CEILING_FAIL = 0.8;
    /** A round trip that changed by this factor and this many milliseconds within a slot. */
    public static final double PATH_CHANGE = 1.5;
    public static final double PATH_CHANGE_MS = 0.5;
    /** Percentiles that reports show. */
    private static final int[] PERCENTILES = {50, 90, 95, 99};
    private static final double DRIFT = 0.2;
    private static final double SURE = 0.001;
    private static final int BATCHES = 10;
    private static final int FEWEST = 40;

    private Gate() {}

    /**
     * What the gate looks at beside the run.
     *
     * @param openLoop whether requests had scheduled times
     * @param exactLengths whether the server was asked to ignore its end token
     * @param telemetry what {@link Telemetry#between} gave, empty where nothing was scraped
     */
    public record Context(boolean openLoop, boolean exactLengths, Map<String, Double> telemetry,
            GateInputs inputs) {
        public Context {
            telemetry = Map.copyOf(telemetry);
        }
    }

    /** Every check of one run, in a fixed order. */
    public static List<ValidityCheck> check(LoadRun run, Context context) {
        List<RequestOutcome> all = run.outcomes();
        List<RequestOutcome> completed = all.stream().filter(RequestOutcome::completed).toList();
        List<ValidityCheck> checks = new ArrayList<>();
        for (ValidityCheck c : Validity.check(run, context.openLoop(), context.exactLengths(),
                context.telemetry())) {
            switch (c.check()) {
                case "sample-count" -> checks.add(enough(completed.size()));
                case "steady-state" -> checks.add(steady(all, completed, context.openLoop()));
                default -> checks.add(c);
            }
        }
        checks.addAll(percentiles(completed.size(), run.windowNanos()));
        checks.add(headroom(run, context.inputs().ceiling()));
        checks.add(roundTrip(context.inputs()));
        return List.copyOf(checks);
    }

    /** What is left of the load generator: 1 − the larger of its busy share and its share of the ceiling. */
    public static double headroom(LoadRun run, GateInputs inputs) {
        double used = inputs.ceiling().map(c -> c.used(run)).orElse(0.0);
        return Math.clamp(1 - Math.max(used, run.client().busyShare()), 0, 1);
    }

    private static ValidityCheck enough(int n) {
        return new ValidityCheck("sample-count", n < Validity.FLOOR_P50 ? Status.FAIL : Status.PASS,
                text("%d completed requests (bound %d)", n, Validity.FLOOR_P50));
    }

    private static List<ValidityCheck> percentiles(int n, long windowNanos) {
        List<ValidityCheck> checks = new ArrayList<>();
        for (int p : PERCENTILES) {
            int needed = EarlyStopping.floor(p / 100.0);
            double perS = n / (windowNanos / 1e9);
            String advice = n > 0 && n < needed
                    ? text("; at %.3g/s this takes %.0f s", perS, Math.ceil(needed / perS))
                    : "";
            checks.add(new ValidityCheck("percentile-p" + p, n < needed ? Status.WARN : Status.PASS,
                    text("p%d needs %d completed requests, has %d", p, needed, n) + advice));
        }
        return checks;
    }

    private static ValidityCheck headroom(LoadRun run, Optional<Ceiling> ceiling) {
        if (ceiling.isEmpty()) {
            return absent("client-headroom", "ceiling unknown: run assay load --self-test");
        }
        double used = ceiling.get().used(run);
        return new ValidityCheck("client-headroom", status(used, CEILING_WARN, CEILING_FAIL),
                text("%.0f %% of this machine's ceiling of %.0f requests/s, %.0f events/s, %d streams (bounds %.0f %%, %.0f %%)",
                        100 * used, ceiling.get().requestsPerS(), ceiling.get().eventsPerS(),
                        ceiling.get().streams(), 100 * CEILING_WARN, 100 * CEILING_FAIL));
    }

    private static ValidityCheck roundTrip(GateInputs inputs) {
        if (inputs.roundTripBefore().isEmpty() || inputs.roundTripAfter().isEmpty()) {
            return absent("round-trip", "the server answers no request that makes no token");
        }
        RoundTrip before = inputs.roundTripBefore().get();
        RoundTrip after = inputs.roundTripAfter().get();
        double low = Math.min(before.medianMs(), after.medianMs());
        double high = Math.max(before.medianMs(), after.medianMs());
        boolean changed = high > PATH_CHANGE * low && high - low > PATH_CHANGE_MS;
        return new ValidityCheck("round-trip", changed ? Status.WARN : Status.PASS,
                text("%s: %.2f ms before, %.2f ms after (bound: factor %.1f and %.1f ms)", before.via(),
                        before.medianMs(), after.medianMs(), PATH_CHANGE, PATH_CHANGE_MS));
    }

    private static ValidityCheck steady(List<RequestOutcome> all, List<RequestOutcome> completed,
            boolean openLoop) {
        if (all.size() < Validity.FLOOR_P50) {
            return absent("steady-state", "too few requests");
        }
        Backlog backlog = Backlog.of(all);
        String levels = text("in flight: %.1f in the second quarter, %.1f in the last", backlog.early(),
                backlog.late());
        if (openLoop && backlog.saturated()) {
            return new ValidityCheck("steady-state", Status.WARN, "saturated: " + levels
                    + ", growing in a line: the server was offered more than it serves");
        }
        String drift = drift("TTFT", completed, m -> m.ttftMs()) + drift("TPOT", completed, m -> m.tpotMs());
        return drift.isEmpty()
                ? new ValidityCheck("steady-state", Status.PASS, levels)
                : new ValidityCheck("steady-state", Status.WARN, "unsteady: " + drift + levels);
    }

    /** A latency that changes over the last three quarters of the run by more than chance and by more than a fifth. */
    private static String drift(String name, List<RequestOutcome> completed,
            java.util.function.Function<Metrics.PerRequest, OptionalDouble> metric) {
        double[] values = completed.stream().skip(completed.size() / 4).map(Metrics::perRequest).map(metric)
                .flatMapToDouble(OptionalDouble::stream).toArray();
        if (values.length < FEWEST) {
            return "";
        }
        Trend trend = Trend.of(values, BATCHES);
        double change = trend.start() > 0 ? trend.change() / trend.start() : 0;
        return trend.p() < SURE && Math.abs(change) > DRIFT
                ? text("%s changes by %+.0f %% over the slot; ", name, 100 * change)
                : "";
    }
}
