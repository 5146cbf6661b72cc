package dev.assay.report;

import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.PointForecast;
import dev.assay.forecast.Quantity;
import dev.assay.review.Arm;
import dev.assay.review.Expectation;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was predicted, looked up by load point and metric. */
final class Predicted {
    /** A predicted value with its interval. */
    record Span(double low, double estimate, double high) {
        /** Whether a value lies inside, ends included. */
        boolean holds(double value) {
            return value >= low && value <= high;
        }

        String ratio() {
            return Numbers.ratio(estimate) + " " + Numbers.ratioInterval(low, high);
        }
    }

    private final ReviewView view;

    Predicted(ReviewView view) {
        this.view = view;
    }

    /** The forecast's load points, ascending; empty where nothing is predicted. */
    List<PointForecast> points() {
        return view.prediction().map(p -> p.forecast().points()).orElse(List.of());
    }

    /** The predicted ratio: the sealed claim's interval where a claim has one, else the forecast's. */
    Optional<Span> ratio(double load, Metric metric) {
        Optional<Span> claimed = claimedBand(load, metric.id());
        return claimed.isPresent() ? claimed : at(load).flatMap(p -> span(p.ratio(), metric));
    }

    /** The predicted value of an arm. */
    Optional<Span> value(double load, Metric metric, Arm arm) {
        return at(load).flatMap(p -> span(of(p, arm), metric));
    }

    /** The predicted limiter of an arm. */
    Optional<LimiterForecast> limiter(double load, Arm arm) {
        return at(load).map(p -> switch (arm) {
            case BASELINE -> p.baselineLimiter();
            case CANDIDATE -> p.candidateLimiter();
        });
    }

    private Optional<Span> claimedBand(double load, String metricId) {
        return view.prediction().stream().flatMap(p -> p.claims().stream())
                .filter(c -> c.expectation() instanceof Expectation.Within w && w.metric().equals(metricId))
                .flatMap(c -> ((Expectation.Within) c.expectation()).bands().stream())
                .filter(b -> same(b.offeredRps(), load)).map(b -> new Span(b.low(), b.estimate(), b.high()))
                .findFirst();
    }

    private Optional<PointForecast> at(double load) {
        return points().stream().filter(p -> same(p.offeredRps(), load)).findFirst();
    }

    private static Map<String, Quantity> of(PointForecast point, Arm arm) {
        return switch (arm) {
            case BASELINE -> point.baseline();
            case CANDIDATE -> point.candidate();
        };
    }

    private static Optional<Span> span(Map<String, Quantity> values, Metric metric) {
        return Optional.ofNullable(values.get(metric.id()))
                .map(q -> new Span(q.low(), q.estimate(), q.high()));
    }

    /** Whether two rates name the same load point. */
    static boolean same(double a, double b) {
        return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
    }
}
