package dev.assay.review;

/** What the evidence says about a claim. */
public sealed interface Verdict {
    /** The claim could have been refuted and was not. */
    record Survived() implements Verdict {}

    /** The evidence contradicts the claim. */
    record Refuted(String reason) implements Verdict {}

    /** The evidence does not decide; the reason says what would. */
    record Inconclusive(String reason) implements Verdict {}

    /** A premise of the prediction did not hold, so that the claim was not tested. */
    @SuppressWarnings("AvoidCommonTypeNames") // DESIGN.md's word; java.lang.Void is never meant in this package
    record Void(String premise) implements Verdict {}

    /** The word for tables. */
    default String word() {
        return switch (this) {
            case Survived _ -> "Survived";
            case Refuted _ -> "Refuted";
            case Inconclusive _ -> "Inconclusive";
            case Void _ -> "Void";
        };
    }

    /** The reason, empty for {@link Survived}. */
    default String why() {
        return switch (this) {
            case Survived _ -> "";
            case Refuted r -> r.reason();
            case Inconclusive i -> i.reason();
            case Void v -> v.premise();
        };
    }
}
