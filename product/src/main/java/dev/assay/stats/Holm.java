package dev.assay.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** Holm's step-down adjustment (1979): controls the chance of any false claim in a family, whatever the dependence. */
public final class Holm {
    private Holm() {}

    /** Adjusted p values in the order given. */
    public static double[] adjust(double... p) {
        Integer[] order = ascending(p);
        double[] adjusted = new double[p.length];
        double highest = 0;
        for (int rank = 0; rank < p.length; rank++) {
            highest = Math.max(highest, Math.min(1, (p.length - rank) * p[order[rank]]));
            adjusted[order[rank]] = highest;
        }
        return adjusted;
    }

    /**
     * Adjusted p values of a family in which some have no p value (untestable or void claims): these stay absent but
     * count in the family's size as p = 1, so that a claim that could not be tested does not help the others.
     */
    public static List<OptionalDouble> adjust(List<OptionalDouble> family) {
        double[] adjusted = adjust(family.stream().mapToDouble(p -> p.orElse(1)).toArray());
        List<OptionalDouble> result = new ArrayList<>();
        for (int i = 0; i < adjusted.length; i++) {
            result.add(family.get(i).isPresent() ? OptionalDouble.of(adjusted[i]) : OptionalDouble.empty());
        }
        return List.copyOf(result);
    }

    static Integer[] ascending(double[] p) {
        Integer[] order = new Integer[p.length];
        for (int i = 0; i < p.length; i++) {
            if (!(p[i] >= 0 && p[i] <= 1)) {
                throw new IllegalArgumentException("p value " + p[i] + ": expected a number in [0, 1]");
            }
            order[i] = i;
        }
        Arrays.sort(order, Comparator.comparingDouble(i -> p[i]));
        return order;
    }
}
