package dev.assay.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a server's {@code /metrics} page said at one moment. A series that was NaN is left out.
 *
 * @param nanos monotonic time of the scrape ({@link System#nanoTime}), half way between request and answer
 */
public record MetricsSnapshot(long nanos, Map<Series, Double> values) {
    /** Ranks that tell the same of one scheduler each: only the first of them counts. */
    private static final Set<String> COPIES = Set.of("tp_rank", "pp_rank", "moe_ep_rank");
    /** SGLang's total has this label empty, beside series by priority. */
    private static final String PRIORITY = "priority";

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
        List<Double> found = new ArrayList<>(select(name, labels).values());
        return found.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(found.stream().mapToDouble(Double::doubleValue).sorted().sum());
    }

    /** The mean over the series of this name that have all these labels, empty where there is none. */
    OptionalDouble mean(String name, Map<String, String> labels) {
        int count = select(name, labels).size();
        OptionalDouble sum = sum(name, labels);
        return sum.isEmpty() ? sum : OptionalDouble.of(sum.getAsDouble() / count);
    }

    /** The largest of the series of this name that have all these labels, empty where there is none. */
    OptionalDouble max(String name, Map<String, String> labels) {
        return select(name, labels).values().stream().mapToDouble(Double::doubleValue).max();
    }

    /** The series of this name that have all these labels and count: what several ranks repeat is taken once. */
    Map<Map<String, String>, Double> select(String name, Map<String, String> labels) {
        Map<Map<String, String>, Double> found = new HashMap<>();
        boolean total = false;
        boolean copies = false;
        for (Map.Entry<Series, Double> entry : values.entrySet()) {
            Series series = entry.getKey();
            if (series.name().equals(name) && series.labels().entrySet().containsAll(labels.entrySet())) {
                found.put(series.labels(), entry.getValue());
                total |= "".equals(series.labels().get(PRIORITY));
                copies |= series.labels().keySet().stream().anyMatch(COPIES::contains);
            }
        }
        if (total) {
            found.keySet().removeIf(l -> !l.getOrDefault(PRIORITY, "").isEmpty());
        }
        return copies ? firstRanks(found) : found;
    }

    private static Map<Map<String, String>, Double> firstRanks(Map<Map<String, String>, Double> found) {
        Map<Map<String, String>, Map<String, String>> first = new HashMap<>();
        for (Map<String, String> labels : found.keySet()) {
            Map<String, String> rest = new TreeMap<>(labels);
            rest.keySet().removeAll(COPIES);
            first.merge(rest, labels, (a, b) -> rank(a) <= rank(b) ? a : b);
        }
        Map<Map<String, String>, Double> kept = new HashMap<>(found);
        kept.keySet().retainAll(first.values());
        return kept;
    }

    private static long rank(Map<String, String> labels) {
        long rank = 0;
        for (String copy : List.of("pp_rank", "tp_rank", "moe_ep_rank")) {
            String value = labels.getOrDefault(copy, "0");
            rank = rank * 100_000 + (value.matches("\\d{1,4}") ? Long.parseLong(value) : 0);
        }
        return rank;
    }
}
