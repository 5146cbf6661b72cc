package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Arm;
import dev.assay.review.Expectation;
import dev.assay.review.Metric;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewView;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** The figures that the page's script draws, as they go into the page as JSON. */
final class Charts {
    /** All charts of a page. */
    record Data(List<Curve> curves, List<Bar> forest) {}

    /** A metric over offered load: {@code slo} is its bound, {@code offered} whether the ideal is the load itself. */
    record Curve(String id, String title, String unit, boolean higherIsBetter, boolean offered,
            Optional<Double> slo,
            List<Point> baseline, List<Point> candidate, List<Point> predicted, List<Point> needed) {}

    /** A value at a load with its interval. */
    record Point(double load, double value, Optional<Double> low, Optional<Double> high) {}

    /** One ratio of the forest plot; {@code limit} is the value that a margin or an objective sets. */
    record Bar(String metric, String load, Optional<Point> predicted, Point observed, Optional<Double> limit,
            String reads, String tone) {}

    private Charts() {}

    static Data of(ReviewView view) {
        return view.analysis().map(a -> new Data(
                CurveSection.metrics(view).stream().map(m -> curve(view, a, m)).toList(), forest(view, a)))
                .orElse(new Data(List.of(), List.of()));
    }

    private static Curve curve(ReviewView view, Analysis analysis, Metric metric) {
        Predicted predicted = new Predicted(view);
        List<Point> forecast = new ArrayList<>();
        for (PointResult point : analysis.points()) {
            predicted.value(point.offeredRps(), metric, Arm.CANDIDATE).ifPresent(s -> forecast.add(
                    new Point(point.offeredRps(), s.estimate(), Optional.of(s.low()),
                            Optional.of(s.high()))));
        }
        return new Curve("curve-" + metric.id(), metric.label(), metric.unit(), metric.higherIsBetter(),
                metric == Metric.GOODPUT_RPS, slo(view.proposal().slo(), metric),
                arm(analysis, metric, Arm.BASELINE),
                arm(analysis, metric, Arm.CANDIDATE), forecast, needed(view.proposal(), analysis, metric));
    }

    private static List<Point> arm(Analysis analysis, Metric metric, Arm arm) {
        List<Point> points = new ArrayList<>();
        for (PointResult point : analysis.points()) {
            point.metric(metric).flatMap(r -> value(r, arm))
                    .ifPresent(v -> points.add(new Point(point.offeredRps(), v.mean(), v.low(), v.high())));
        }
        return points;
    }

    private static Optional<ArmValue> value(MetricResult result, Arm arm) {
        return switch (arm) {
            case BASELINE -> result.baseline();
            case CANDIDATE -> result.candidate();
        };
    }

    /** What the candidate would have to reach at the objective's load points. */
    private static List<Point> needed(Proposal proposal, Analysis analysis, Metric metric) {
        Proposal.Objective objective = proposal.objective();
        if (!objective.metric().equals(metric.id())) {
            return List.of();
        }
        return arm(analysis, metric, Arm.BASELINE).stream()
                .filter(p -> objective.loadPoints().stream().anyMatch(l -> Predicted.same(l, p.load())))
                .map(p -> new Point(p.load(), p.value() * objective.minEffect(), Optional.empty(),
                        Optional.empty()))
                .toList();
    }

    private static Optional<Double> slo(Slo slo, Metric metric) {
        OptionalDouble bound = switch (metric) {
            case TTFT_P50_MS, TTFT_P95_MS -> slo.ttftMs();
            case TPOT_P50_MS, TPOT_P95_MS -> slo.tpotMs();
            case E2E_P50_MS -> slo.e2eMs();
            case OUTPUT_TOKENS_PER_S, GOODPUT_RPS, GOOD_FRACTION, DECODE_ROWS_PER_STEP, STEP_TIME_MS,
                    ITL_MEAN_MS,
                    WEIGHT_BYTES_PER_STEP, KV_BYTES_PER_STEP, RESIDENT_WEIGHT_BYTES, TOKENS_PER_STEP,
                    KV_CACHE_USAGE_PEAK, KV_BYTES_PER_ROW ->
                OptionalDouble.empty();
        };
        return Numbers.boxed(bound);
    }

    private static List<Bar> forest(ReviewView view, Analysis analysis) {
        Predicted predicted = new Predicted(view);
        List<Bar> bars = new ArrayList<>();
        for (Metric metric : claimed(analysis)) {
            for (PointResult point : analysis.points()) {
                double load = point.offeredRps();
                Optional<RatioResult> ratio = point.metric(metric).flatMap(MetricResult::ratio);
                Optional<Point> expected = predicted.ratio(load, metric)
                        .map(s -> new Point(load, s.estimate(), Optional.of(s.low()), Optional.of(s.high())));
                Optional<Double> limit = limit(analysis, metric, load);
                if (ratio.isPresent() && (expected.isPresent() || limit.isPresent())) {
                    RatioResult r = ratio.get();
                    Cell reads = Reading.of(metric, r);
                    bars.add(new Bar(metric.label(), Numbers.plain(load), expected,
                            new Point(load, r.ratio(), r.low(), r.high()), limit, reads.text(),
                            reads.tone().css()));
                }
            }
        }
        return bars;
    }

    /** The metrics that ratio claims are about, in the order of the claims. */
    private static Set<Metric> claimed(Analysis analysis) {
        Set<Metric> metrics = new LinkedHashSet<>();
        for (Analysis.ClaimResult result : analysis.claims()) {
            Optional<String> name = switch (result.claim().expectation()) {
                case Expectation.Within w -> Optional.of(w.metric());
                case Expectation.AtLeast a -> Optional.of(a.metric());
                case Expectation.NotWorse n -> Optional.of(n.metric());
                case Expectation.SameOutputs _,Expectation.LikelihoodWithin _,Expectation.LimitedBy _ ->
                    Optional.empty();
            };
            name.flatMap(Words::metric).ifPresent(metrics::add);
        }
        return metrics;
    }

    private static Optional<Double> limit(Analysis analysis, Metric metric, double load) {
        return analysis.claims().stream().map(c -> c.claim().expectation())
                .flatMap(e -> limit(e, metric, load).stream()).findFirst();
    }

    private static Optional<Double> limit(Expectation expectation, Metric metric, double load) {
        return switch (expectation) {
            case Expectation.AtLeast a when a.metric().equals(metric.id()) && has(a.loadPoints(), load) ->
                Optional.of(a.minEffect());
            case Expectation.NotWorse n when n.metric().equals(metric.id()) && has(n.loadPoints(), load) ->
                Optional.of(metric.higherIsBetter() ? 1 - n.margin() : 1 + n.margin());
            case Expectation.AtLeast _,Expectation.NotWorse _,Expectation.Within _,Expectation.SameOutputs _,Expectation.LikelihoodWithin _,Expectation.LimitedBy _ ->
                Optional.empty();
        };
    }

    private static boolean has(List<Double> loads, double load) {
        return loads.stream().anyMatch(l -> Predicted.same(l, load));
    }
}
