package dev.assay.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a server's {@code /metrics} page said at one moment. A series that was NaN is left out.
 *
 * @param nanos monotonic time of the scrape ({@link System#nanoTime})
 */
public record MetricsSnapshot(long nanos, Map<Series, Double> values) {
    public MetricsSnapshot {
        values = Map.copyOf(values);
    }

    /** A metric's name with its labels. */
    public record Series(String name, Map<String, String> labels) {
        public Series {
            labels = Map.copyOf(labels);
        }
    }

    /** The sum over all series of this name, empty where there is none. */
    public OptionalDouble sum(String name) {
        return sum(name, Map.of());
    }

    /** The sum over the series of this name that have all these labels, empty where there is none. */
    public OptionalDouble sum(String name, Map<String, String> labels) {
        // Sorted before they are added, as the order of a map's entries, and with it the last bit, differs by process.
        List<Double> found = new ArrayList<>();
        for (Map.Entry<Series, Double> entry : values.entrySet()) {
            Series series = entry.getKey();
            if (series.name().equals(name) && series.labels().entrySet().containsAll(labels.entrySet())) {
                found.add(entry.getValue());
            }
        }
        return found.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(found.stream().mapToDouble(Double::doubleValue).sorted().sum());
    }
}
