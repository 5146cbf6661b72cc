package dev.assay.engine;

import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Typed access to a request's fields; every fault is a 400 that names the field. Unknown fields are left alone. */
final class Fields {
    private final JsonValue.Obj object;
    private final String path;

    Fields(JsonValue.Obj object, String path) {
        this.object = object;
        this.path = path;
    }

    Optional<JsonValue> get(String name) {
        return object.get(name);
    }

    String path(String name) {
        return path + name;
    }

    Optional<Fields> object(String name) {
        return get(name).map(value -> value instanceof JsonValue.Obj o
                ? new Fields(o, path(name) + ".")
                : fail(name, "an object", value));
    }

    boolean flag(String name, boolean absent) {
        return get(name)
                .map(value -> value instanceof JsonValue.Bool b
                        ? b.value()
                        : fail(name, "true or false", value))
                .orElse(absent);
    }

    Optional<String> text(String name) {
        return get(name)
                .map(value -> value instanceof JsonValue.Str s ? s.value() : fail(name, "a text", value));
    }

    /** A whole number within bounds. */
    Optional<Long> whole(String name, long least, long most) {
        return get(name).map(value -> {
            long number = value instanceof JsonValue.Int i ? i.value() : fail(name, "a whole number", value);
            if (number < least || number > most) {
                throw ApiError.field(path(name),
                        "must be "
                                + (most >= Integer.MAX_VALUE
                                        ? "at least " + least
                                        : "between " + least + " and " + most)
                                + ", was " + number);
            }
            return number;
        });
    }

    int whole(String name, int least, int most, int absent) {
        return Math.toIntExact(whole(name, least, most).orElse((long) absent));
    }

    double number(String name, double least, double most, double absent) {
        Optional<JsonValue> value = get(name);
        if (value.isEmpty()) {
            return absent;
        }
        double number = switch (value.get()) {
            case JsonValue.Int i -> i.value();
            case JsonValue.Real r -> r.value();
            case JsonValue.Str _,JsonValue.Bool _,JsonValue.Null _,JsonValue.Arr _,JsonValue.Obj _ ->
                fail(name, "a number", value.get());
        };
        if (number < least || number > most) {
            throw ApiError.field(path(name), "must be between " + least + " and " + most + ", was " + number);
        }
        return number;
    }

    /** A text, or a list of texts. */
    List<String> texts(String name, int most) {
        Optional<JsonValue> value = get(name);
        if (value.isEmpty()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (JsonValue item : value.get() instanceof JsonValue.Arr a ? a.items() : List.of(value.get())) {
            texts.add(item instanceof JsonValue.Str s
                    ? s.value()
                    : fail(name, "a text or a list of texts", item));
        }
        if (texts.size() > most) {
            throw ApiError.field(path(name), "at most " + most + " texts, had " + texts.size());
        }
        return texts;
    }

    /** A list of token ids below {@code vocab}. */
    int[] ids(String name, List<JsonValue> items, int vocab) {
        int[] ids = new int[items.size()];
        for (int i = 0; i < ids.length; i++) {
            JsonValue item = items.get(i);
            long id = item instanceof JsonValue.Int number ? number.value() : fail(name, "token ids", item);
            if (id < 0 || id >= vocab) {
                throw ApiError.field(path(name),
                        "token id " + id + " at index " + i + ": expected 0 to " + (vocab - 1));
            }
            ids[i] = (int) id;
        }
        return ids;
    }

    <T> T fail(String name, String expected, JsonValue found) {
        throw ApiError.field(path(name), "expected " + expected + ", found " + found.kind());
    }
}
