package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import dev.assay.json.JsonValue.Position;
import dev.assay.load.curve.CurveRunner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A proposal whose load points are still to be found: {@code load_points: find}, and in place of a load point elsewhere
 * one of four names. Numbers take their places in the file itself, so that a sealed proposal holds nothing else.
 */
final class LoadWords {
    /** What {@code load_points} says. */
    static final String FIND = "find";
    private static final String LOAD_POINTS = "load_points";

    /**
     * The load points by name, as multiples of the highest load that meets the SLO. The search tells it within a tenth in
     * the mean: {@code below} and {@code above} lie twice as far, on a side each, so that the baseline's curve crosses its
     * target between them; at the crossing itself one slot meets and the next misses. At {@code low} hardly anything
     * waits; at {@code overload} the queue grows all through the slot.
     */
    static final Map<String, Double> FACTORS = factors();

    /** One value in the text and the load point that takes its place. */
    private record Place(Position at, String word, double factor) {}

    private LoadWords() {}

    private static Map<String, Double> factors() {
        Map<String, Double> factors = new LinkedHashMap<>();
        factors.put("low", 0.5);
        factors.put("below", 0.8);
        factors.put("above", 1.25);
        factors.put("overload", 1.6);
        return factors;
    }

    /** Where a proposal asks for its load points to be found; empty where it states them. */
    static Optional<Position> asked(JsonValue tree) {
        return tree instanceof JsonValue.Obj o
                ? o.get(LOAD_POINTS)
                        .filter(v -> v instanceof JsonValue.Str s && s.value().equals(FIND))
                        .map(JsonValue::at)
                : Optional.empty();
    }

    /** The same proposal with the factors for load points: enough to read all the rest. */
    static JsonValue drafted(JsonValue tree) {
        places(tree);
        return filled(tree.asObject(), true);
    }

    private static JsonValue filled(JsonValue value, boolean root) {
        return switch (value) {
            case JsonValue.Obj o -> {
                Map<String, JsonValue> fields = new LinkedHashMap<>();
                o.fields().forEach((name, v) -> fields.put(name,
                        name.equals(LOAD_POINTS)
                                ? root ? allFactors(v) : factorsOf(v)
                                : filled(v, false)));
                yield new JsonValue.Obj(fields, o.at());
            }
            case JsonValue.Arr a ->
                new JsonValue.Arr(a.items().stream().map(i -> filled(i, false)).toList(), a.at());
            case JsonValue.Str _,JsonValue.Int _,JsonValue.Real _,JsonValue.Bool _,JsonValue.Null _ -> value;
        };
    }

    private static JsonValue allFactors(JsonValue list) {
        return new JsonValue.Arr(FACTORS.values().stream()
                .map(f -> (JsonValue) new JsonValue.Real(f, list.at())).toList(), list.at());
    }

    private static JsonValue factorsOf(JsonValue list) {
        return list instanceof JsonValue.Arr a
                ? new JsonValue.Arr(a.items().stream()
                        .map(i -> (JsonValue) new JsonValue.Real(factor(i), i.at())).toList(), a.at())
                : list;
    }

    private static double factor(JsonValue item) {
        Double factor = item instanceof JsonValue.Str s ? FACTORS.get(s.value()) : null;
        if (factor == null) {
            String found = item instanceof JsonValue.Str s ? "'" + s.value() + "'" : item.kind();
            throw AssayException.misuse(item.at() + ": field 'load_points': expected one of "
                    + String.join(", ", FACTORS.keySet()) + " while the load points are to be found, found "
                    + found);
        }
        return factor;
    }

    /** The load points around a crossing, in three digits: more would say nothing more. */
    static List<Double> around(double crossing) {
        return FACTORS.values().stream().map(f -> point(crossing, f)).toList();
    }

    private static double point(double crossing, double factor) {
        return CurveRunner.round(crossing * factor);
    }

    /** The text with numbers in place of the words, everything else as it was; {@code note} ends the line of the list. */
    static String written(String text, JsonValue tree, double crossing, String note) {
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        Position list = asked(tree).orElseThrow();
        replace(lines, list, FIND, around(crossing).stream().map(LoadWords::number)
                .collect(Collectors.joining(", ", "[", "]")));
        String line = lines.get(list.line() - 1);
        if (!line.contains("#")) {
            lines.set(list.line() - 1, line.stripTrailing() + "  # " + note);
        }
        // From the last to the first, so that no place moves before its turn.
        places(tree).stream().sorted(Comparator.comparingInt((Place p) -> p.at().line())
                .thenComparingInt(p -> p.at().column()).reversed())
                .forEach(p -> replace(lines, p.at(), p.word(), number(point(crossing, p.factor()))));
        return String.join("\n", lines);
    }

    private static void replace(List<String> lines, Position at, String word, String number) {
        String line = lines.get(at.line() - 1);
        int from = line.offsetByCodePoints(0, at.column() - 1);
        String quote = line.substring(from, from + 1).replaceAll("[^\"']", "");
        String old = quote + word + quote;
        if (!line.startsWith(old, from)) {
            throw AssayException
                    .misuse(at + ": '" + word + "' is not written plainly; expected it without escapes");
        }
        lines.set(at.line() - 1, line.substring(0, from) + number + line.substring(from + old.length()));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** The names of load points below the list itself. */
    private static List<Place> places(JsonValue tree) {
        List<Place> places = new ArrayList<>();
        tree.asObject().fields().forEach((name, value) -> {
            if (!name.equals(LOAD_POINTS)) {
                collect(value, places);
            }
        });
        return places;
    }

    private static void collect(JsonValue value, List<Place> places) {
        if (value instanceof JsonValue.Arr a) {
            a.items().forEach(i -> collect(i, places));
        } else if (value instanceof JsonValue.Obj o) {
            o.fields().forEach((name, v) -> {
                if (name.equals(LOAD_POINTS) && v instanceof JsonValue.Arr list) {
                    list.items().forEach(i -> places.add(new Place(i.at(), word(i), factor(i))));
                } else {
                    collect(v, places);
                }
            });
        }
    }

    private static String word(JsonValue item) {
        return item instanceof JsonValue.Str s ? s.value() : "";
    }
}
