package dev.assay.model;

import dev.assay.AssayException;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Checked fields of a {@code config.json}; faults are one line with the file, the field and the bound. */
final class ConfigFields {
    /** No size in any model comes near it; more is a damaged file. */
    static final int MOST = 1 << 26;

    private final JsonValue.Obj object;
    private final String where;

    ConfigFields(JsonValue.Obj object, String where) {
        this.object = object;
        this.where = where;
    }

    /** The fields of a model's language part where it has others, else these. */
    ConfigFields nested(String name) {
        return object.get(name).map(v -> new ConfigFields(v.asObject(), where + ": " + name)).orElse(this);
    }

    boolean has(String name) {
        return object.get(name).isPresent();
    }

    Optional<ConfigFields> object(String name) {
        return object.get(name).map(v -> new ConfigFields(v.asObject(), where + ": " + name));
    }

    int integer(String name) {
        return integer(name, 1);
    }

    int integer(String name, int least) {
        return optional(name, least).orElseThrow(() -> missing(name, "a whole number of at least " + least));
    }

    int integer(String name, int least, int otherwise) {
        return optional(name, least).orElse(otherwise);
    }

    /** The first of several names that one field has had. */
    int either(String name, String older) {
        return optional(name, 1).orElseGet(() -> optional(older, 1)
                .orElseThrow(() -> missing(name, "a whole number of at least 1")));
    }

    OptionalInt optional(String name, int least) {
        Optional<JsonValue> value = object.get(name);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!(value.get() instanceof JsonValue.Int i)) {
            throw fault(name, "is " + value.get().kind() + "; expected a whole number");
        }
        if (i.value() < least || i.value() > MOST) {
            throw fault(name, "is " + i.value() + "; expected " + least + " to " + MOST);
        }
        return OptionalInt.of((int) i.value());
    }

    boolean flag(String name, boolean otherwise) {
        Optional<JsonValue> value = object.get(name);
        if (value.isPresent() && !(value.get() instanceof JsonValue.Bool)) {
            throw fault(name, "is " + value.get().kind() + "; expected true or false");
        }
        return value.map(JsonValue::asBoolean).orElse(otherwise);
    }

    Optional<String> text(String name) {
        Optional<JsonValue> value = object.get(name);
        if (value.isPresent() && !(value.get() instanceof JsonValue.Str)) {
            throw fault(name, "is " + value.get().kind() + "; expected a text");
        }
        return value.map(JsonValue::asText);
    }

    /** A list, empty where the field is absent. */
    List<JsonValue> list(String name) {
        Optional<JsonValue> value = object.get(name);
        if (value.isPresent() && !(value.get() instanceof JsonValue.Arr)) {
            throw fault(name, "is " + value.get().kind() + "; expected a list");
        }
        return value.map(JsonValue::asList).orElse(List.of());
    }

    Map<String, JsonValue> all() {
        return object.fields();
    }

    AssayException missing(String name, String expected) {
        return AssayException.misuse(where + ": field '" + name + "' is missing; expected " + expected);
    }

    AssayException fault(String name, String what) {
        return AssayException.misuse(where + ": field '" + name + "' " + what);
    }

    String where() {
        return where;
    }
}
