package dev.assay.review.ledger;

import dev.assay.AssayException;
import dev.assay.review.Metric;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How near a forecast level is meant to come, as the median of |forecast/observed - 1|, by metric. */
public record LevelGoals(Map<String, Double> byMetric) {
    /** What the twin is held to against the embedded engine. */
    public static final LevelGoals DEFAULT = new LevelGoals(Map.of(Metric.TPOT_P50_MS.id(), 0.10,
            Metric.TTFT_P50_MS.id(), 0.20, Metric.GOODPUT_RPS.id(), 0.10));

    public LevelGoals {
        byMetric = Map.copyOf(byMetric);
    }

    /** These goals with some replaced; a metric without a level or a share out of (0, 1) is misuse. */
    public LevelGoals with(Map<String, Double> goals) {
        Map<String, Double> all = new LinkedHashMap<>(byMetric);
        goals.forEach((metric, goal) -> {
            if (!byMetric.containsKey(metric)) {
                throw AssayException.misuse("--goal: '" + metric + "' has no level; expected one of "
                        + byMetric.keySet().stream().sorted().collect(Collectors.joining(", ")));
            }
            if (!(goal > 0 && goal < 1)) {
                throw AssayException
                        .misuse("--goal " + metric + "=" + goal + ": expected a fraction between 0 and 1");
            }
            all.put(metric, goal);
        });
        return new LevelGoals(all);
    }
}
