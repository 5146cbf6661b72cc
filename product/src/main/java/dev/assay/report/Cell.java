package dev.assay.report;

import dev.assay.review.Verdict;

/** One cell of a table: plain text on one line, and how it is to be read. */
public record Cell(String text, Tone tone) {
    public Cell {
        text = SafeText.line(text);
    }

    /** Plain text. */
    static Cell of(String text) {
        return new Cell(text, Tone.PLAIN);
    }

    /** A verdict as glyph and word. */
    static Cell of(Verdict verdict) {
        return marked(verdict.word(), Tone.of(verdict));
    }

    /** A word with the glyph of its tone before it. */
    static Cell marked(String word, Tone tone) {
        return new Cell(tone.glyph().isEmpty() ? word : tone.glyph() + " " + word, tone);
    }

    /** The text with a no-break space inside intervals, so that a narrow page breaks lines before them. */
    public String unbroken() {
        return text.replaceAll(", (?=[^\\[\\]]*\\])", ",\u00a0");
    }
}
