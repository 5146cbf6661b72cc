package dev.assay.load.imported;

import java.util.Set;

/**
 * How two sets of results are compared.
 *
 * @param level of intervals and verdicts, for example 0.95
 * @param width the relative half width of an interval that planning aims at, for example 0.05
 * @param allowed differences that are meant and stand against no verdict: ids of {@link Fact}, {@code tool}, {@code order}
 * @param metrics families to look at; all where empty
 */
public record CompareOptions(double level, double width, Set<String> allowed, Set<Family> metrics) {
    /** The two allowed differences that are no facts. */
    public static final Set<String> OTHER_DIFFERENCES = Set.of("tool", "order");
    /** 95 %, planning for ±5 %, nothing allowed, all metrics. */
    public static final CompareOptions DEFAULT = new CompareOptions(0.95, 0.05, Set.of(), Set.of());

    public CompareOptions {
        if (!(level > 0.5 && level < 1)) {
            throw new IllegalArgumentException("level is " + level + "; expected between 0.5 and 1");
        }
        if (!(width > 0 && width < 1)) {
            throw new IllegalArgumentException("width is " + width + "; expected between 0 and 1");
        }
        allowed = Set.copyOf(allowed);
        metrics = Set.copyOf(metrics);
    }

    boolean allows(Fact fact) {
        return allowed.contains(fact.id());
    }

    boolean wants(Family family) {
        return metrics.isEmpty() || metrics.contains(family);
    }
}
