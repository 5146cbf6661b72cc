package dev.assay.report;

/** Escaping for GitHub's Markdown that leaves ordinary text as it is. */
final class Markdown {
    private Markdown() {}

    /** Text on one line in which nothing is taken for markup. */
    static String inline(String text) {
        String line = SafeText.line(text);
        StringBuilder out = new StringBuilder(line.length() + 8);
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            switch (c) {
                case '<' -> out.append(beforeAny(line, i, "/!?") ? "&lt;" : "<");
                case '&' -> out.append(beforeAny(line, i, "#") ? "&amp;" : "&");
                case '\\', '`', '*', '|', '~' -> out.append('\\').append(c);
                // A bracket is markup only where the closing one is followed by its target: intervals stay readable.
                case ']' ->
                    out.append(i + 1 < line.length() && "([:".indexOf(line.charAt(i + 1)) >= 0 ? "\\]" : "]");
                case '_' -> out.append(insideWord(line, i) ? "_" : "\\_");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    /** The same at the start of a line, where some characters begin a list, quote or heading. */
    static String paragraph(String text) {
        String inline = inline(text);
        if (inline.isEmpty()) {
            return inline;
        }
        if ("#->+=".indexOf(inline.charAt(0)) >= 0) {
            return "\\" + inline;
        }
        int digits = 0;
        while (digits < inline.length() && Character.isDigit(inline.charAt(digits))) {
            digits++;
        }
        boolean numbered = digits > 0 && digits < inline.length() && ".)".indexOf(inline.charAt(digits)) >= 0;
        return numbered ? inline.substring(0, digits) + "\\" + inline.substring(digits) : inline;
    }

    /** A block of code whose fence is longer than any run of backticks inside. */
    static String code(String text) {
        String safe = SafeText.lines(text);
        String fence = "```";
        while (safe.contains(fence)) {
            fence += "`";
        }
        return fence + "\n" + safe + "\n" + fence + "\n";
    }

    /** Whether a letter or one of {@code others} follows, so that the character could begin a tag or an entity. */
    private static boolean beforeAny(String line, int i, String others) {
        return i + 1 < line.length()
                && (Character.isLetter(line.charAt(i + 1)) || others.indexOf(line.charAt(i + 1)) >= 0);
    }

    private static boolean insideWord(String line, int i) {
        return i > 0 && i + 1 < line.length() && Character.isLetterOrDigit(line.charAt(i - 1))
                && Character.isLetterOrDigit(line.charAt(i + 1));
    }
}
