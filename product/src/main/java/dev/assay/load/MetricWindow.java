package dev.assay.load;

import dev.assay.load.MetricNames.Kind;
import dev.assay.load.MetricNames.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pages of one slot, read by fact. A difference is taken series by series: one that fell, that began anew or that is
 * gone shows that the server was restarted, and then there is no difference.
 *
 * @param during pages taken in between, for the gauges
 * @param fallen names of counters that were seen to fall between two pages of the slot
 * @param early whether it was recorded before scrapes were timed: then as at that time sums are subtracted and samples
 *     count alike, so that old records still give their figures to the last bit
 */
record MetricWindow(MetricsSnapshot before, MetricsSnapshot after, List<MetricsSnapshot> during,
        Set<String> fallen, boolean early) {
    private static final String STARTED = "process_start_time_seconds";

    MetricWindow {
        during = List.copyOf(during);
        fallen = Set.copyOf(fallen);
    }

    MetricWindow(MetricsSnapshot before, MetricsSnapshot after, List<MetricsSnapshot> during,
            Set<String> fallen) {
        this(before, after, during, fallen, false);
    }

    /** A value with the metric that it is from, or why there is none. */
    record Found(OptionalDouble value, String note) {
        static Found of(double value, String source) {
            return new Found(OptionalDouble.of(value), source);
        }

        static Found absent(String reason) {
            return new Found(OptionalDouble.empty(), reason);
        }

        /** This over {@code under}, times a factor; absent where either is or where {@code under} is not above 0. */
        Found over(Found under, double factor) {
            if (value.isEmpty()) {
                return this;
            }
            if (under.value().isEmpty()) {
                return under;
            }
            return under.value().getAsDouble() > 0
                    ? of(value.getAsDouble() / under.value().getAsDouble() * factor,
                            note + " / " + under.note())
                    : absent(under.note() + " did not rise during the slot");
        }

        /** This and {@code more}; absent where either is. */
        Found plus(Found more) {
            if (value.isEmpty() || more.value().isEmpty()) {
                return value.isEmpty() ? this : more;
            }
            return of(value.getAsDouble() + more.value().getAsDouble(),
                    "(" + note + " + " + more.note() + ")");
        }
    }

    double seconds() {
        return (after.nanos() - before.nanos()) / 1e9;
    }

    /** The first of the rows that the pages have. */
    Optional<Row> present(List<Row> rows) {
        return rows.stream().filter(r -> r.series().stream()
                .anyMatch(s -> !after.select(s, r.labels()).isEmpty()
                        || during.stream().anyMatch(d -> !d.select(s, r.labels()).isEmpty())))
                .findFirst();
    }

    /** By how much a counter rose, all its series together. */
    Found delta(String name, Map<String, String> labels) {
        Map<Map<String, String>, Double> to = after.select(name, labels);
        Map<Map<String, String>, Double> from = before.select(name, labels);
        if (to.isEmpty()) {
            return Found.absent("the page has no " + name + (labels.isEmpty() ? "" : labels));
        }
        if (restarted()) {
            return Found.absent("the server was restarted during the slot (" + STARTED + " changed)");
        }
        if (fallen.contains(name)) {
            return Found.absent(name + " fell during the slot: the server was restarted");
        }
        if (early) {
            double rise = after.sum(name, labels).orElse(0) - before.sum(name, labels).orElse(0);
            return rise < 0 ? Found.absent(name + " fell during the slot") : Found.of(rise, name);
        }
        List<Double> rises = new ArrayList<>();
        for (Map.Entry<Map<String, String>, Double> series : to.entrySet()) {
            // A labelled series may first appear within the slot; then it began at 0.
            double rise = series.getValue() - from.getOrDefault(series.getKey(), 0.0);
            if (rise < 0 || begunAnew(name, series.getKey())) {
                return Found.absent(name + " was reset during the slot: the server was restarted");
            }
            rises.add(rise);
        }
        if (!to.keySet().containsAll(from.keySet())) {
            return Found.absent("a series of " + name + " disappeared during the slot");
        }
        return Found.of(rises.stream().mapToDouble(Double::doubleValue).sorted().sum(), name);
    }

    /** The mean of a histogram's observations within the slot, times a factor. */
    Found mean(String name, Map<String, String> labels, double factor) {
        return delta(name + "_sum", labels).over(delta(name + "_count", labels), factor);
    }

    /** A level weighted by time: between two samples it is taken to have changed evenly. */
    Found level(Row row) {
        List<MetricsSnapshot> pages = sampled(row);
        if (pages.isEmpty()) {
            return Found.absent("no sample has " + row.title());
        }
        if (early) {
            return Found.of(pages.stream().mapToDouble(p -> value(p, row)).average().orElse(0), row.title());
        }
        double area = 0;
        double time = 0;
        for (int i = 1; i < pages.size(); i++) {
            double seconds = (pages.get(i).nanos() - pages.get(i - 1).nanos()) / 1e9;
            area += seconds * (value(pages.get(i), row) + value(pages.get(i - 1), row)) / 2;
            time += seconds;
        }
        return Found.of(time > 0 ? area / time : value(pages.getLast(), row), row.title());
    }

    /** The largest level seen; of a share, that of the fullest series. */
    Found peak(Row row) {
        List<MetricsSnapshot> pages = sampled(row);
        return pages.isEmpty()
                ? Found.absent("no sample has " + row.title())
                : Found.of(pages.stream()
                        .mapToDouble(p -> row.kind() == Kind.GAUGE
                                ? value(p, row)
                                : p.max(row.name(), row.labels()).orElse(0))
                        .max().orElse(0), row.title());
    }

    private List<MetricsSnapshot> sampled(Row row) {
        List<MetricsSnapshot> pages = during.isEmpty() ? List.of(before, after) : during;
        return pages.stream().filter(p -> !p.select(row.name(), row.labels()).isEmpty()).toList();
    }

    private static double value(MetricsSnapshot page, Row row) {
        return (row.kind() == Kind.GAUGE
                ? page.sum(row.name(), row.labels())
                : page.mean(row.name(), row.labels())).orElse(0);
    }

    private boolean restarted() {
        OptionalDouble from = before.max(STARTED, Map.of());
        OptionalDouble to = after.max(STARTED, Map.of());
        return from.isPresent() && to.isPresent() && to.getAsDouble() - from.getAsDouble() > 1;
    }

    private boolean begunAnew(String name, Map<String, String> labels) {
        String created = name.replaceAll("_(total|sum|count)$", "") + "_created";
        Double from = before.values().get(new MetricsSnapshot.Series(created, labels));
        Double to = after.values().get(new MetricsSnapshot.Series(created, labels));
        return from != null && to != null && to > from;
    }

    /** Names of the counters of {@code later} that are below {@code earlier}, series by series. */
    static Set<String> fallen(MetricsSnapshot earlier, MetricsSnapshot later) {
        return later.values().entrySet().stream()
                .filter(e -> MetricNames.table().reads(e.getKey().name())
                        && !MetricNames.table().sampled(e.getKey().name())
                        && e.getValue() < earlier.values().getOrDefault(e.getKey(), 0.0))
                .map(e -> e.getKey().name()).collect(Collectors.toSet());
    }
}
