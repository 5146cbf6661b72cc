package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Arm;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The benchmark matrix: what each arm gave at each load, with memory and cost. */
final class BenchmarkSection {
    private static final List<Metric> METRICS = List.of(Metric.TTFT_P50_MS, Metric.TTFT_P95_MS, Metric.TPOT_P50_MS,
            Metric.TPOT_P95_MS, Metric.OUTPUT_TOKENS_PER_S, Metric.GOODPUT_RPS, Metric.GOOD_FRACTION,
            Metric.RESIDENT_WEIGHT_BYTES, Metric.KV_CACHE_USAGE_PEAK);

    private BenchmarkSection() {
    }

    static Section of(ReviewView view) {
        return new Section("benchmark", "Benchmark matrix",
                view.analysis().map(a -> List.<Part>of(table(view, a)))
                        .orElseGet(() -> Outline.nothing("Nothing is measured yet.")));
    }

    private static Part.Table table(ReviewView view, Analysis analysis) {
        List<Column> columns = new ArrayList<>(List.of(Column.figure("req/s"), Column.word("Arm")));
        METRICS.forEach(m -> columns.add(Column.figure(Words.titled(m))));
        columns.add(Column.figure(view.proposal().cost().map(c -> "cost (" + c.currency() + "/M output tok)")
                .orElse("cost per M output tok")));
        Footnotes absent = new Footnotes();
        List<List<Cell>> rows = new ArrayList<>();
        for (PointResult point : analysis.points()) {
            for (Arm arm : Arm.values()) {
                rows.add(row(view, point, arm, absent));
            }
        }
        return new Part.Table("Means over blocks", columns, rows, absent.notes());
    }

    private static List<Cell> row(ReviewView view, PointResult point, Arm arm, Footnotes absent) {
        List<Cell> row = new ArrayList<>();
        row.add(Cell.of(Numbers.plain(point.offeredRps())));
        row.add(Cell.of(Words.arm(arm)));
        for (Metric metric : METRICS) {
            Optional<MetricResult> result = point.metric(metric);
            row.add(result.flatMap(r -> of(r, arm)).map(v -> Cell.of(text(v.mean(), metric)))
                    .orElseGet(() -> absent.absent(CurveSection.doubt(result))));
        }
        row.add(cost(view, point.offeredRps(), arm, absent));
        return row;
    }

    private static Cell cost(ReviewView view, double load, Arm arm, Footnotes absent) {
        Optional<Double> cost = view.benchmark().stream()
                .filter(r -> Predicted.same(r.offeredRps(), load) && r.arm().equalsIgnoreCase(arm.name()))
                .flatMap(r -> r.perMillionOutputTokens().stream().boxed()).findFirst();
        return cost.map(c -> Cell.of(Numbers.value(c))).orElseGet(() -> absent.absent(view.proposal().cost().isEmpty()
                        ? "the proposal states no cost"
                        : "no output tokens to divide the cost by"));
    }

    private static Optional<ArmValue> of(MetricResult result, Arm arm) {
        return switch (arm) {
            case BASELINE -> result.baseline();
            case CANDIDATE -> result.candidate();
        };
    }

    private static String text(double value, Metric metric) {
        return metric.unit().isEmpty() ? Numbers.percent(value) : Numbers.value(value, metric.unit());
    }
}
