package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Claim;
import dev.assay.review.ReviewView;
import dev.assay.review.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Each claim at each load point: what was sealed, what was seen, and the clause that decided it. */
final class PredictionSection {
    private PredictionSection() {
    }

    static Section of(ReviewView view) {
        return new Section("predicted", "Predicted against observed",
                view.analysis().map(PredictionSection::measured).orElseGet(() -> sealed(view)));
    }

    private static List<Part> measured(Analysis analysis) {
        List<List<Cell>> rows = new ArrayList<>();
        for (ClaimResult result : analysis.claims()) {
            for (Finding finding : result.findings()) {
                rows.add(List.of(Cell.of(result.claim().id()),
                        Cell.of(finding.offeredRps().map(Numbers::plain).orElse("all")), Cell.of(finding.predicted()),
                        Cell.of(finding.observed()), Cell.of(finding.verdict()),
                        Cell.of(clause(result.claim(), finding.verdict()))));
            }
        }
        if (rows.isEmpty()) {
            return Outline.nothing("No claim has a finding.");
        }
        return List.of(new Part.Chart("forest", "Ratios candidate/baseline: predicted interval beside the observed one"),
                new Part.Table("Claims at their load points",
                        List.of(Column.word("Claim"), Column.figure("req/s"), Column.prose("Predicted"),
                                Column.prose("Observed"), Column.word("Verdict"), Column.prose("Decided by")),
                        rows, List.of()));
    }

    /** The clause that decided: the reason, or for a claim that stands the condition that did not occur. */
    private static String clause(Claim claim, Verdict verdict) {
        return verdict.why().isBlank() ? "not seen: " + claim.rejectedIf() : verdict.why();
    }

    private static List<Part> sealed(ReviewView view) {
        if (view.prediction().isEmpty()) {
            return Outline.nothing("Nothing is predicted yet.");
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (Claim claim : view.prediction().get().claims()) {
            rows.add(List.of(Cell.of(claim.id()), Cell.of(Words.level(claim.level())), Cell.of(claim.statement()),
                    Cell.of(claim.rejectedIf())));
        }
        return List.of(new Part.Table("Claims, not tested yet", List.of(Column.word("Claim"), Column.word("Level"),
                Column.prose("Statement"), Column.prose("Rejected if")), rows, List.of()));
    }
}
