package dev.assay.load;

import dev.assay.load.MetricsSnapshot.Series;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the Prometheus text format 0.0.4 and OpenMetrics 1.0: names, labels with escapes, values with NaN and ±Inf,
 * timestamps and exemplars ignored. A line that is none of these is skipped, as one bad exporter must not hide the rest.
 */
final class MetricsText {
    private MetricsText() {}

    static Map<Series, Double> parse(String text) {
        Map<Series, Double> values = new HashMap<>();
        text.lines().forEach(line -> {
            if (!line.isBlank() && line.charAt(0) != '#') {
                sample(line.strip(), values);
            }
        });
        return values;
    }

    private static void sample(String line, Map<Series, Double> values) {
        int at = 0;
        while (at < line.length() && line.charAt(at) != '{' && !Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        String name = line.substring(0, at);
        Map<String, String> labels = new HashMap<>();
        if (at < line.length() && line.charAt(at) == '{') {
            at = labels(line, at + 1, labels);
        }
        String[] rest = at < 0 ? new String[0] : line.substring(at).strip().split("\\s+", 2);
        if (name.isEmpty() || rest.length == 0 || rest[0].isEmpty()) {
            return;
        }
        try {
            double value = switch (rest[0]) {
                case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(rest[0]);
            };
            if (!Double.isNaN(value)) {
                values.put(new Series(name, labels), value);
            }
        } catch (NumberFormatException e) {
            return;
        }
    }

    /** Reads {@code a="b",…}} from {@code from}; returns the place behind the brace, −1 where the text is broken. */
    private static int labels(String line, int from, Map<String, String> labels) {
        int at = from;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '}') {
                return at + 1;
            }
            if (c == ',' || c == ' ') {
                at++;
                continue;
            }
            int equals = line.indexOf('=', at);
            if (equals < 0 || equals + 1 >= line.length() || line.charAt(equals + 1) != '"') {
                return -1;
            }
            StringBuilder value = new StringBuilder();
            int i = equals + 2;
            while (i < line.length() && line.charAt(i) != '"') {
                char v = line.charAt(i);
                if (v == '\\' && i + 1 < line.length()) {
                    char escaped = line.charAt(++i);
                    value.append(escaped == 'n' ? '\n' : escaped);
                } else {
                    value.append(v);
                }
                i++;
            }
            labels.put(line.substring(at, equals).strip(), value.toString());
            at = i + 1;
        }
        return -1;
    }
}
