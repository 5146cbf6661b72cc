package dev.assay.engine;

import java.util.Map;

/** Builds a page in the Prometheus text format, version 0.0.4; every series has the label {@code model_name}. */
final class MetricsText {
    /** Before each name: the engine's own, so that nothing is taken for a series of another server. */
    static final String PREFIX = "assay:";

    private final StringBuilder out = new StringBuilder(1 << 14);
    private final String model;

    MetricsText(String model) {
        this.model = "model_name=\"" + escape(model) + '"';
    }

    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    void type(String name, String type, String help) {
        out.append("# HELP ").append(PREFIX).append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(PREFIX).append(name).append(' ').append(type).append('\n');
    }

    void sample(String name, double value) {
        out.append(PREFIX).append(name).append('{').append(model).append("} ").append(number(value))
                .append('\n');
    }

    void sample(String name, String label, String labelValue, double value) {
        sample(name, Map.of(label, labelValue), value);
    }

    void sample(String name, Map<String, String> labels, double value) {
        out.append(PREFIX).append(name).append('{').append(model);
        labels.forEach((k, v) -> out.append(',').append(k).append("=\"").append(escape(v)).append('"'));
        out.append("} ").append(number(value)).append('\n');
    }

    void counter(String name, String help, double value) {
        type(name, "counter", help);
        sample(name, value);
    }

    void counter(String name, String help, long value) {
        counter(name, help, (double) value);
    }

    void gauge(String name, String help, double value) {
        type(name, "gauge", help);
        sample(name, value);
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
