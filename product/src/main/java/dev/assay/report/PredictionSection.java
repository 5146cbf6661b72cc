package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Claim;
import dev.assay.review.ReviewView;
import dev.assay.review.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Each claim at each load point: what was sealed, what was seen, and the clause that decided it. */
final class PredictionSection {
    private PredictionSection() {}

    static Section of(ReviewView view) {
        return new Section("predicted", "Predicted against observed",
                view.analysis().map(a -> measured(view, a)).orElseGet(() -> sealed(view)));
    }

    private static List<Part> measured(ReviewView view, Analysis analysis) {
        Predicted predicted = new Predicted(view);
        List<List<Cell>> rows = new ArrayList<>();
        for (ClaimResult result : analysis.claims()) {
            for (Finding finding : result.findings()) {
                Optional<ForecastRow> row = ForecastRow.of(analysis, predicted, result.claim(), finding);
                rows.add(List.of(Cell.of(result.claim().id()),
                        Cell.of(finding.offeredRps().map(Numbers::plain).orElse("all")),
                        Cell.of(row.filter(r -> !r.isForecast()).map(r -> finding.predicted() + "; forecast ×"
                                + r.forecast().ratio()).orElse(finding.predicted())),
                        Cell.of(finding.observed()),
                        row.map(ForecastRow::off).orElseGet(() -> new Cell(Numbers.ABSENT, Tone.FAINT)),
                        Cell.of(finding.verdict()),
                        Cell.of(clause(finding.verdict()))));
            }
        }
        if (rows.isEmpty()) {
            return Outline.nothing("No claim has a finding.");
        }
        return List.of(
                new Part.Chart("forest",
                        "Ratios candidate/baseline: predicted interval beside the observed one"),
                new Part.Table("Claims at their load points",
                        List.of(Column.prose("Claim"), Column.figure("req/s"), Column.prose("Predicted"),
                                Column.prose("Observed"), Column.word("Forecast is"), Column.word("Verdict"),
                                Column.prose("Decided by")),
                        rows,
                        List.of("A claim stands where what would refute it, in the next table, could have shown and"
                                + " did not. Forecast is: whether the observed ratio lies in the forecast interval, and"
                                + " forecast/observed − 1.")),
                conditions(analysis.claims().stream().map(ClaimResult::claim).toList()));
    }

    /** The clause that decided; what would have refuted a claim is in the second table, said once. */
    private static String clause(Verdict verdict) {
        return verdict.why().isBlank() ? "stands" : verdict.why();
    }

    private static Part.Table conditions(List<Claim> claims) {
        List<List<Cell>> rows = new ArrayList<>();
        for (Claim claim : claims) {
            rows.add(List.of(Cell.of(claim.id()), Cell.of(claim.statement()), Cell.of(claim.rejectedIf())));
        }
        return new Part.Table("What would refute each claim, as sealed",
                List.of(Column.prose("Claim"), Column.prose("Statement"), Column.prose("Rejected if")), rows,
                List.of());
    }

    private static List<Part> sealed(ReviewView view) {
        if (view.prediction().isEmpty()) {
            return Outline.nothing("Nothing is predicted yet.");
        }
        return List.of(new Part.Text("No claim is tested yet."),
                conditions(view.prediction().get().claims()));
    }
}
