package dev.assay.load;

import dev.assay.load.MetricsSnapshot.Series;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Reads the Prometheus text format 0.0.4 and OpenMetrics 1.0: names (quoted ones too), labels with escapes, values with
 * NaN and ±Inf; timestamps and exemplars are passed over and nothing is read past {@code # EOF}. A line that is none of
 * these is skipped, as one bad exporter must not hide the rest; so is a last line without its line feed, as both formats
 * end every line with one and the value may have been cut.
 */
final class MetricsText {
    /** Java would also read a suffix as in {@code 1f}, which the formats do not have. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d|\\.\\d|0[xX])[^dDfF]*|[+-]?0[xX].*");

    private final String line;
    private int at;

    private MetricsText(String line) {
        this.line = line;
    }

    static Map<Series, Double> parse(String text) {
        return parse(text, name -> true);
    }

    /** The samples of those metrics that {@code wanted} names. */
    static Map<Series, Double> parse(String text, Predicate<String> wanted) {
        Map<Series, Double> values = new HashMap<>();
        int from = 0;
        int end;
        while ((end = text.indexOf('\n', from)) >= 0) {
            String line = text.substring(from, end).strip();
            from = end + 1;
            if (line.equals("# EOF")) {
                break;
            }
            if (!line.isEmpty() && line.charAt(0) != '#') {
                new MetricsText(line).sample(values, wanted);
            }
        }
        return values;
    }

    private void sample(Map<Series, Double> values, Predicate<String> wanted) {
        while (at < line.length() && line.charAt(at) != '{' && !Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        String name = line.substring(0, at);
        if (!name.isEmpty() && !wanted.test(name)) {
            return;
        }
        Map<String, String> labels = new HashMap<>();
        blanks();
        if (at < line.length() && line.charAt(at) == '{') {
            at++;
            if (!labels(labels)) {
                return;
            }
        }
        if (name.isEmpty()) {
            // A quoted name stands within the braces, before the labels.
            name = labels.getOrDefault("", "");
            labels.remove("");
        }
        if (name.isEmpty() || labels.containsKey("") || !wanted.test(name)) {
            return;
        }
        blanks();
        int from = at;
        while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        double value = number(line.substring(from, at));
        if (!Double.isNaN(value)) {
            values.put(new Series(name, labels), value);
        }
    }

    /** NaN for what is not a number too: both are left out. */
    private static double number(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "+inf", "inf", "+infinity", "infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
                } catch (NumberFormatException e) {
                    yield Double.NaN;
                }
            }
        };
    }

    private void blanks() {
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
    }

    /** Reads {@code a="b",…}} to behind the brace; false where the text is broken. */
    private boolean labels(Map<String, String> labels) {
        while (true) {
            blanks();
            if (at >= line.length()) {
                return false;
            }
            char c = line.charAt(at);
            if (c == '}') {
                at++;
                return true;
            }
            if (c == ',') {
                at++;
            } else if (!label(labels)) {
                return false;
            }
        }
    }

    private boolean label(Map<String, String> labels) {
        String name;
        if (line.charAt(at) == '"') {
            StringBuilder quoted = new StringBuilder();
            if (!quoted(quoted)) {
                return false;
            }
            name = quoted.toString();
            blanks();
            if (at < line.length() && (line.charAt(at) == ',' || line.charAt(at) == '}')) {
                return labels.putIfAbsent("", name) == null;
            }
        } else {
            int equals = line.indexOf('=', at);
            if (equals < 0) {
                return false;
            }
            name = line.substring(at, equals).strip();
            at = equals;
        }
        if (at >= line.length() || line.charAt(at) != '=' || name.isEmpty()) {
            return false;
        }
        at++;
        blanks();
        StringBuilder value = new StringBuilder();
        if (!quoted(value)) {
            return false;
        }
        labels.put(name, value.toString());
        return true;
    }

    /** A text in quotes, its escapes of backslash, quote and line feed undone; others stand as they are. */
    private boolean quoted(StringBuilder into) {
        if (at >= line.length() || line.charAt(at) != '"') {
            return false;
        }
        at++;
        while (at < line.length() && line.charAt(at) != '"') {
            char c = line.charAt(at++);
            if (c != '\\' || at == line.length()) {
                into.append(c);
                continue;
            }
            char escaped = line.charAt(at++);
            switch (escaped) {
                case 'n' -> into.append('\n');
                case '\\', '"' -> into.append(escaped);
                default -> into.append('\\').append(escaped);
            }
        }
        return at++ < line.length();
    }
}
