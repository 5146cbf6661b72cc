package dev.assay.json;

import java.util.stream.Collectors;

/** Turns foreign text into parts of a one-line message. */
final class Messages {
    private static final int LONGEST = 80;

    private Messages() {
    }

    /** The text in quotes, on one line and not longer than a line. */
    static String quoted(String text) {
        String cut = text.codePointCount(0, text.length()) > LONGEST
                ? text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…"
                : text;
        return "'" + cut.replaceAll("\\R", "\\\\n").replaceAll("\\p{Cntrl}", "?") + "'";
    }

    /** A parser's message without its excerpts, and without advice that names the parser's own options. */
    static String ofParser(String message) {
        String joined = message.lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining(", "));
        String own = joined.replaceAll("(: |, )?enable `.*", "")
                .replaceAll(" ?\\(start marker at .*", "")
                .replaceAll(", from `[^`]*`", "")
                .replaceAll(" ?\\(not recognized as one since .*", "")
                .replaceAll("\\p{Cntrl}", "?");
        return own.isBlank() ? "not readable here" : own;
    }
}
