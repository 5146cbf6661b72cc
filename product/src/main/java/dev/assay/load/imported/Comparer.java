package dev.assay.load.imported;

import dev.assay.load.imported.Comparison.Caveat;
import dev.assay.load.imported.Comparison.Finding;
import dev.assay.load.imported.Comparison.Point;
import dev.assay.load.imported.Comparison.Row;
import dev.assay.stats.Holm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Judges two sets of runs. A run is the unit: its single requests share one server, one warm-up and one moment, so they
 * are never taken as repeats.
 */
public final class Comparer {
    private Comparer() {}

    /** Holds B against A, load point by load point; where each side has one load point, those two are held together. */
    public static Comparison compare(List<ImportedRun> a, List<ImportedRun> b, CompareOptions options) {
        if (a.isEmpty() || b.isEmpty()) {
            throw new IllegalArgumentException("one side has no run; expected at least one on each");
        }
        Map<String, List<ImportedRun>> pointsA = byLoad(a);
        Map<String, List<ImportedRun>> pointsB = byLoad(b);
        List<Point> points = new ArrayList<>();
        List<String> unmatched = new ArrayList<>();
        if (pointsA.size() == 1 && pointsB.size() == 1) {
            points.add(point(pointsA.keySet().iterator().next(), a, b, options));
        } else {
            pointsA.forEach((load, runs) -> {
                List<ImportedRun> other = pointsB.get(load);
                if (other == null) {
                    unmatched.add("only in A: " + load);
                } else {
                    points.add(point(load, runs, other, options));
                }
            });
            pointsB.keySet().stream().filter(load -> !pointsA.containsKey(load))
                    .forEach(load -> unmatched.add("only in B: " + load));
        }
        return new Comparison(points, unmatched, (int) points.stream().flatMap(p -> p.rows().stream())
                .filter(r -> r.finding() != Finding.NONE).count());
    }

    private static Map<String, List<ImportedRun>> byLoad(List<ImportedRun> runs) {
        Map<String, List<ImportedRun>> points = new LinkedHashMap<>();
        runs.forEach(run -> points.computeIfAbsent(load(run), k -> new ArrayList<>()).add(run));
        return points;
    }

    /** The load point in words. */
    static String load(ImportedRun run) {
        List<String> parts = new ArrayList<>();
        String rate = run.facts().get(Fact.RATE);
        if (rate != null) {
            parts.add(rate.equals("inf") ? "all requests at once" : rate + " requests/s");
        }
        String concurrency = run.facts().get(Fact.CONCURRENCY);
        if (concurrency != null) {
            parts.add((rate == null ? "concurrency " : "at most ") + concurrency
                    + (rate == null ? "" : " in flight"));
        }
        String arrivals = run.facts().get(Fact.ARRIVALS);
        if (arrivals != null && !"inf".equals(rate)) {
            parts.add(arrivals);
        }
        return parts.isEmpty() ? "not stated" : String.join(", ", parts);
    }

    private static Point point(String load, List<ImportedRun> a, List<ImportedRun> b,
            CompareOptions options) {
        Pairing pairing = Pairing.of(a, b, options);
        List<Caveat> caveats = Caveats.of(a, b, pairing, options);
        boolean judged = caveats.stream().noneMatch(Caveat::blocks);
        List<Row> rows = pairing.rows().stream().map(r -> Rows.described(r, a, b, options)).toList();
        List<String> notes = new ArrayList<>();
        notes(notes, "A", a, b);
        notes(notes, "B", b, a);
        return new Point(load, sources(a), sources(b), tools(a), tools(b),
                judged ? judged(rows, options) : rows,
                pairing.refused(), pairing.onlyA(), pairing.onlyB(), caveats, notes);
    }

    /** Findings by Holm over the rows that can be tested. */
    private static List<Row> judged(List<Row> rows, CompareOptions options) {
        List<Row> testable = rows.stream().filter(r -> r.reason().isEmpty() && r.p().isPresent()).toList();
        double[] adjusted = Holm.adjust(testable.stream().mapToDouble(r -> r.p().orElseThrow()).toArray());
        return rows.stream().map(row -> {
            int i = testable.indexOf(row);
            return i < 0 ? row : Rows.judged(row, adjusted[i], testable.size(), options);
        }).toList();
    }

    private static List<String> sources(List<ImportedRun> runs) {
        return runs.stream().map(ImportedRun::source).toList();
    }

    private static String tools(List<ImportedRun> runs) {
        return String.join(", ", runs.stream()
                .map(r -> r.tool().label() + r.version().map(v -> " " + v).orElse("")).distinct().toList());
    }

    /** Notes of a side; what both sides say is said once. */
    private static void notes(List<String> notes, String side, List<ImportedRun> runs,
            List<ImportedRun> others) {
        Set<String> own = new LinkedHashSet<>();
        runs.forEach(r -> own.addAll(r.notes()));
        Set<String> theirs = new LinkedHashSet<>();
        others.forEach(r -> theirs.addAll(r.notes()));
        for (String note : own) {
            if (!theirs.contains(note)) {
                notes.add(side + ": " + note);
            } else if (side.equals("A")) {
                notes.add("both: " + note);
            }
        }
    }

    /** The values of a metric, one a run, of the runs that have it. */
    static double[] values(List<ImportedRun> runs, Measure.Key key) {
        return runs.stream().map(r -> r.value(key)).flatMapToDouble(OptionalDouble::stream).toArray();
    }

    /** The distinct values of a fact, those known. */
    static Set<String> known(List<ImportedRun> runs, Fact fact) {
        Set<String> values = new LinkedHashSet<>();
        Stream<String> found = runs.stream().map(r -> Optional.ofNullable(r.facts().get(fact)))
                .flatMap(Optional::stream).filter(Objects::nonNull);
        found.forEach(values::add);
        return values;
    }
}
