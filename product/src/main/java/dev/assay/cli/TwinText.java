package dev.assay.cli;

import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.MetricNames;
import dev.assay.forecast.Quantity;
import dev.assay.forecast.TelemetryNames;
import dev.assay.forecast.TwinMetrics;
import dev.assay.forecast.TwinStudy;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a replay of a trace gave, for a terminal of 80 columns. */
final class TwinText {
    private static final Map<String, String> ROWS = rows();

    private TwinText() {}

    private static Map<String, String> rows() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put(MetricNames.TTFT_P50, "TTFT p50, ms");
        rows.put(TwinMetrics.TTFT_P99, "TTFT p99, ms");
        rows.put(MetricNames.TPOT_P50, "TPOT p50, ms");
        rows.put(TwinMetrics.TPOT_P99, "TPOT p99, ms");
        rows.put(MetricNames.OUTPUT_TOKENS_PER_S, "output tokens/s");
        rows.put(MetricNames.GOODPUT, "goodput, requests/s");
        rows.put(MetricNames.GOOD_FRACTION, "good / attempted");
        rows.put(MetricNames.DECODE_ROWS, "decode rows a step");
        rows.put(TelemetryNames.WAITING, "waiting, mean");
        rows.put(MetricNames.KV_USAGE_PEAK, "KV pool used, peak");
        rows.put(TelemetryNames.PREEMPTIONS, "preemptions");
        rows.put(TwinMetrics.PREFIX_HITS, "prefix hits / prompt");
        rows.put(TwinMetrics.REJECTED, "rejected");
        return rows;
    }

    static void print(TwinCommand.Document d, PrintWriter out) {
        TwinStudy.Result r = d.result();
        out.printf(Locale.ROOT, "%s: %d requests in %.0f s, %.4g tokens in, %.4g out, longest gap %.3g s%n", d.trace(),
                r.trace().requests(), r.trace().seconds(), r.trace().meanInput(), r.trace().meanOutput(),
                r.trace().longestGapS());
        out.println(d.model() + "; " + d.calibration());
        for (TwinStudy.PointResult p : r.points()) {
            point(p, out);
        }
        out.println();
        out.printf(Locale.ROOT, "[] hold %.0f %% of %d replays with drawn constants and resampled arrivals%n",
                100 * r.level(), r.draws() + 1);
        out.printf(Locale.ROOT, "%d requests simulated in %.2f s: %.0f a second%n", r.simulatedRequests(), d.wallS(),
                d.simulatedRequestsPerS());
        r.warnings().forEach(w -> out.println("note: " + w));
    }

    private static void point(TwinStudy.PointResult p, PrintWriter out) {
        out.println();
        boolean pair = p.candidate().isPresent();
        out.printf(Locale.ROOT, "%-21s %-23s%s%n",
                String.format(Locale.ROOT, "at %.4g requests/s", p.offeredRps()), "baseline",
                pair ? String.format("%-23s%s", "candidate", "x") : "");
        ROWS.forEach((name, label) -> row(label, p, name).ifPresent(out::println));
        out.println(limits("baseline", p.limiter()));
        p.candidate().ifPresent(_ -> out.println(limits("candidate", p.candidateLimiter())));
    }

    private static Optional<String> row(String label, TwinStudy.PointResult p, String name) {
        Optional<Quantity> baseline = Optional.ofNullable(p.baseline().get(name));
        Optional<Quantity> candidate = p.candidate().map(c -> c.get(name));
        if (baseline.isEmpty() && candidate.isEmpty() || allZero(name, baseline, candidate)) {
            return Optional.empty();
        }
        String line = String.format("%-21s %-23s", label, baseline.map(TwinText::cell).orElse("-"));
        if (p.candidate().isPresent()) {
            line += String.format("%-23s%s", candidate.map(TwinText::cell).orElse("-"),
                    p.ratio().map(r -> r.get(name)).map(q -> String.format(Locale.ROOT, "%.3g", q.estimate())
                            + String.format(Locale.ROOT, " [%.3g, %.3g]", q.low(), q.high())).orElse(""));
        }
        return Optional.of("  " + line.stripTrailing());
    }

    /** Nothing rejected or preempted is not worth a line. */
    private static boolean allZero(String name, Optional<Quantity> a, Optional<Quantity> b) {
        return (name.equals(TwinMetrics.REJECTED) || name.equals(TelemetryNames.PREEMPTIONS))
                && a.map(Quantity::high).orElse(0.0) == 0 && b.map(Quantity::high).orElse(0.0) == 0;
    }

    private static String cell(Quantity q) {
        return number(q.estimate()) + " [" + number(q.low()) + ", " + number(q.high()) + "]";
    }

    private static String number(double v) {
        return v >= 10_000 ? String.format(Locale.ROOT, "%.0f", v) : String.format(Locale.ROOT, "%.3g", v);
    }

    private static String limits(String arm, Optional<LimiterForecast> limiter) {
        return "  " + String.format("%-21s ", arm + " limited by") + limiter.map(l -> String.format(Locale.ROOT,
                "%s (%.0f %%), then %s (%.0f %%)", words(l.limiter()), 100 * l.share(), words(l.runnerUp()),
                100 * l.runnerUpShare())).orElse("nothing that the replay shows");
    }

    private static String words(Enum<?> limiter) {
        return limiter.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
