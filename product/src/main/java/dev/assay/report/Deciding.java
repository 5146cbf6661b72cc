package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Metric;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The objective's metric in one small table: what was needed, predicted and observed at each load. */
final class Deciding {
    private Deciding() {}

    /** Empty where nothing is measured or the objective's metric is unknown. */
    static Optional<Part.Table> table(ReviewView view) {
        Optional<Metric> metric = Words.metric(view.proposal().objective().metric());
        return metric.flatMap(m -> view.analysis().map(a -> table(view, a, m)));
    }

    /** Name of the chart that goes with it. */
    static String chart(ReviewView view) {
        return "curve-" + view.proposal().objective().metric();
    }

    /** What that chart shows. */
    static String caption(ReviewView view) {
        return Words.metric(view.proposal().objective().metric()).map(CurveSection::caption).orElse("");
    }

    private static Part.Table table(ReviewView view, Analysis analysis, Metric metric) {
        Predicted predicted = new Predicted(view);
        Footnotes absent = new Footnotes();
        List<List<Cell>> rows = new ArrayList<>();
        for (PointResult point : analysis.points()) {
            Optional<MetricResult> result = point.metric(metric);
            Optional<RatioResult> ratio = result.flatMap(MetricResult::ratio);
            String why = CurveSection.doubt(result);
            rows.add(List.of(Cell.of(Numbers.plain(point.offeredRps())),
                    needed(view.proposal().objective(), point.offeredRps()),
                    predicted.ratio(point.offeredRps(), metric).map(s -> Cell.of(s.ratio()))
                            .orElseGet(() -> absent.absent("not forecast")),
                    ratio.map(r -> Cell.of(Numbers.ratio(r.ratio(), r.low(), r.high())))
                            .orElseGet(() -> absent.absent(why)),
                    ratio.map(r -> Reading.of(metric, r)).orElseGet(() -> absent.absent(why))));
        }
        return new Part.Table(Words.capital(metric.label()) + ": ratio candidate/baseline with 95 % interval",
                List.of(Column.figure("req/s"), Column.figure("Needed"), Column.figure("Predicted"),
                        Column.figure("Observed"), Column.word("Reads")),
                rows, absent.notes());
    }

    private static Cell needed(Proposal.Objective objective, double load) {
        return objective.loadPoints().stream().anyMatch(l -> Predicted.same(l, load))
                ? Cell.of((objective.minEffect() > 1 ? "≥ " : "≤ ") + Numbers.plain(objective.minEffect()))
                : new Cell("", Tone.PLAIN);
    }
}
