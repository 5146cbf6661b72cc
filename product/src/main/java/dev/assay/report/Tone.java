package dev.assay.report;

import dev.assay.review.Decision;
import dev.assay.review.Verdict;

/** How a word is to be read; every form shows it by a glyph as well, so that colour is never the only signal. */
public enum Tone {
    /** Nothing to point out. */
    PLAIN(""),
    /** In favour of the change. */
    GOOD("✓"),
    /** Against the change. */
    BAD("✗"),
    /** Undecided. */
    UNSURE("?"),
    /** Not tested, or absent. */
    FAINT("∅");

    private final String glyph;

    Tone(String glyph) {
        this.glyph = glyph;
    }

    /** One character, empty for {@link #PLAIN}. */
    public String glyph() {
        return glyph;
    }

    /** The name of its class in the style sheet. */
    public String css() {
        return switch (this) {
            case PLAIN -> "plain";
            case GOOD -> "good";
            case BAD -> "bad";
            case UNSURE -> "unsure";
            case FAINT -> "faint";
        };
    }

    /** The tone of a verdict. */
    static Tone of(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Survived _ -> GOOD;
            case Verdict.Refuted _ -> BAD;
            case Verdict.Inconclusive _ -> UNSURE;
            case Verdict.Void _ -> FAINT;
        };
    }

    /** The tone of a decision. */
    static Tone of(Decision.Choice choice) {
        return switch (choice) {
            case SHIP -> GOOD;
            case HOLD -> UNSURE;
            case REJECT -> BAD;
        };
    }
}
