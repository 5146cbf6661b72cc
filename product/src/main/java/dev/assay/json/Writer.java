package dev.assay.json;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** Writes trees: canonical by RFC 8785, and pretty for people. */
final class Writer {
    private final StringBuilder out = new StringBuilder();
    private final boolean pretty;

    private Writer(boolean pretty) {
        this.pretty = pretty;
    }

    static String canonical(JsonValue value) {
        Writer writer = new Writer(false);
        writer.value(value, 0);
        return writer.out.toString();
    }

    static String pretty(JsonValue value) {
        Writer writer = new Writer(true);
        writer.value(value, 0);
        return writer.out.append('\n').toString();
    }

    private void value(JsonValue value, int depth) {
        switch (value) {
            case JsonValue.Obj o -> object(o, depth);
            case JsonValue.Arr a -> array(a, depth);
            case JsonValue.Str s -> string(s.value());
            case JsonValue.Int i -> out.append(i.value());
            case JsonValue.Real r -> out.append(number(r.value()));
            case JsonValue.Bool b -> out.append(b.value());
            case JsonValue.Null _ -> out.append("null");
        }
    }

    private void object(JsonValue.Obj object, int depth) {
        // String.compareTo orders by UTF-16 code units, as RFC 8785 section 3.2.3 asks.
        Map<String, JsonValue> fields = pretty ? object.fields() : new TreeMap<>(object.fields());
        out.append('{');
        Iterator<Map.Entry<String, JsonValue>> entries = fields.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, JsonValue> entry = entries.next();
            line(depth + 1);
            string(entry.getKey());
            out.append(pretty ? ": " : ":");
            value(entry.getValue(), depth + 1);
            if (entries.hasNext()) {
                out.append(',');
            }
        }
        if (!fields.isEmpty()) {
            line(depth);
        }
        out.append('}');
    }

    private void array(JsonValue.Arr array, int depth) {
        boolean flat = array.items().stream()
                .noneMatch(item -> item instanceof JsonValue.Obj || item instanceof JsonValue.Arr);
        out.append('[');
        for (int i = 0; i < array.items().size(); i++) {
            if (i > 0) {
                out.append(pretty && flat ? ", " : ",");
            }
            if (!flat) {
                line(depth + 1);
            }
            value(array.items().get(i), depth + 1);
        }
        if (!flat) {
            line(depth);
        }
        out.append(']');
    }

    private void line(int depth) {
        if (pretty) {
            out.append('\n').append("  ".repeat(depth));
        }
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** ECMAScript's Number::toString, which RFC 8785 section 3.2.2.3 names; Java's shortest digits are the same. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        String digits = shortest.unscaledValue().abs().toString();
        int point = digits.length() - shortest.scale();
        String sign = value < 0 ? "-" : "";
        if (point > 21 || point < -5) {
            String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
            return sign + mantissa + "e" + (point > 0 ? "+" : "") + (point - 1);
        }
        if (point <= 0) {
            return sign + "0." + "0".repeat(-point) + digits;
        }
        if (point >= digits.length()) {
            return sign + digits + "0".repeat(point - digits.length());
        }
        return sign + digits.substring(0, point) + "." + digits.substring(point);
    }
}
