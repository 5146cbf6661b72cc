package dev.assay.load;

import dev.assay.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The table of metric names ({@code metric-names.tsv}): which metric of which server, in which of its versions, says
 * what. Rows that name the same fact of the same server are in order of preference, the newest name first.
 */
final class MetricNames {
    private static final int COLUMNS = 7;
    private static final MetricNames TABLE = new MetricNames(
            Resources.table(MetricNames.class, "metric-names.tsv", COLUMNS));

    private final List<Row> rows;
    private final Set<String> series;
    private final Set<String> gauges;

    private MetricNames(List<String[]> table) {
        List<Row> read = new ArrayList<>();
        Set<String> all = new HashSet<>();
        Set<String> levels = new HashSet<>();
        for (String[] cells : table) {
            Row row = Row.of(cells);
            read.add(row);
            all.addAll(row.series());
            if (row.kind().sampled()) {
                levels.add(row.name());
            }
        }
        rows = List.copyOf(read);
        series = Set.copyOf(all);
        gauges = Set.copyOf(levels);
    }

    static MetricNames table() {
        return TABLE;
    }

    /** How the values of a metric combine: over its series, and over time. */
    enum Kind {
        /** Rises; the difference over the slot, summed over the series. */
        COUNTER,
        /** Summed over the series, weighted by time. */
        GAUGE,
        /** A share from 0 to 1 of each series' own pool: averaged over the series, weighted by time. */
        SHARE,
        /** A mean that the server keeps itself: averaged over the series, weighted by time. */
        MEAN_GAUGE,
        /** The difference of its sum over the difference of its count. */
        HISTOGRAM,
        /** The mean since the server's start, which has to be weighted by another counter. */
        LIFETIME_MEAN;

        boolean sampled() {
            return this == GAUGE || this == SHARE || this == MEAN_GAUGE;
        }
    }

    /** One name. {@code versions} and {@code source} say where it was seen, for people. */
    record Row(String fact, String server, Kind kind, String name, Map<String, String> labels,
            String versions, String source) {
        static Row of(String[] cells) {
            Map<String, String> labels = new HashMap<>();
            if (!cells[4].equals("-")) {
                Arrays.stream(cells[4].split(",")).map(l -> l.split("=", 2))
                        .forEach(l -> labels.put(l[0], l[1]));
            }
            return new Row(cells[0], cells[1], Kind.valueOf(cells[2].toUpperCase(Locale.ROOT)), cells[3],
                    Map.copyOf(labels), cells[5], cells[6]);
        }

        /** The names on the wire. */
        List<String> series() {
            return kind == Kind.HISTOGRAM ? List.of(name + "_sum", name + "_count") : List.of(name);
        }

        /** The metric as a person would ask Prometheus for it. */
        String title() {
            return labels.isEmpty() ? name : name + labels;
        }
    }

    List<Row> rows() {
        return rows;
    }

    /** The server that a page is from: the first of the table that has a metric on it. */
    Optional<String> server(MetricsSnapshot page) {
        Set<String> present = new HashSet<>();
        page.values().keySet().forEach(s -> present.add(s.name()));
        return rows.stream().filter(r -> r.series().stream().anyMatch(present::contains)).map(Row::server)
                .findFirst();
    }

    /** The names of a fact, the preferred one first. */
    List<Row> rows(String server, String fact) {
        return rows.stream().filter(r -> r.server().equals(server) && r.fact().equals(fact)).toList();
    }

    /** Whether a series is read at all. */
    boolean reads(String name) {
        return series.contains(name);
    }

    /** Whether a series is read from the samples within a slot. */
    boolean sampled(String name) {
        return gauges.contains(name);
    }
}
