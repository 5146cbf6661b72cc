package dev.assay.cli;

import dev.assay.load.Target;
import dev.assay.workload.RunSummary;
import dev.assay.workload.RunSummary.Spread;
import dev.assay.workload.ValidityCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The summary of a load run for people: 80 columns, the doubtful checks last and in words. */
final class LoadReport {

    private LoadReport() {}

    static String text(RunSummary s, Target target, boolean withSlo, Map<String, Double> telemetry) {
        StringBuilder out = new StringBuilder();
        line(out, "%s on %s, %.1f s", target.model(), target.baseUrl(), s.durationS());
        line(out, "%d requests, %d completed%s", s.requests().scheduled(), s.requests().completed(),
                s.requests().failed().isEmpty() ? "" : ", failed " + s.requests().failed());
        line(out, "");
        line(out, "%-24s%9s%9s%9s%9s%9s%9s", "milliseconds", "mean", "p50", "p90", "p95", "p99", "n");
        row(out, "TTFT from schedule", s.ttftMs());
        row(out, "TTFT from sent", s.ttftFromSentMs());
        row(out, "TTFO, reasoning left out", s.ttfoMs());
        row(out, "TPOT", s.tpotMs());
        row(out, "ITL", s.itlMs());
        row(out, "E2E from schedule", s.e2eMs());
        row(out, "schedule lag", s.scheduleLagMs());
        line(out, "");
        line(out, "throughput  %.2f requests/s, %.1f output tokens/s", s.throughput().requestsPerS(),
                s.throughput().outputTokensPerS());
        if (withSlo) {
            line(out, "goodput     %.2f requests/s, %.1f %% of requests good", s.goodputRps().orElse(0),
                    100 * s.goodFraction().orElse(0));
        }
        s.classes().ifPresent(classes -> classes.forEach((name, c) -> line(out,
                "  %-20s %d of %d completed, %.2f good/s, %s good", name, c.requests().completed(),
                c.requests().scheduled(), c.goodputRps(), c.goodFraction().isEmpty()
                        ? "-"
                        : String.format(Locale.ROOT, "%.1f %%", 100 * c.goodFraction().getAsDouble()))));
        server(out, telemetry);
        line(out, "");
        long passed = s.validity().stream().filter(c -> c.status() == ValidityCheck.Status.PASS).count();
        line(out, "validity    %d checks passed%s", passed, s.headroom().isEmpty()
                ? ""
                : String.format(Locale.ROOT, "; client headroom %.0f %%", 100 * s.headroom().getAsDouble()));
        for (ValidityCheck check : s.validity()) {
            if (check.status() == ValidityCheck.Status.WARN || check.status() == ValidityCheck.Status.FAIL) {
                Wrapped.to(out, "        ",
                        "  " + check.status() + " " + check.check() + ": " + check.detail());
            }
        }
        return out.toString();
    }

    /** What the server's own metrics said, the figures that are there. */
    private static void server(StringBuilder out, Map<String, Double> telemetry) {
        List<String> parts = new ArrayList<>();
        said(parts, telemetry, "running_mean", 1, "%.1f running");
        said(parts, telemetry, "waiting_mean", 1, "%.1f waiting");
        said(parts, telemetry, "kv_cache_usage_peak", 100, "KV cache up to %.0f %%");
        said(parts, telemetry, "preemptions", 1, "%.0f preemptions");
        said(parts, telemetry, "prefix_hit_share", 100, "%.0f %% prefix hits");
        said(parts, telemetry, "energy_joules", 1, "%.1f J");
        said(parts, telemetry, "joules_per_output_token", 1, "%.3f J/token");
        if (!parts.isEmpty()) {
            Wrapped.to(out, "        ", "server      " + String.join(", ", parts));
        }
    }

    private static void said(List<String> parts, Map<String, Double> telemetry, String key, double factor,
            String format) {
        Double value = telemetry.get(key);
        if (value != null) {
            parts.add(String.format(Locale.ROOT, format, factor * value));
        }
    }

    private static void row(StringBuilder out, String name, Optional<Spread> spread) {
        spread.ifPresent(
                v -> line(out, "%-24s%9.2f%9.2f%9.2f%9.2f%9.2f%9d", name, v.mean(), v.p50(), v.p90(), v.p95(),
                        v.p99(), v.n()));
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values)).append('\n');
    }
}
