package dev.assay.json;

import dev.assay.AssayException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maps trees to records and back.
 *
 * <p>A component {@code fooBar} is the field {@code foo_bar}. {@code Optional} and {@code OptionalDouble} components may
 * be absent; absent {@code List}s and {@code Map}s are errors, as all else. Enums are their constants in lower case. A
 * sealed interface of records is an object whose field {@code kind} is the record's simple name in snake
 * case. A record's own {@link IllegalArgumentException} is reported at the object's place.
 */
final class Binder {
    private static final String KIND = "kind";

    private Binder() {
    }

    static <T> T bind(JsonValue value, Class<T> type) {
        return type.cast(bind(value, type, ""));
    }

    private static Object bind(JsonValue value, Type type, String path) {
        if (type instanceof ParameterizedType p) {
            return parameterized(value, p, path);
        }
        if (!(type instanceof Class<?> raw)) {
            throw new IllegalArgumentException("no mapping for " + type);
        }
        if (raw == String.class) {
            return value instanceof JsonValue.Str s ? s.value() : wrong(value, path, "a text");
        }
        if (raw == int.class || raw == Integer.class) {
            long n = value instanceof JsonValue.Int i ? i.value() : (Long) wrong(value, path, "a whole number");
            return n == (int) n ? (Object) (int) n : wrong(value, path, "a whole number below 2^31");
        }
        if (raw == long.class || raw == Long.class) {
            return value instanceof JsonValue.Int i ? (Object) i.value() : wrong(value, path, "a whole number");
        }
        if (raw == double.class || raw == Double.class) {
            return value instanceof JsonValue.Int || value instanceof JsonValue.Real
                    ? (Object) value.asDouble()
                    : wrong(value, path, "a number");
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return value instanceof JsonValue.Bool b ? (Object) b.value() : wrong(value, path, "true or false");
        }
        if (JsonValue.class.isAssignableFrom(raw)) {
            return raw.isInstance(value) ? value : wrong(value, path, raw.getSimpleName());
        }
        if (raw.isEnum()) {
            return enumConstant(value, raw, path);
        }
        if (raw.isSealed() && raw.isInterface()) {
            return sealed(value, raw, path);
        }
        if (raw.isRecord()) {
            return hasKind(raw) ? sealedRecord(value, raw, path) : record(value, raw, path, false);
        }
        throw new IllegalArgumentException("no mapping for " + type);
    }

    private static Object parameterized(JsonValue value, ParameterizedType type, String path) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            if (!(value instanceof JsonValue.Arr list)) {
                return wrong(value, path, "a list");
            }
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < list.items().size(); i++) {
                items.add(bind(list.items().get(i), arguments[0], path + "[" + i + "]"));
            }
            return List.copyOf(items);
        }
        if (type.getRawType() == Map.class && arguments[0] == String.class) {
            if (!(value instanceof JsonValue.Obj object)) {
                return wrong(value, path, "an object");
            }
            Map<String, Object> entries = new LinkedHashMap<>();
            object.fields().forEach((k, v) -> entries.put(k, bind(v, arguments[1], join(path, k))));
            return java.util.Collections.unmodifiableMap(entries);
        }
        if (type.getRawType() == Optional.class) {
            return Optional.of(bind(value, arguments[0], path));
        }
        throw new IllegalArgumentException("no mapping for " + type);
    }

    private static Object sealed(JsonValue value, Class<?> type, String path) {
        if (!(value instanceof JsonValue.Obj object)) {
            return wrong(value, path, "an object");
        }
        return kind(value, object, kinds(type), path);
    }

    /** A component declared as one record of a sealed interface: its kind is written, so it is read and checked. */
    private static Object sealedRecord(JsonValue value, Class<?> type, String path) {
        if (!(value instanceof JsonValue.Obj object)) {
            return wrong(value, path, "an object");
        }
        return kind(value, object, Map.of(snake(type.getSimpleName()), type), path);
    }

    private static Object kind(JsonValue value, JsonValue.Obj object, Map<String, Class<?>> kinds, String path) {
        String expected = "field '" + KIND + "' as one of " + String.join(", ", kinds.keySet());
        String kind = object.get(KIND).filter(k -> k instanceof JsonValue.Str).map(JsonValue::asText).orElse("");
        Class<?> chosen = kinds.get(kind);
        return chosen == null ? wrong(value, path, expected) : record(value, chosen, path, true);
    }

    private static Map<String, Class<?>> kinds(Class<?> sealed) {
        return leaves(sealed)
                .collect(Collectors.toMap(c -> snake(c.getSimpleName()), c -> c, (a, b) -> {
                    throw new IllegalArgumentException("two kinds of one name: " + a + ", " + b);
                }, LinkedHashMap::new));
    }

    /** The records under a sealed interface, also those of a sealed interface inside it. */
    private static Stream<Class<?>> leaves(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses()).flatMap(c -> c.isSealed() ? leaves(c) : Stream.of(c));
    }

    private static boolean hasKind(Class<?> type) {
        return Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed);
    }

    private static Object record(JsonValue value, Class<?> type, String path, boolean hasKind) {
        if (!(value instanceof JsonValue.Obj object)) {
            return wrong(value, path, "an object");
        }
        RecordComponent[] components = type.getRecordComponents();
        Map<String, RecordComponent> known = new LinkedHashMap<>();
        for (RecordComponent component : components) {
            known.put(snake(component.getName()), component);
        }
        object.fields().forEach((name, field) -> {
            if (!known.containsKey(name) && !(hasKind && name.equals(KIND))) {
                throw AssayException.misuse(field.at() + ": unknown field " + Messages.quoted(join(path, name))
                        + "; expected one of " + String.join(", ", known.keySet()));
            }
        });
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            arguments[i] = component(object, components[i], path);
        }
        return construct(object, type, components, arguments, path);
    }

    private static Object component(JsonValue.Obj object, RecordComponent component, String path) {
        String name = snake(component.getName());
        JsonValue field = object.fields().get(name);
        if (field == null || field instanceof JsonValue.Null) {
            if (component.getType() == Optional.class) {
                return Optional.empty();
            }
            if (component.getType() == OptionalDouble.class) {
                return OptionalDouble.empty();
            }
        }
        if (field == null) {
            throw AssayException.misuse(object.at() + ": field '" + join(path, name) + "' is missing; expected "
                    + describe(component.getType()));
        }
        if (component.getType() == OptionalDouble.class) {
            return OptionalDouble.of((Double) bind(field, double.class, join(path, name)));
        }
        return bind(field, component.getGenericType(), join(path, name));
    }

    private static Object construct(JsonValue.Obj at, Class<?> type, RecordComponent[] components,
            Object[] arguments, String path) {
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException bad) {
                throw AssayException.misuse(at.at() + ": " + (path.isEmpty() ? "" : path + ": ") + bad.getMessage());
            }
            throw new IllegalStateException("cannot construct " + type, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot construct " + type, e);
        }
    }

    private static Object enumConstant(JsonValue value, Class<?> type, String path) {
        Object[] constants = type.getEnumConstants();
        for (Object constant : constants) {
            if (value instanceof JsonValue.Str s && s.value().equals(enumName((Enum<?>) constant))) {
                return constant;
            }
        }
        return wrong(value, path, describe(type));
    }

    private static Object wrong(JsonValue value, String path, String expected) {
        String found = value instanceof JsonValue.Str s ? Messages.quoted(s.value()) : value.kind();
        String field = path.isEmpty() ? "" : "field '" + path + "': ";
        throw AssayException.misuse(value.at() + ": " + field + "expected " + expected + ", found " + found);
    }

    private static String describe(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(c -> enumName((Enum<?>) c))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == int.class || type == long.class) {
            return "a whole number";
        }
        if (type == double.class) {
            return "a number";
        }
        if (type == boolean.class) {
            return "true or false";
        }
        return type == List.class ? "a list" : "an object";
    }

    static JsonValue tree(Object value) {
        return switch (value) {
            case JsonValue tree -> tree;
            case String s -> JsonValue.of(s);
            case Integer i -> JsonValue.of((long) i);
            case Long l -> JsonValue.of((long) l);
            case Double d -> JsonValue.of((double) d);
            case Boolean b -> JsonValue.of((boolean) b);
            case Enum<?> e -> JsonValue.of(enumName(e));
            case List<?> list -> JsonValue.Arr.of(list.stream().map(Binder::tree).toList());
            case Map<?, ?> map -> {
                // Sorted, because an immutable map's own order differs from one process to the next.
                Map<String, JsonValue> fields = new TreeMap<>();
                map.forEach((k, v) -> fields.put((String) k, tree(v)));
                yield JsonValue.Obj.of(fields);
            }
            case Record record -> recordTree(record);
            default -> throw new IllegalArgumentException("no mapping for " + value.getClass());
        };
    }

    private static JsonValue recordTree(Record record) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        if (hasKind(record.getClass())) {
            fields.put(KIND, JsonValue.of(snake(record.getClass().getSimpleName())));
        }
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = read(record, component);
            Object present = switch (value) {
                case Optional<?> o -> o.isPresent() ? o.get() : Optional.empty();
                case OptionalDouble o -> o.isPresent() ? (Object) o.getAsDouble() : Optional.empty();
                default -> value;
            };
            if (!(present instanceof Optional<?>)) {
                fields.put(snake(component.getName()), tree(present));
            }
        }
        return JsonValue.Obj.of(fields);
    }

    private static Object read(Record record, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String enumName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
