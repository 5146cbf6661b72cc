package dev.assay.cli;

import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.MetricNames;
import dev.assay.forecast.Quantity;
import dev.assay.forecast.TelemetryNames;
import dev.assay.forecast.TwinMetrics;
import dev.assay.forecast.TwinStudy;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
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
        rows.put(MetricNames.GOODPUT, "goodput, req/s");
        rows.put(MetricNames.GOOD_FRACTION, "good / attempted");
        rows.put(MetricNames.DECODE_ROWS, "decode rows/step");
        rows.put(TelemetryNames.WAITING, "waiting, mean");
        rows.put(MetricNames.KV_USAGE_PEAK, "KV pool peak");
        rows.put(TelemetryNames.PREEMPTIONS, "preemptions");
        rows.put(TwinMetrics.PREFIX_HITS, "prefix hit share");
        rows.put(TwinMetrics.REJECTED, "rejected");
        return rows;
    }

    static void print(TwinCommand.Document d, PrintWriter out) {
        TwinStudy.Result r = d.result();
        wrapped(out, String.format(Locale.ROOT,
                "%s: %d requests in %.0f s, %.4g tokens in, %.4g out, longest gap %.3g s", d.trace(),
                r.trace().requests(), r.trace().seconds(), r.trace().meanInput(), r.trace().meanOutput(),
                r.trace().longestGapS()));
        wrapped(out, d.model() + "; " + d.calibration());
        for (TwinStudy.PointResult p : r.points()) {
            point(p, out);
        }
        out.println();
        out.printf(Locale.ROOT, "[] hold %.0f %% of %d replays with drawn constants and resampled arrivals%n",
                100 * r.level(), r.draws() + 1);
        out.printf(Locale.ROOT, "%d requests simulated in %.2f s: %.0f a second%n", r.simulatedRequests(),
                d.wallS(),
                d.simulatedRequestsPerS());
        r.warnings().forEach(w -> wrapped(out, "note: " + w));
    }

    private static void wrapped(PrintWriter out, String text) {
        Wrapped.lines("  ", text).forEach(out::println);
    }

    private static void point(TwinStudy.PointResult p, PrintWriter out) {
        out.println();
        boolean pair = p.candidate().isPresent();
        out.printf(Locale.ROOT, "%-20s%-21s%s%n",
                String.format(Locale.ROOT, "at %.4g requests/s", p.offeredRps()), "baseline",
                pair ? String.format("%-21s%s", "candidate", "ratio") : "");
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
        String line = String.format("%-18s%-21s", label, baseline.map(TwinText::cell).orElse("-"));
        if (p.candidate().isPresent()) {
            line += String.format("%-21s%s", candidate.map(TwinText::cell).orElse("-"),
                    p.ratio().map(r -> r.get(name)).map(TwinText::ratio).orElse(""));
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

    private static String ratio(Quantity q) {
        return times(q.estimate()) + " [" + times(q.low()) + ", " + times(q.high()) + "]";
    }

    private static String times(double v) {
        return String.format(Locale.ROOT, v < 9.995 ? "%.2f" : "%.0f", v);
    }

    /** Three digits, thousands and millions by their letters. */
    private static String number(double v) {
        if (v >= 999_500) {
            return digits(v / 1e6) + "M";
        }
        if (v >= 999.5) {
            return digits(v / 1e3) + "k";
        }
        return v >= 1
                ? digits(v)
                : new BigDecimal(v).setScale(3, RoundingMode.HALF_EVEN).stripTrailingZeros()
                        .toPlainString();
    }

    private static String digits(double v) {
        return new BigDecimal(v).round(new MathContext(3)).stripTrailingZeros().toPlainString();
    }

    private static String limits(String arm, Optional<LimiterForecast> limiter) {
        return "  " + String.format("%-21s ", arm + " limited by")
                + limiter.map(LimiterText::of).orElse("nothing that the replay shows");
    }
}
