package dev.assay.json;

import dev.assay.AssayException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** Writes trees: canonical by RFC 8785, and pretty for people. */
final class Writer {
    private static final MathContext ONE_DIGIT = new MathContext(1, RoundingMode.HALF_EVEN);

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
            case JsonValue.Int i -> integer(i);
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

    /** Other readers hold doubles: an integer is canonical only where its double is written with the same digits. */
    private void integer(JsonValue.Int integer) {
        String digits = Long.toString(integer.value());
        if (!pretty && !digits.equals(number(integer.value()))) {
            throw AssayException.misuse("a canonical document holds integers that a double holds, found " + digits
                    + ": write it as a text");
        }
        out.append(digits);
    }

    private void string(String text) {
        if (!pretty && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw AssayException.misuse("a canonical document holds whole characters only, found half a surrogate "
                    + "pair in " + Messages.quoted(text));
        }
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
                    if (c < 0x20 || isLone(text, i)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Half a surrogate pair has no UTF-8 form, so the pretty form escapes it. */
    private static boolean isLone(String text, int i) {
        char c = text.charAt(i);
        return Character.isHighSurrogate(c) && (i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1)))
                || Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    /** ECMAScript's Number::toString, which RFC 8785 section 3.2.2.3 names. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal shortest = shortest(value);
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

    /** Java writes two digits at least and so picks 4.9E-324 where one digit, 5E-324, tells the number apart as well. */
    private static BigDecimal shortest(double value) {
        BigDecimal java = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        BigDecimal one = new BigDecimal(value).round(ONE_DIGIT);
        return java.precision() == 2 && one.doubleValue() == value ? one : java;
    }
}
