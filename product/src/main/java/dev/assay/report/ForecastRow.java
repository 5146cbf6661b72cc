package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.Finding;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Claim;
import dev.assay.review.Expectation;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import dev.assay.review.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The forecast ratio of a claim's metric at one load point beside the observed one. The observed ratio is above 0.
 *
 * @param forecast the sealed interval
 * @param verdict of the claim at this load point
 */
record ForecastRow(Claim claim, double load, Metric metric, Predicted.Span forecast, RatioResult seen,
        Verdict verdict) {
    /** From this error on a percentage says less than a factor. */
    private static final double FACTOR = 10;

    /** An interval that spans more than this factor says nothing, and its digits would only distract. */
    private static final double WIDE = 100;

    /** Every claim on a ratio at every load point where both ratios exist. */
    static List<ForecastRow> of(ReviewView view) {
        List<ForecastRow> rows = new ArrayList<>();
        view.analysis().ifPresent(analysis -> {
            Predicted predicted = new Predicted(view);
            for (ClaimResult result : analysis.claims()) {
                for (Finding finding : result.findings()) {
                    of(analysis, predicted, result.claim(), finding).ifPresent(rows::add);
                }
            }
        });
        return rows;
    }

    static Optional<ForecastRow> of(Analysis analysis, Predicted predicted, Claim claim, Finding finding) {
        Optional<Metric> metric = metric(claim.expectation());
        if (metric.isEmpty() || finding.offeredRps().isEmpty()) {
            return Optional.empty();
        }
        double load = finding.offeredRps().get();
        return predicted.ratio(load, metric.get())
                .flatMap(span -> seen(analysis, load, metric.get())
                        .map(r -> new ForecastRow(claim, load, metric.get(), span, r, finding.verdict())));
    }

    private static Optional<RatioResult> seen(Analysis analysis, double load, Metric metric) {
        return analysis.points().stream().filter(p -> Predicted.same(p.offeredRps(), load)).findFirst()
                .flatMap((PointResult p) -> p.metric(metric)).flatMap(MetricResult::ratio)
                .filter(r -> r.ratio() > 0);
    }

    /** The metric whose ratio a claim is about. */
    private static Optional<Metric> metric(Expectation expectation) {
        return switch (expectation) {
            case Expectation.Within e -> Words.metric(e.metric());
            case Expectation.AtLeast e -> Words.metric(e.metric());
            case Expectation.NotWorse e -> Words.metric(e.metric());
            case Expectation.SameOutputs _,Expectation.LikelihoodWithin _,Expectation.LimitedBy _ ->
                Optional.empty();
        };
    }

    /** Whether the claim is the forecast itself, and not a bound that the author set. */
    boolean isForecast() {
        return claim.expectation() instanceof Expectation.Within;
    }

    /** The rows without those of a bound on a metric that a forecast claim has as well: they would show it twice. */
    static List<ForecastRow> distinct(ReviewView view) {
        List<ForecastRow> all = of(view);
        return all.stream().filter(r -> r.isForecast()
                || all.stream().noneMatch(o -> o.isForecast() && o.metric() == r.metric())).toList();
    }

    boolean inside() {
        return forecast.holds(seen.ratio());
    }

    /** Whether the observation lies in the interval, and by how much the forecast is off. */
    Cell off() {
        return Cell.marked((inside() ? "in " : "out ") + off(forecast.estimate(), seen.ratio()),
                inside() ? Tone.GOOD : Tone.BAD);
    }

    /** forecast/observed - 1 as a signed percentage, or as a factor where it is large. */
    static String off(double forecast, double observed) {
        double off = forecast / observed - 1;
        return Math.abs(off) >= FACTOR || !Double.isFinite(off)
                ? "×" + Numbers.value(forecast / observed)
                : signed(off);
    }

    private static String signed(double share) {
        if (Math.abs(share) < 0.0005) {
            return "0 %";
        }
        String text = Numbers.percent(share);
        return share > 0 ? "+" + text : text;
    }

    /** A ratio with its interval in two decimals, for narrow terminals. */
    static String narrow(double ratio, Optional<Double> low, Optional<Double> high) {
        String value = String.format(Locale.ROOT, "%.2f", ratio);
        if (low.isEmpty() || high.isEmpty()) {
            return value;
        }
        return value + (high.get() > WIDE * low.get() && high.get() >= FACTOR
                ? " [wide]"
                : String.format(Locale.ROOT, " [%.2f, %.2f]", low.get(), high.get()));
    }
}
