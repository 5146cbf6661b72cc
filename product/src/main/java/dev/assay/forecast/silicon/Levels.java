package dev.assay.forecast.silicon;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where the deviations of each backend and group stand in the vector of all parameters: the common constants first, then
 * the backends, then the groups.
 */
final class Levels {
    /** The most groups with constants of their own; the smallest beyond that share their backend's. */
    private static final int MOST_GROUPS = 40;

    private final Map<String, Integer> backends;
    private final Map<String, Integer> groups;

    private Levels(Map<String, Integer> backends, Map<String, Integer> groups) {
        this.backends = backends;
        this.groups = groups;
    }

    static Levels of(List<MeasuredRow> rows) {
        Map<String, Integer> backends = places(rows, r -> r.deployment().backend(), 1);
        return new Levels(backends, places(rows, MeasuredRow::group, 1 + backends.size()));
    }

    private static Map<String, Integer> places(List<MeasuredRow> rows, Function<MeasuredRow, String> name,
            int first) {
        Map<String, Long> counts = rows.stream().collect(Collectors.groupingBy(name, Collectors.counting()));
        List<String> kept = counts.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Long> e) -> -e.getValue())
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_GROUPS).map(Map.Entry::getKey).sorted().toList();
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < kept.size(); i++) {
            places.put(kept.get(i), (first + i) * Constant.COUNT);
        }
        return places;
    }

    /** How many parameters there are. */
    int size() {
        return (1 + backends.size() + groups.size()) * Constant.COUNT;
    }

    /** Where the deviations of a deployment begin at each level; -1 where a level has none for it. */
    int[] places(Deployment d) {
        return new int[]{0, backends.getOrDefault(d.backend(), -1), groups.getOrDefault(d.group(), -1)};
    }

    /** Whether rows of the deployment's group took part. */
    boolean knows(Deployment d) {
        return groups.containsKey(d.group());
    }

    /** One over the variance of each parameter before any row was seen. */
    double[] precisions() {
        double[] precisions = new double[size()];
        for (int i = 0; i < precisions.length; i++) {
            int block = i / Constant.COUNT;
            int level = block == 0 ? 0 : block <= backends.size() ? 1 : 2;
            double sd = Constant.ALL.get(i % Constant.COUNT).sd(level);
            precisions[i] = 1 / (sd * sd);
        }
        return precisions;
    }

    /** The logarithms of the constants at {@code places} under the deviations {@code theta}. */
    static double[] logs(int[] places, double[] theta) {
        double[] logs = Constant.typicalLogs();
        for (int at : places) {
            for (int k = 0; at >= 0 && k < Constant.COUNT; k++) {
                logs[k] += theta[at + k];
            }
        }
        return logs;
    }
}
