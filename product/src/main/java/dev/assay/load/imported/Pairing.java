package dev.assay.load.imported;

import dev.assay.load.imported.Comparison.Refused;
import dev.assay.load.imported.Measure.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which numbers of two sides compare: for each metric the one formula that both have, preferring what was computed here
 * from requests on both sides; and what has to be refused.
 */
record Pairing(List<Measure.Key> rows, List<Refused> refused, List<String> onlyA, List<String> onlyB) {
    static Pairing of(List<ImportedRun> a, List<ImportedRun> b, CompareOptions options) {
        List<Measure.Key> rows = new ArrayList<>();
        List<Refused> refused = new ArrayList<>();
        List<String> onlyA = new ArrayList<>();
        List<String> onlyB = new ArrayList<>();
        for (Family family : Family.values()) {
            Set<Measure.Key> keysA = keys(a, family);
            Set<Measure.Key> keysB = keys(b, family);
            if (!options.wants(family) || keysA.isEmpty() && keysB.isEmpty()) {
                continue;
            }
            if (keysA.isEmpty() || keysB.isEmpty()) {
                (keysA.isEmpty() ? onlyB : onlyA).add(family.label());
                continue;
            }
            Set<Measure.Key> common = new LinkedHashSet<>(keysA);
            common.retainAll(keysB);
            if (tools(a, b).size() > 1) {
                common.removeIf(key -> key.formula().unstated());
            }
            Optional<Formula> best = common.stream().map(Measure.Key::formula).distinct()
                    .min(Comparator.comparingInt((Formula f) -> rank(f, a, b)).thenComparing(f -> f));
            if (best.isEmpty()) {
                refused.add(refused(family, keysA, keysB));
            } else {
                rows.addAll(ofFormula(common, best.get()));
                lost(best.get(), keysA, keysB, common).ifPresent(refused::add);
            }
        }
        boolean tpot = rows.stream().anyMatch(k -> k.formula().family() == Family.TPOT);
        if (tpot && !options.metrics().contains(Family.NTPOT)) {
            // It says nothing that TTFT and TPOT do not say, and each row asks for more repeats.
            rows.removeIf(k -> k.formula().family() == Family.NTPOT);
            refused.removeIf(r -> r.metric() == Family.NTPOT);
            onlyA.remove(Family.NTPOT.label());
            onlyB.remove(Family.NTPOT.label());
        }
        return new Pairing(rows, refused, onlyA, onlyB);
    }

    private static Set<Measure.Key> keys(List<ImportedRun> runs, Family family) {
        Set<Measure.Key> keys = new LinkedHashSet<>();
        runs.forEach(r -> r.measures().stream().map(Measure::key).filter(k -> k.formula().family() == family)
                .forEach(keys::add));
        return keys;
    }

    private static Set<Tool> tools(List<ImportedRun> a, List<ImportedRun> b) {
        Set<Tool> tools = new TreeSet<>();
        a.forEach(r -> tools.add(r.tool()));
        b.forEach(r -> tools.add(r.tool()));
        return tools;
    }

    /** 0 where both sides hold the formula computed from requests, 1 else. */
    private static int rank(Formula formula, List<ImportedRun> a, List<ImportedRun> b) {
        return recomputed(formula, a) && recomputed(formula, b) ? 0 : 1;
    }

    private static boolean recomputed(Formula formula, List<ImportedRun> runs) {
        return runs.stream().allMatch(r -> r.measures().stream()
                .anyMatch(m -> m.key().formula() == formula && m.source() == Source.RECOMPUTED));
    }

    /** One row a statistic: of several quantile rules in common, the one computed here (linear) stands first. */
    private static List<Measure.Key> ofFormula(Set<Measure.Key> common, Formula formula) {
        List<Measure.Key> rows = new ArrayList<>();
        common.stream().filter(k -> k.formula() == formula).map(Measure.Key::statistic).distinct().sorted()
                .forEach(statistic -> common.stream()
                        .filter(k -> k.formula() == formula && k.statistic().equals(statistic))
                        .min(Comparator.comparing(Measure.Key::rule)).ifPresent(rows::add));
        return rows;
    }

    private static Refused refused(Family family, Set<Measure.Key> a, Set<Measure.Key> b) {
        Formula one = a.iterator().next().formula();
        Formula other = b.iterator().next().formula();
        if (one == other) {
            return one.unstated()
                    ? new Refused(family, one.text(), other.text(), "the formula is not stated")
                    : rules(family, a, b);
        }
        return new Refused(family, one.text(), other.text(), "different formulas");
    }

    private static Refused rules(Family family, Set<Measure.Key> a, Set<Measure.Key> b) {
        return new Refused(family, "percentiles: " + a.iterator().next().rule().text(),
                "percentiles: " + b.iterator().next().rule().text(),
                "no statistic in common under one quantile rule");
    }

    /** Percentiles of the chosen formula that both have but under different quantile rules. */
    private static Optional<Refused> lost(Formula formula, Set<Measure.Key> a, Set<Measure.Key> b,
            Set<Measure.Key> common) {
        Optional<Measure.Key> mine = percentile(formula, a, common);
        Optional<Measure.Key> theirs = percentile(formula, b, common);
        boolean shown = common.stream().anyMatch(k -> k.formula() == formula && k.statistic().isPercentile());
        return !shown && mine.isPresent() && theirs.isPresent() && mine.get().rule() != theirs.get().rule()
                ? Optional.of(new Refused(formula.family(), "percentiles: " + mine.get().rule().text(),
                        "percentiles: " + theirs.get().rule().text(), "different quantile rules"))
                : Optional.empty();
    }

    private static Optional<Measure.Key> percentile(Formula formula, Set<Measure.Key> keys,
            Set<Measure.Key> common) {
        Set<Statistic> shown = new LinkedHashSet<>();
        common.stream().filter(k -> k.formula() == formula).forEach(k -> shown.add(k.statistic()));
        return keys.stream().filter(k -> k.formula() == formula && k.statistic().isPercentile()
                && !shown.contains(k.statistic())).findFirst();
    }
}
