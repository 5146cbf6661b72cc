package dev.assay.report;

import dev.assay.forecast.LimiterForecast;
import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Arm;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import dev.assay.review.SlotResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * What a step is made of, forecast and observed, for each arm at each load point: a total can be right although its terms
 * are wrong, because their errors cancel.
 */
final class Terms {
    /** The total, then its terms. */
    private static final List<Metric> METRICS = List.of(Metric.TPOT_P50_MS, Metric.DECODE_ROWS_PER_STEP,
            Metric.TOKENS_PER_STEP, Metric.STEP_TIME_MS, Metric.WEIGHT_BYTES_PER_STEP,
            Metric.KV_BYTES_PER_STEP);
    private static final List<String> SHORT = List.of("TPOT p50", "rows", "tokens", "step time", "weights",
            "KV");
    /** A term that is further off is pointed out. */
    private static final double FAR = 0.1;
    private static final String PREEMPTIONS = "preemptions";

    private final ReviewView view;
    private final Predicted predicted;
    private final List<Integer> shown;

    /** One arm at one load point. */
    private record Row(PointResult point, Arm arm, List<Optional<Pair>> pairs) {}

    private record Pair(double forecast, double observed) {
        boolean far() {
            return Math.abs(forecast / observed - 1) > FAR;
        }

        Tone tone() {
            return far() ? Tone.BAD : Tone.PLAIN;
        }

        String off() {
            return ForecastRow.off(forecast, observed);
        }
    }

    private final List<Row> rows = new ArrayList<>();

    private Terms(ReviewView view) {
        this.view = view;
        this.predicted = new Predicted(view);
        for (PointResult point : view.analysis().map(a -> a.points()).orElse(List.of())) {
            for (Arm arm : Arm.values()) {
                rows.add(new Row(point, arm, METRICS.stream().map(m -> pair(point, arm, m)).toList()));
            }
        }
        rows.removeIf(r -> r.pairs().stream().noneMatch(Optional::isPresent));
        this.shown = IntStream.range(0, METRICS.size())
                .filter(i -> rows.stream().anyMatch(r -> r.pairs().get(i).isPresent())).boxed().toList();
    }

    static Terms of(ReviewView view) {
        return new Terms(view);
    }

    private Optional<Pair> pair(PointResult point, Arm arm, Metric metric) {
        Optional<ArmValue> seen = point.metric(metric)
                .flatMap(m -> arm == Arm.BASELINE ? m.baseline() : candidate(m)).filter(v -> v.mean() > 0);
        return predicted.value(point.offeredRps(), metric, arm)
                .flatMap(f -> seen.map(v -> new Pair(f.estimate(), v.mean())));
    }

    private static Optional<ArmValue> candidate(MetricResult m) {
        return m.candidate();
    }

    /** The table with all figures; empty without terms. */
    Optional<Part.Table> table() {
        return table(false, true);
    }

    /** By how much each term is off, without its figures; with the limiters where there is room. */
    Optional<Part.Table> brief(boolean limiters) {
        return table(true, limiters);
    }

    private Optional<Part.Table> table(boolean brief, boolean limiters) {
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<Column> columns = new ArrayList<>(List.of(Column.figure("req/s"), Column.word("Arm")));
        shown.forEach(i -> columns.add(Column.figure(brief ? SHORT.get(i) : Words.titled(METRICS.get(i)))));
        if (!brief) {
            columns.add(Column.figure("preempted a slot"));
        }
        if (limiters) {
            columns.add(Column.word("Limiter"));
        }
        List<List<Cell>> cells = new ArrayList<>();
        for (Row row : rows) {
            List<Cell> line = new ArrayList<>(
                    List.of(Cell.of(Numbers.plain(row.point().offeredRps())), Cell.of(Words.arm(row.arm()))));
            shown.forEach(i -> line.add(cell(row.pairs().get(i), METRICS.get(i).unit(), brief)));
            if (!brief) {
                line.add(preempted(row));
            }
            if (limiters) {
                line.add(limiter(row));
            }
            cells.add(line);
        }
        return Optional.of(new Part.Table("Terms of a step, forecast against observed", columns, cells,
                List.of("Each cell: forecast / observed, and forecast/observed − 1.")));
    }

    private static Cell cell(Optional<Pair> pair, String unit, boolean brief) {
        return pair.map(p -> new Cell((brief
                ? ""
                : Numbers.value(p.forecast(), unit) + " / " + Numbers.value(p.observed(), unit) + ", ")
                + p.off(),
                p.tone())).orElseGet(() -> new Cell(Numbers.ABSENT, Tone.FAINT));
    }

    /** Beside the premise that bounds them, where the prediction has it. */
    private Cell preempted(Row row) {
        OptionalDouble mean = view.slots().stream().filter(SlotResult::admissible)
                .filter(s -> s.key().arm() == row.arm()
                        && Predicted.same(s.offeredRps(), row.point().offeredRps()))
                .flatMap(s -> Optional.ofNullable(s.telemetry().get(PREEMPTIONS)).stream())
                .mapToDouble(Double::doubleValue).average();
        if (mean.isEmpty()) {
            return new Cell(Numbers.ABSENT, Tone.FAINT);
        }
        double seen = mean.getAsDouble();
        return view.prediction().stream().flatMap(p -> p.premises().stream())
                .filter(p -> p.id().equals("kv-pool"))
                .findFirst()
                .map(p -> new Cell("≤ " + Numbers.plain(p.bound()) + " / " + Numbers.value(seen),
                        seen > p.bound() ? Tone.BAD : Tone.PLAIN))
                .orElseGet(() -> Cell.of(Numbers.value(seen)));
    }

    private Cell limiter(Row row) {
        Optional<LimiterForecast> forecast = predicted.limiter(row.point().offeredRps(), row.arm());
        Optional<LimiterForecast> seen = row.arm() == Arm.BASELINE
                ? row.point().baselineLimiter()
                : row.point().candidateLimiter();
        if (forecast.isEmpty() || seen.isEmpty()) {
            return new Cell(Numbers.ABSENT, Tone.FAINT);
        }
        boolean same = forecast.get().limiter() == seen.get().limiter();
        return same
                ? Cell.of(Words.of(seen.get().limiter()))
                : new Cell(Words.of(forecast.get().limiter()) + " / " + Words.of(seen.get().limiter()),
                        Tone.BAD);
    }

    /** Where the total is right while a term is not, in a sentence; empty where nowhere. */
    Optional<String> cancelling() {
        List<String> places = rows.stream()
                .filter(r -> r.pairs().getFirst().filter(total -> !total.far()).isPresent())
                .filter(r -> shown.stream().anyMatch(i -> r.pairs().get(i).filter(Pair::far).isPresent()))
                .map(r -> Numbers.plain(r.point().offeredRps()) + " " + Words.arm(r.arm())).toList();
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of("TPOT p50 is within " + Numbers.percent(FAR)
                        + " although a term is not, by errors that"
                        + " cancel or do not matter there: " + String.join(", ", places) + ".");
    }
}
