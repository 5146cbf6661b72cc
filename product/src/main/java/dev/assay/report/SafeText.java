package dev.assay.report;

/** Text from a proposal or a server, made harmless for every form before that form escapes it. */
final class SafeText {
    private static final int REPLACEMENT = 0xFFFD;

    private SafeText() {}

    /** One line: white space runs become one blank; control and direction-changing characters become U+FFFD. */
    static String line(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean blank = false;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (Character.isWhitespace(c) || c == 0x85) {
                blank = true;
                continue;
            }
            if (blank && !out.isEmpty()) {
                out.append(' ');
            }
            blank = false;
            out.appendCodePoint(unsafe(c) ? REPLACEMENT : c);
        }
        return out.toString();
    }

    /** The same, but line breaks stay. */
    static String lines(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.replace("\r\n", "\n").codePoints()
                .forEach(c -> out.appendCodePoint(c != '\n' && unsafe(c) ? REPLACEMENT : c));
        return out.toString();
    }

    /** Escape sequences start with a control character; embedding and override marks reorder what a reader sees. */
    private static boolean unsafe(int c) {
        return Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.SURROGATE
                || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
