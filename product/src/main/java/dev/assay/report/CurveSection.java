package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The operating curves: both arms and their ratio over the load points, one table for each main metric. */
final class CurveSection {
    private static final List<Metric> MAIN = List.of(Metric.GOODPUT_RPS, Metric.TTFT_P50_MS,
            Metric.TPOT_P50_MS,
            Metric.OUTPUT_TOKENS_PER_S);

    private CurveSection() {}

    /** The metrics that are drawn and tabled: the objective's first. */
    static List<Metric> metrics(ReviewView view) {
        Set<Metric> metrics = new LinkedHashSet<>();
        Words.metric(view.proposal().objective().metric()).ifPresent(metrics::add);
        metrics.addAll(MAIN);
        return List.copyOf(metrics);
    }

    static Section of(ReviewView view) {
        return new Section("curves", "Operating curves",
                view.analysis().map(a -> measured(view, a)).orElseGet(() -> forecast(view)));
    }

    /** What a metric's chart shows. */
    static String caption(Metric metric) {
        return Words.capital(Words.titled(metric)) + " over offered load, " + (metric.higherIsBetter()
                ? "higher is better"
                : "lower is better");
    }

    private static List<Part> measured(ReviewView view, Analysis analysis) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part.Text(
                "Means over blocks with their 95 % intervals. A ratio is candidate/baseline, and its"
                        + " interval comes from the blocks, not from single requests. It reads as better or worse only where"
                        + " the interval that holds over all load points together leaves out 1."));
        for (Metric metric : metrics(view)) {
            parts.add(new Part.Chart("curve-" + metric.id(), caption(metric)));
        }
        metrics(view).forEach(metric -> parts.add(table(view, analysis, metric)));
        return parts;
    }

    /** Both arms and their ratio over the load points. */
    static Part.Table table(ReviewView view, Analysis analysis, Metric metric) {
        Footnotes absent = new Footnotes();
        Predicted predicted = new Predicted(view);
        List<List<Cell>> rows = new ArrayList<>();
        for (PointResult point : analysis.points()) {
            rows.add(row(predicted, point, metric, absent));
        }
        return new Part.Table(
                Words.capital(Words.titled(metric))
                        + (metric.higherIsBetter() ? ", higher is better" : ", lower is better"),
                List.of(Column.figure("req/s"), Column.figure("Baseline"), Column.figure("Candidate"),
                        Column.figure("Ratio, 95 %"), Column.figure("Predicted"), Column.figure("p (Holm)"),
                        Column.word("Reads")),
                rows, absent.notes());
    }

    private static List<Cell> row(Predicted predicted, PointResult point, Metric metric, Footnotes absent) {
        Optional<MetricResult> result = point.metric(metric);
        String why = doubt(result);
        Optional<RatioResult> ratio = result.flatMap(MetricResult::ratio);
        return List.of(Cell.of(Numbers.plain(point.offeredRps())),
                result.flatMap(MetricResult::baseline).map(v -> arm(v, metric))
                        .orElseGet(() -> absent.absent(why)),
                result.flatMap(MetricResult::candidate).map(v -> arm(v, metric))
                        .orElseGet(() -> absent.absent(why)),
                ratio.map(r -> Cell.of(Numbers.ratio(r.ratio(), r.low(), r.high())))
                        .orElseGet(() -> absent.absent(why)),
                predicted.ratio(point.offeredRps(), metric).map(s -> Cell.of(s.ratio()))
                        .orElseGet(() -> absent.absent("not forecast")),
                ratio.flatMap(RatioResult::pHolm).map(p -> Cell.of(Numbers.p(p)))
                        .orElseGet(
                                () -> absent.absent(ratio.isPresent() ? "no test with so few blocks" : why)),
                ratio.map(r -> Reading.of(metric, r)).orElseGet(() -> absent.absent(why)));
    }

    /** Why a value is absent. */
    static String doubt(Optional<MetricResult> result) {
        return result.map(MetricResult::doubt).filter(d -> !d.isBlank()).orElse("no slot gave this metric");
    }

    private static Cell arm(ArmValue value, Metric metric) {
        String mean = Numbers.value(value.mean(), metric.unit());
        return Cell.of(value.low().isPresent() && value.high().isPresent()
                ? mean + " " + Numbers.interval(value.low().get(), value.high().get(), metric.unit())
                : mean);
    }

    private static List<Part> forecast(ReviewView view) {
        Predicted predicted = new Predicted(view);
        if (predicted.points().isEmpty()) {
            return Outline.nothing("Nothing is predicted or measured yet.");
        }
        List<Metric> metrics = metrics(view);
        List<Column> columns = new ArrayList<>(List.of(Column.figure("req/s")));
        metrics.forEach(m -> columns.add(Column.figure(m.label())));
        Footnotes absent = new Footnotes();
        List<List<Cell>> rows = new ArrayList<>();
        for (var point : predicted.points()) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(Numbers.plain(point.offeredRps()))));
            metrics.forEach(m -> row.add(predicted.ratio(point.offeredRps(), m).map(s -> Cell.of(s.ratio()))
                    .orElseGet(() -> absent.absent("not forecast"))));
            rows.add(row);
        }
        return List.of(
                new Part.Text("Nothing is measured yet. The forecast of each ratio candidate/baseline:"),
                new Part.Table("Forecast ratios with their intervals", columns, rows, absent.notes()));
    }
}
