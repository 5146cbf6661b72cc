package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Arm;
import dev.assay.review.Metric;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewView;
import dev.assay.value.ValueRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The benchmark matrix: what each arm gave at each load, with memory and cost. */
final class BenchmarkSection {
    private static final List<Metric> METRICS = List.of(Metric.TTFT_P50_MS, Metric.TTFT_P95_MS,
            Metric.TPOT_P50_MS,
            Metric.TPOT_P95_MS, Metric.OUTPUT_TOKENS_PER_S, Metric.GOODPUT_RPS, Metric.GOOD_FRACTION,
            Metric.RESIDENT_WEIGHT_BYTES, Metric.KV_CACHE_USAGE_PEAK);

    private BenchmarkSection() {}

    static Section of(ReviewView view) {
        return new Section("benchmark", "Benchmark matrix",
                view.analysis().map(a -> List.<Part>of(table(view, a)))
                        .orElseGet(() -> Outline.nothing("Nothing is measured yet.")));
    }

    private static Part.Table table(ReviewView view, Analysis analysis) {
        List<Column> columns = new ArrayList<>(List.of(Column.figure("req/s"), Column.word("Arm")));
        METRICS.forEach(m -> columns.add(Column.figure(Words.titled(m))));
        columns.add(Column.figure("peak memory"));
        String currency = view.proposal().cost().map(Proposal.Cost::currency).orElse("cost");
        columns.add(Column.figure(currency + " per M output tok"));
        columns.add(Column.figure(currency + " per M good tok"));
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
        Optional<ValueRow> value = view.benchmark().stream()
                .filter(r -> Predicted.same(r.loadPoint(), point.offeredRps())
                        && r.arm().equals(Words.arm(arm)))
                .findFirst();
        String noCost = view.proposal().cost().isEmpty()
                ? "the proposal states no cost"
                : "no tokens to divide the cost by";
        row.add(value.flatMap(ValueRow::peakMemoryBytes).map(b -> Cell.of(Numbers.bytes(b)))
                .orElseGet(() -> absent.absent("the server's memory was not measured")));
        row.add(value.flatMap(v -> Numbers.boxed(v.costPerMillionTokens()))
                .map(c -> Cell.of(Numbers.value(c)))
                .orElseGet(() -> absent.absent(noCost)));
        row.add(value.flatMap(v -> Numbers.boxed(v.costPerMillionGoodTokens()))
                .map(c -> Cell.of(Numbers.value(c)))
                .orElseGet(() -> absent.absent(noCost)));
        return row;
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
