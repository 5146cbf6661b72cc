package dev.assay.cli;

import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurvePoint;
import java.util.List;
import java.util.Locale;

/** What the server said of itself at each load of a curve, as a table of the figures that it has; 80 columns. */
final class CurveServer {
    private static final List<Column> COLUMNS = List.of(new Column("running", "running_mean", 1, "%.1f"),
            new Column("most", "running_max", 1, "%.0f"), new Column("waiting", "waiting_mean", 1, "%.1f"),
            new Column("most", "waiting_max", 1, "%.0f"),
            new Column("KV most", "kv_cache_usage_peak", 100, "%.1f %%"),
            new Column("preempt", "preemptions", 1, "%.0f"),
            new Column("prefix", "prefix_hit_share", 100, "%.0f %%"),
            new Column("tokens", "tokens_per_step", 1, "%.1f"),
            new Column("queue", "server_queue_mean_ms", 1, "%.1f"));

    private CurveServer() {}

    /** One figure: its name in telemetry, and how it is shown. */
    private record Column(String title, String key, double factor, String format) {
        boolean in(CurvePoint p) {
            return p.telemetry().containsKey(key);
        }

        String cell(CurvePoint p) {
            Double value = p.telemetry().get(key);
            return value == null ? "-" : String.format(Locale.ROOT, format, factor * value);
        }
    }

    static void to(StringBuilder out, Curve curve) {
        List<Column> present = COLUMNS.stream().filter(c -> curve.points().stream().anyMatch(c::in)).toList();
        out.append('\n');
        if (present.isEmpty()) {
            Wrapped.to(out, "", "the server told nothing of itself: no metrics at /metrics");
            return;
        }
        row(out, "load/s", present.stream().map(Column::title).toList());
        for (CurvePoint p : curve.points()) {
            row(out, String.format(Locale.ROOT, "%.3g", p.offeredRps()),
                    present.stream().map(c -> c.cell(p)).toList());
        }
        Wrapped.to(out, "", "the server's own metrics over the same slots, lead-in included: requests running"
                + " and waiting in the mean and at most" + more(present));
    }

    private static String more(List<Column> present) {
        StringBuilder out = new StringBuilder();
        for (Column c : present) {
            out.append(switch (c.key()) {
                case "kv_cache_usage_peak" -> ", KV cache in use at most";
                case "preemptions" -> ", preemptions";
                case "prefix_hit_share" -> ", prompt tokens from the prefix cache";
                case "tokens_per_step" -> ", tokens a step";
                case "server_queue_mean_ms" -> ", ms in the queue";
                default -> "";
            });
        }
        return out.toString();
    }

    private static void row(StringBuilder out, String first, List<String> cells) {
        out.append(String.format(Locale.ROOT, "%7s", first));
        cells.forEach(c -> out.append(String.format(Locale.ROOT, " %7s", c)));
        out.append('\n');
    }
}
