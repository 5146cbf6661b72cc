package dev.assay.json;

import dev.assay.AssayException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON (or YAML) document as a tree whose every node knows where it stood. Integers that fit a {@code long} stay
 * integers; all other numbers are doubles. Writing is in {@link Json}.
 */
public sealed interface JsonValue {

    /** Where this node began. */
    Position at();

    /** What this node is, in words for an error message. */
    String kind();

    /** Source, line and column (both from 1); {@link #NONE} for a tree that was built in memory. */
    record Position(String source, int line, int column) {
        /** The position of what was not read from a text. */
        public static final Position NONE = new Position("", 0, 0);

        @Override
        public String toString() {
            return line == 0 ? source : source + ":" + line + ":" + column;
        }
    }

    /** An object; its fields keep the order of the text. */
    record Obj(Map<String, JsonValue> fields, Position at) implements JsonValue {
        public Obj {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        /** An object made in memory. */
        public static Obj of(Map<String, JsonValue> fields) {
            return new Obj(fields, Position.NONE);
        }

        /** The field, empty where absent or null. */
        public Optional<JsonValue> get(String name) {
            JsonValue value = fields.get(name);
            return value == null || value instanceof Null ? Optional.empty() : Optional.of(value);
        }

        /** The field; an {@link AssayException} names it where absent. */
        public JsonValue require(String name) {
            return get(name)
                    .orElseThrow(() -> AssayException.misuse(at + ": field '" + name + "' is missing"));
        }

        @Override
        public String kind() {
            return "an object";
        }
    }

    /** An array. */
    record Arr(List<JsonValue> items, Position at) implements JsonValue {
        public Arr {
            items = List.copyOf(items);
        }

        /** An array made in memory. */
        public static Arr of(List<? extends JsonValue> items) {
            return new Arr(List.copyOf(items), Position.NONE);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** A string. */
    record Str(String value, Position at) implements JsonValue {
        @Override
        public String kind() {
            return "a text";
        }
    }

    /** An integer within the range of {@code long}. */
    record Int(long value, Position at) implements JsonValue {
        @Override
        public String kind() {
            return "a whole number";
        }
    }

    /** A finite number that is not an {@link Int}. */
    record Real(double value, Position at) implements JsonValue {
        public Real {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("JSON has no " + value);
            }
        }

        @Override
        public String kind() {
            return "a number";
        }
    }

    /** A truth value. */
    record Bool(boolean value, Position at) implements JsonValue {
        @Override
        public String kind() {
            return "true or false";
        }
    }

    /** The null literal. */
    record Null(Position at) implements JsonValue {
        @Override
        public String kind() {
            return "null";
        }
    }

    /** A string made in memory. */
    static Str of(String value) {
        return new Str(value, Position.NONE);
    }

    /** An integer made in memory. */
    static Int of(long value) {
        return new Int(value, Position.NONE);
    }

    /** A number made in memory; it must be finite. */
    static Real of(double value) {
        return new Real(value, Position.NONE);
    }

    /** A truth value made in memory. */
    static Bool of(boolean value) {
        return new Bool(value, Position.NONE);
    }

    /** This node as an object, or an {@link AssayException} that says what it is instead. */
    default Obj asObject() {
        return this instanceof Obj o ? o : expected("an object");
    }

    /** This node's items, or an {@link AssayException}. */
    default List<JsonValue> asList() {
        return this instanceof Arr a ? a.items() : expected("a list");
    }

    /** This node as a string, or an {@link AssayException}. */
    default String asText() {
        return this instanceof Str s ? s.value() : expected("a text");
    }

    /** This node as an integer, or an {@link AssayException}. */
    default long asLong() {
        return this instanceof Int i ? i.value() : expected("a whole number");
    }

    /** This node as a number, or an {@link AssayException}. */
    default double asDouble() {
        return switch (this) {
            case Int i -> i.value();
            case Real r -> r.value();
            case Obj _,Arr _,Str _,Bool _,Null _ -> expected("a number");
        };
    }

    /** This node as a truth value, or an {@link AssayException}. */
    default boolean asBoolean() {
        return this instanceof Bool b ? b.value() : expected("true or false");
    }

    private <T> T expected(String what) {
        throw AssayException.misuse(at() + ": expected " + what + ", found " + kind());
    }
}
