package dev.assay.report;

import dev.assay.review.Prediction;
import dev.assay.review.ReviewView;
import dev.assay.review.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The conditions under which the prediction holds, and those whose failure voided a claim. */
final class PremiseSection {
    private PremiseSection() {}

    static Section of(ReviewView view) {
        List<Prediction.Premise> premises = view.prediction().map(Prediction::premises).orElse(List.of());
        if (premises.isEmpty()) {
            return new Section("premises", "Premises", Outline.nothing("None is stated."));
        }
        List<Part> parts = new ArrayList<>();
        List<List<Cell>> rows = new ArrayList<>();
        for (Prediction.Premise premise : premises) {
            rows.add(List.of(Cell.of(premise.id()), Cell.of(premise.statement()),
                    Cell.of(Numbers.plain(premise.bound()))));
        }
        parts.add(new Part.Table("Premises of the prediction",
                List.of(Column.word("Premise"), Column.prose("Statement"), Column.figure("Bound")), rows,
                List.of()));
        List<String> voided = voided(view);
        Optional<String> none = voided.isEmpty() && view.analysis().isPresent()
                ? Optional.of("No claim was voided by a premise.")
                : Optional.empty();
        none.ifPresent(t -> parts.add(new Part.Text(t)));
        if (!voided.isEmpty()) {
            parts.add(new Part.Bullets(voided));
        }
        return new Section("premises", "Premises", parts);
    }

    private static List<String> voided(ReviewView view) {
        return view.analysis().stream().flatMap(a -> a.claims().stream())
                .filter(c -> c.verdict() instanceof Verdict.Void)
                .map(c -> "Claim " + c.claim().id() + " was not tested: " + c.verdict().why()).toList();
    }
}
