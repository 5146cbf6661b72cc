package dev.assay.report;

import java.util.ArrayList;
import java.util.List;

/** Lines for a terminal: none wider than the width, colour only where asked for. */
final class TerminalText {
    private static final String RESET = "\u001b[0m";
    private static final String GAP = "  ";

    /** A piece of a line in one style. */
    record Span(String text, String style) {
        static Span of(String text) {
            return new Span(text, "");
        }

        static Span of(String text, Tone tone) {
            return new Span(text, sgr(tone));
        }

        static Span strong(String text) {
            return new Span(text, "1");
        }
    }

    private final int width;
    private final boolean colour;
    private final StringBuilder out = new StringBuilder();

    TerminalText(int width, boolean colour) {
        this.width = width;
        this.colour = colour;
    }

    /** An empty line, unless the last one is. */
    void gap() {
        if (!out.isEmpty() && !out.toString().endsWith("\n\n")) {
            out.append('\n');
        }
    }

    void heading(String text) {
        gap();
        line(List.of(Span.strong(text)));
    }

    /** One line, cut at the width. */
    void line(List<Span> spans) {
        int left = width;
        StringBuilder line = new StringBuilder();
        for (Span span : spans) {
            String text = DisplayWidth.cut(SafeText.lines(span.text()).replace('\n', ' '), left);
            left -= DisplayWidth.of(text);
            line.append(colour && !span.style().isEmpty() && !text.isBlank()
                    ? "\u001b[" + span.style() + "m" + text + RESET
                    : text);
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    /** Text over as many lines as it takes: {@code first} before the first line, as many blanks before the others. */
    void wrapped(List<Span> first, String text) {
        int indent = first.stream().mapToInt(s -> DisplayWidth.of(s.text())).sum();
        List<String> lines = DisplayWidth.wrap(SafeText.line(text), Math.max(10, width - indent));
        for (int i = 0; i < lines.size(); i++) {
            List<Span> spans = new ArrayList<>(i == 0 ? first : List.of(Span.of(" ".repeat(indent))));
            spans.add(Span.of(lines.get(i)));
            line(spans);
        }
    }

    /** A table, each line indented by two; columns that no longer fit are cut at the right. */
    void table(List<Column> columns, List<List<Cell>> rows) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(DisplayWidth.of(columns.get(i).title()), rows.stream()
                    .mapToInt(r -> DisplayWidth.of(SafeText.line(r.get(column).text()))).max().orElse(0));
        }
        row(columns, widths, columns.stream().map(c -> new Cell(c.title(), Tone.FAINT)).toList());
        rows.forEach(r -> row(columns, widths, r));
    }

    private void row(List<Column> columns, int[] widths, List<Cell> cells) {
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            String text = SafeText.line(cells.get(i).text());
            String fill = " ".repeat(widths[i] - DisplayWidth.of(text));
            boolean right = columns.get(i).kind() == Column.Kind.FIGURE;
            spans.add(Span.of(GAP));
            spans.add(Span.of(right ? fill + text : text + fill, cells.get(i).tone()));
        }
        line(spans);
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private static String sgr(Tone tone) {
        return switch (tone) {
            case PLAIN -> "";
            case GOOD -> "32";
            case BAD -> "31";
            case UNSURE -> "33";
            case FAINT -> "2";
        };
    }
}
