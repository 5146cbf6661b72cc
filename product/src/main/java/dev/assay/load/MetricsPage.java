package dev.assay.load;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A {@link MetricsSnapshot} as lines of the Prometheus text format, sorted, for files. Histogram buckets are left out:
 * only sums and counts are read, as buckets of two engines seldom have the same bounds. The times at which counters began
 * ({@code _created}) stay: they tell a counter that was reset.
 */
public record MetricsPage(long nanos, List<String> lines) {
    public MetricsPage {
        lines = List.copyOf(lines);
    }

    /** The page of a snapshot. */
    public static MetricsPage of(MetricsSnapshot snapshot) {
        return new MetricsPage(snapshot.nanos(), snapshot.values().entrySet().stream()
                .filter(e -> !e.getKey().name().endsWith("_bucket"))
                .map(e -> line(e.getKey(), e.getValue()))
                .sorted()
                .toList());
    }

    private static String line(MetricsSnapshot.Series series, double value) {
        String labels = series.labels().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(l -> l.getKey() + "=\"" + l.getValue().replace("\\", "\\\\").replace("\"", "\\\"")
                        .replace("\n", "\\n") + "\"")
                .collect(Collectors.joining(","));
        String number = Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
        return series.name() + (labels.isEmpty() ? "" : "{" + labels + "}") + " " + number;
    }

    /** What the page says. */
    public MetricsSnapshot snapshot() {
        return new MetricsSnapshot(nanos, MetricsText.parse(String.join("\n", lines) + "\n"));
    }
}
