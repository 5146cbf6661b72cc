package dev.assay.report;

import dev.assay.report.Part.Fact;
import dev.assay.review.Analysis;
import dev.assay.review.ReviewView;
import dev.assay.review.SlotResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The review in a handful of figures. */
final class Glance {
    private Glance() {}

    static List<Fact> of(ReviewView view) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("State", Words.status(view.status())));
        view.analysis().ifPresent(a -> {
            facts.add(new Fact("Claims", claims(a)));
            facts.add(new Fact("Blocks", a.blocksComplete() + " of " + a.blocksPlanned() + " complete"));
        });
        if (!view.slots().isEmpty() || !view.failedSlots().isEmpty()) {
            long sound = view.slots().stream().filter(SlotResult::admissible).count();
            facts.add(new Fact("Slots", sound + " of " + (view.slots().size() + view.failedSlots().size())
                    + " admissible"));
        }
        view.quality().ifPresent(q -> facts.add(new Fact("Outputs", q.greedy().identical() + " of "
                + q.greedy().prompts().size() + " identical")));
        facts.add(new Fact("Seal",
                view.seal().map(s -> s.substring(0, Math.min(12, s.length()))).orElse("not sealed")));
        return facts;
    }

    /** How many claims ended with each verdict. */
    static String claims(Analysis analysis) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String word : List.of("Survived", "Refuted", "Inconclusive", "Void")) {
            int n = (int) analysis.claims().stream().filter(c -> c.verdict().word().equals(word)).count();
            if (n > 0) {
                counts.put(word, n);
            }
        }
        List<String> words = new ArrayList<>();
        counts.forEach((word, n) -> words.add(n + " " + word.toLowerCase(Locale.ROOT)));
        return words.isEmpty() ? "none" : String.join(", ", words);
    }
}
