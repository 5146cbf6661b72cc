package dev.assay.forecast;

import dev.assay.stats.ConformalWidth;
import dev.assay.stats.RatioForecast;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How much wider the intervals of a forecast's ratios are made because those of past forecasts of this kind of change
 * held too few observations.
 *
 * <p>It is the conformal factor ({@link ConformalWidth}) within {@value #LEAST} and {@value #MOST}, its logarithm shrunk
 * towards 0 by {@code reviews / (reviews + }{@value #PRIOR_REVIEWS}{@code )}, since the forecasts of one review share a
 * calibration. Fewer than {@value #FEWEST} forecasts give none, and fewer than {@value #FEWEST_TO_NARROW} none below 1.
 *
 * @param factor by which both arms of an interval, as logarithms, are made longer
 * @param quantile the conformal factor before bounds and shrinking; absent where it is infinite
 * @param forecasts past forecasts with a width of their own that it rests on
 * @param inside of them, those whose unwidened interval held the observation
 * @param reviews that they come from
 * @param seals of those reviews, ascending
 */
public record WidthCorrection(double factor, Optional<Double> quantile, int forecasts, int inside,
        int reviews,
        List<String> seals) {
    /** Fewer forecasts give no correction. */
    public static final int FEWEST = 8;
    /** Fewer forecasts never make an interval narrower. */
    public static final int FEWEST_TO_NARROW = 30;
    /** The least and the most that the conformal factor counts for: beyond it the model is wrong, not unsure. */
    public static final double LEAST = 0.5;
    public static final double MOST = 4;
    /** So many reviews count for "the intervals are right" before any is seen. */
    public static final int PRIOR_REVIEWS = 2;

    public WidthCorrection {
        seals = List.copyOf(seals);
        if (!(factor > 0) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("field 'factor' is " + factor + "; expected a number above 0");
        }
    }

    /**
     * The correction for a kind of change; empty where there are too few forecasts.
     *
     * @param past forecasts of that kind with the intervals that they would have had uncorrected
     */
    public static Optional<WidthCorrection> of(List<RatioForecast> past, List<String> seals) {
        List<RatioForecast> wide = past.stream().filter(f -> !f.exact()).toList();
        if (wide.size() < FEWEST) {
            return Optional.empty();
        }
        double quantile = ConformalWidth.factor(wide, Forecaster.LEVEL);
        double factor = Math.pow(Math.clamp(quantile, LEAST, MOST),
                (double) seals.size() / (seals.size() + PRIOR_REVIEWS));
        return Optional.of(new WidthCorrection(wide.size() < FEWEST_TO_NARROW ? Math.max(1, factor) : factor,
                Double.isInfinite(quantile) ? Optional.empty() : Optional.of(quantile), wide.size(),
                (int) wide.stream().filter(RatioForecast::inside).count(), seals.size(),
                seals.stream().sorted().toList()));
    }

    /** The forecast with the intervals of its ratios made wider; arms and estimates stay. */
    public Forecast apply(Forecast forecast) {
        return new Forecast(forecast.level(), forecast.points().stream().map(this::apply).toList(),
                forecast.assumptions(), forecast.warnings());
    }

    private PointForecast apply(PointForecast p) {
        Map<String, Quantity> ratio = new LinkedHashMap<>();
        p.ratio().forEach((name, q) -> ratio.put(name,
                new Quantity(q.estimate(),
                        Math.min(q.estimate(), RatioForecast.widen(q.estimate(), q.low(), factor)),
                        Math.max(q.estimate(), RatioForecast.widen(q.estimate(), q.high(), factor)))));
        return new PointForecast(p.offeredRps(), p.baseline(), p.candidate(), ratio, p.baselineLimiter(),
                p.candidateLimiter(), p.detectionLimit());
    }

    /** One line for claims and records. */
    public String words() {
        return String.format(Locale.ROOT,
                "interval ×%.2f as wide as the model's own, since %d of %d past forecasts of this kind lay inside"
                        + " (%d review%s)",
                factor, inside, forecasts, reviews, reviews == 1 ? "" : "s");
    }
}
