package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Decision;
import dev.assay.review.Recommendation;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What stands first in every form: the recommendation with its reasons, or how far the review is.
 *
 * @param word the answer in a word or two
 * @param meaning what kind of result it is, in a sentence
 * @param reasons most important first
 * @param notShown what the evidence leaves open, most important first
 * @param rollback when and how a shipped change is taken back; empty where the proposal names nothing
 * @param next the next command
 */
public record Headline(String word, Tone tone, String meaning, List<String> reasons,
        List<String> notShown, Optional<String> rollback, Optional<Decided> decided, String next) {
    public Headline {
        meaning = SafeText.line(meaning);
        notShown = notShown.stream().map(SafeText::line).toList();
        rollback = rollback.map(SafeText::line);
        reasons = reasons.stream().map(SafeText::line).toList();
    }

    /** The recorded decision: who, when and until when; why; and what re-opens it. */
    public record Decided(List<Part.Fact> facts, List<String> reasons, List<String> again) {
        public Decided {
            facts = List.copyOf(facts);
            reasons = reasons.stream().map(SafeText::line).toList();
            again = again.stream().map(SafeText::line).toList();
        }

        /** Reasons that stand above as the recommendation's are not said again. */
        static Decided of(Decision d, List<String> said) {
            List<Part.Fact> facts = new ArrayList<>(List.of(
                    new Part.Fact("Decided",
                            Words.choice(d.choice()) + ", by " + d.owner() + " on " + d.date()
                                    + (!d.reasons().isEmpty() && d.reasons().equals(said)
                                            ? ", for the reasons above"
                                            : "")),
                    new Part.Fact("Expires", d.expires())));
            return new Decided(facts, d.reasons().equals(said) ? List.of() : d.reasons(), d.reevaluateWhen());
        }
    }

    static Headline of(ReviewView view) {
        String next = Words.next(view.status());
        Optional<String> rollback = view.proposal().rollback().map(r -> r.trigger() + ": " + r.how());
        Optional<Recommendation> recommendation = view.analysis().map(Analysis::recommendation);
        if (recommendation.isEmpty()) {
            return new Headline("No recommendation", Tone.FAINT, Words.status(view.status()) + ".", List.of(),
                    List.of(), rollback, view.decision().map(d -> Decided.of(d, List.of())), next);
        }
        Recommendation found = recommendation.get();
        return new Headline(Words.choice(found.decision()), Tone.of(found.decision()), gloss(found.meaning()),
                found.reasons().stream().map(r -> NotShown.named(view, r)).toList(), NotShown.of(view),
                rollback,
                view.decision().map(d -> Decided.of(d, found.reasons())), next);
    }

    /** The label above the answer. */
    public String label() {
        return tone == Tone.FAINT ? "State" : "Recommended";
    }

    private static String gloss(String meaning) {
        String known = switch (meaning.toLowerCase(Locale.ROOT)) {
            case "explained" -> "the gain is there and its mechanism was observed";
            case "absorbed" -> "the mechanism works, but its gain does not reach the user";
            case "unexplained", "unexplained speed-up" ->
                "a gain was observed that its stated mechanism does not explain";
            case "rejected" -> "neither the mechanism nor the gain was observed";
            case "no case" -> "the gain was not observed, and its mechanism is not shown";
            case "inconclusive" -> "the evidence does not decide, and what does not decide does not ship";
            case "wrong outputs" -> "the candidate does not say what it has to say";
            case "a constraint is violated" -> "something that may not get worse did";
            case "not reviewable" -> "the evidence is incomplete";
            default -> "";
        };
        String word = Words.capital(meaning);
        return known.isEmpty() ? word + "." : word + ": " + known + ".";
    }
}
