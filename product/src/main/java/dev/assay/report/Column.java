package dev.assay.report;

/**
 * A column of a table.
 *
 * @param title its heading
 * @param kind how its cells are set
 */
public record Column(String title, Kind kind) {
    /** How cells are set. */
    public enum Kind {
        /** A short word, to the left. */
        WORD,
        /** A figure, to the right. */
        FIGURE,
        /** A sentence, to the left, over several lines where it must be. */
        PROSE
    }

    static Column word(String title) {
        return new Column(title, Kind.WORD);
    }

    static Column figure(String title) {
        return new Column(title, Kind.FIGURE);
    }

    static Column prose(String title) {
        return new Column(title, Kind.PROSE);
    }

    /** The name of its class in the style sheet. */
    public String css() {
        return switch (kind) {
            case WORD -> "word";
            case FIGURE -> "figure";
            case PROSE -> "prose";
        };
    }
}
