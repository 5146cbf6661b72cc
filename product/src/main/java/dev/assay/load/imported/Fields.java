package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The fields of an object that another tool wrote: absent and null are empty, another type is an error with its place. */
record Fields(JsonValue.Obj object) {
    static Fields of(JsonValue value) {
        return new Fields(value.asObject());
    }

    /** The object, where the value is one and holds all the names. */
    static boolean has(JsonValue value, String... names) {
        if (!(value instanceof JsonValue.Obj object)) {
            return false;
        }
        for (String name : names) {
            if (!object.fields().containsKey(name)) {
                return false;
            }
        }
        return true;
    }

    OptionalDouble number(String name) {
        Optional<JsonValue> value = object.get(name);
        return value.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(number(name, value.get()));
    }

    OptionalLong count(String name) {
        OptionalDouble value = number(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (object.require(name) instanceof JsonValue.Int i && i.value() >= 0) {
            return OptionalLong.of(i.value());
        }
        double n = value.getAsDouble();
        if (n != Math.rint(n) || n < 0 || n > 1L << 53) {
            throw wrong(name, object.require(name), "a count of at least 0");
        }
        return OptionalLong.of((long) n);
    }

    /** A text, or a number or truth value as text. */
    Optional<String> text(String name) {
        return object.get(name).map(value -> switch (value) {
            case JsonValue.Str s -> s.value();
            case JsonValue.Int i -> Long.toString(i.value());
            case JsonValue.Real r -> plain(r.value());
            case JsonValue.Bool b -> Boolean.toString(b.value());
            case JsonValue.Obj _,JsonValue.Arr _,JsonValue.Null _ ->
                throw wrong(name, value, "a text or a number");
        }).filter(text -> !text.isBlank());
    }

    /** The object under the name; an empty one where absent. */
    Fields child(String name) {
        Optional<JsonValue> value = object.get(name);
        if (value.isEmpty()) {
            return new Fields(JsonValue.Obj.of(java.util.Map.of()));
        }
        return value.get() instanceof JsonValue.Obj o
                ? new Fields(o)
                : throwing(wrong(name, value.get(), "an object"));
    }

    /** The object under a path of names; an empty one where any is absent. */
    Fields at(String... path) {
        Fields fields = this;
        for (String name : path) {
            fields = fields.child(name);
        }
        return fields;
    }

    List<JsonValue> list(String name) {
        Optional<JsonValue> value = object.get(name);
        if (value.isEmpty()) {
            return List.of();
        }
        return value.get() instanceof JsonValue.Arr a
                ? a.items()
                : throwing(wrong(name, value.get(), "a list"));
    }

    /** The numbers of a list; null entries are an error, since lists run in parallel. */
    double[] numbers(String name) {
        return list(name).stream().mapToDouble(v -> number(name, v)).toArray();
    }

    boolean isEmpty() {
        return object.fields().isEmpty();
    }

    static double number(String name, JsonValue value) {
        return value instanceof JsonValue.Int || value instanceof JsonValue.Real
                ? value.asDouble()
                : throwing(wrong(name, value, "a number"));
    }

    /** A number as people write it: 4 for 4.0. */
    static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    static AssayException wrong(String name, JsonValue value, String expected) {
        return AssayException.misuse(value.at() + ": field '" + name + "': expected " + expected + ", found "
                + (value instanceof JsonValue.Str s ? "'" + abridged(s.value()) + "'" : value.kind()));
    }

    private static String abridged(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 40 ? line : line.substring(0, 40) + "…";
    }

    private static <T> T throwing(AssayException fault) {
        throw fault;
    }
}
