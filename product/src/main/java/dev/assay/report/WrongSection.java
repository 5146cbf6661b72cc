package dev.assay.report;

import dev.assay.forecast.WidthCorrection;
import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Expectation;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import dev.assay.review.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the model was wrong: claims, other ratios, and the terms of a step whose errors a total may hide. */
final class WrongSection {
    static final String TITLE = "Where the model was wrong";

    private WrongSection() {}

    static Section of(ReviewView view) {
        return new Section("wrong", TITLE, view.analysis().map(a -> parts(view, a))
                .orElseGet(() -> Outline.nothing("Nothing is measured yet.")));
    }

    private static List<Part> parts(ReviewView view, Analysis analysis) {
        List<Part> parts = new ArrayList<>();
        String share = share(view, analysis);
        parts.add(new Part.Text(share.isEmpty() ? "No forecast ratio was observed." : share));
        List<List<Cell>> claims = claims(view, analysis);
        if (!claims.isEmpty()) {
            parts.add(new Part.Table("Claims refuted or outside their interval",
                    List.of(Column.prose("Claim"), Column.figure("req/s"), Column.prose("Forecast"),
                            Column.prose("Observed"), Column.word("Forecast is"), Column.word("Verdict")),
                    claims, List.of()));
        }
        List<List<Cell>> others = others(view, analysis);
        if (!others.isEmpty()) {
            parts.add(new Part.Table("Ratios without a claim, outside their interval",
                    List.of(Column.word("Metric"), Column.figure("req/s"), Column.figure("Predicted"),
                            Column.figure("Observed"), Column.word("Forecast is"),
                            Column.word("The model was")),
                    others, List.of()));
        }
        Terms terms = Terms.of(view);
        terms.table().ifPresent(parts::add);
        terms.cancelling().map(Part.Text::new).ifPresent(parts::add);
        return parts;
    }

    /** How many forecast ratios came out inside, in a sentence; empty where none was observed. */
    static String share(ReviewView view, Analysis analysis) {
        Predicted predicted = new Predicted(view);
        int compared = 0;
        int inside = 0;
        for (var point : analysis.points()) {
            for (var result : point.metrics()) {
                var span = Words.metric(result.metric()).flatMap(m -> predicted.ratio(point.offeredRps(), m));
                if (span.isPresent() && result.ratio().isPresent()) {
                    compared++;
                    inside += span.get().holds(result.ratio().get().ratio()) ? 1 : 0;
                }
            }
        }
        String widened = view.prediction().flatMap(p -> p.width()).map(WidthCorrection::words)
                .map(w -> " The ledger had set each " + w + ".").orElse("");
        return compared == 0
                ? ""
                : "Of " + Numbers.count(compared, "forecast ratio") + ", " + inside
                        + " came out inside the predicted interval." + widened;
    }

    private static List<List<Cell>> claims(ReviewView view, Analysis analysis) {
        Predicted predicted = new Predicted(view);
        List<List<Cell>> rows = new ArrayList<>();
        for (ClaimResult result : analysis.claims()) {
            for (Finding finding : result.findings()) {
                var row = ForecastRow.of(analysis, predicted, result.claim(), finding);
                boolean forecast = result.claim().expectation() instanceof Expectation.Within;
                boolean outside = forecast && row.filter(r -> !r.inside()).isPresent();
                if (outside || finding.verdict() instanceof Verdict.Refuted) {
                    rows.add(List.of(Cell.of(result.claim().id()),
                            Cell.of(finding.offeredRps().map(Numbers::plain).orElse("all")),
                            Cell.of(row.filter(_ -> !forecast).map(r -> finding.predicted() + "; forecast ×"
                                    + r.forecast().ratio()).orElse(finding.predicted())),
                            Cell.of(finding.observed()),
                            row.map(ForecastRow::off).orElseGet(() -> new Cell(Numbers.ABSENT, Tone.FAINT)),
                            Cell.of(finding.verdict())));
                }
            }
        }
        return rows;
    }

    private static List<List<Cell>> others(ReviewView view, Analysis analysis) {
        Predicted predicted = new Predicted(view);
        Set<String> claimed = analysis.claims().stream().map(c -> c.claim().expectation())
                .filter(e -> e instanceof Expectation.Within).map(e -> ((Expectation.Within) e).metric())
                .collect(Collectors.toSet());
        List<List<Cell>> rows = new ArrayList<>();
        for (var point : analysis.points()) {
            for (var result : point.metrics()) {
                var metric = Words.metric(result.metric()).filter(m -> !claimed.contains(m.id()));
                var span = metric.flatMap(m -> predicted.ratio(point.offeredRps(), m));
                if (span.isPresent() && result.ratio().isPresent()
                        && !span.get().holds(result.ratio().get().ratio())) {
                    rows.add(other(metric.get(), point.offeredRps(), span.get(), result.ratio().get()));
                }
            }
        }
        return rows;
    }

    private static List<Cell> other(Metric metric, double load, Predicted.Span span, RatioResult ratio) {
        return List.of(Cell.of(metric.label()), Cell.of(Numbers.plain(load)), Cell.of(span.ratio()),
                Cell.of(Numbers.ratio(ratio.ratio(), ratio.low(), ratio.high())),
                Cell.of(ForecastRow.off(span.estimate(), ratio.ratio())),
                Cell.of(direction(metric, span, ratio.ratio())));
    }

    private static String direction(Metric metric, Predicted.Span span, double observed) {
        boolean betterThanPredicted = observed > span.high() == metric.higherIsBetter();
        return betterThanPredicted ? "pessimistic" : "optimistic";
    }
}
