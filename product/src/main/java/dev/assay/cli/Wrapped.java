package dev.assay.cli;

import java.util.ArrayList;
import java.util.List;

/** Long sentences broken at blanks into lines that fit a terminal. */
final class Wrapped {
    /** What a terminal shows at least. */
    static final int WIDTH = 80;

    private Wrapped() {}

    /** The lines of a text; each after the first begins with {@code indent}. */
    static List<String> lines(String indent, String text) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > WIDTH && rest.lastIndexOf(' ', WIDTH) > indent.length()) {
            int cut = rest.lastIndexOf(' ', WIDTH);
            lines.add(rest.substring(0, cut));
            rest = indent + rest.substring(cut + 1);
        }
        lines.add(rest);
        return lines;
    }

    /** Appends the lines of a text, each with its end. */
    static void to(StringBuilder out, String indent, String text) {
        lines(indent, text).forEach(line -> out.append(line).append('\n'));
    }
}
