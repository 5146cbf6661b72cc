package dev.assay.report;

import java.util.ArrayList;
import java.util.List;

/** How many columns text takes on a terminal, and cutting and wrapping by it. */
final class DisplayWidth {
    private DisplayWidth() {}

    /** Columns of a text without line breaks: 0 for marks, 2 for East Asian wide characters and emoji, else 1. */
    static int of(String text) {
        return text.codePoints().map(DisplayWidth::of).sum();
    }

    private static int of(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK
                || type == Character.FORMAT) {
            return 0;
        }
        boolean wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF)
                || (c >= 0xAC00 && c <= 0xD7A3)
                || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F)
                || (c >= 0xFF00 && c <= 0xFF60)
                || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF)
                || (c >= 0x20000 && c <= 0x3FFFD);
        return wide ? 2 : 1;
    }

    /** The text, cut with an ellipsis where it is wider than {@code width}. */
    static String cut(String text, int width) {
        if (of(text) <= width) {
            return text;
        }
        return width <= 0 ? "" : prefix(text, width - 1) + "…";
    }

    /** Lines no wider than {@code width}, broken at blanks, within a word only where it is wider than a line. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            String rest = word;
            if (!line.isEmpty() && of(line.toString()) + 1 + of(rest) <= width) {
                line.append(' ').append(rest);
                continue;
            }
            if (!line.isEmpty()) {
                lines.add(line.toString());
                line.setLength(0);
            }
            while (of(rest) > width) {
                String head = prefix(rest, width);
                lines.add(head);
                rest = rest.substring(head.length());
            }
            line.append(rest);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String prefix(String text, int width) {
        int used = 0;
        int end = 0;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            if (used + of(c) > width) {
                break;
            }
            used += of(c);
            end += Character.charCount(c);
        }
        return text.substring(0, end);
    }
}
