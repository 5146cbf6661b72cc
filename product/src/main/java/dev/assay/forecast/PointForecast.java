package dev.assay.forecast;

import java.util.Map;

/**
 * The forecast for one load point. Each map is by metric name ({@link MetricNames}); a metric that is undefined there
 * is absent.
 *
 * @param offeredRps requests per second offered
 * @param baseline the metrics of the baseline arm
 * @param candidate the metrics of the candidate arm
 * @param ratio candidate over baseline, same arrivals and constants in both
 * @param baselineLimiter what limits the baseline
 * @param candidateLimiter what limits the candidate
 * @param detectionLimit the smallest effect, as |ratio - 1| upwards, that the planned blocks can be expected to show
 */
public record PointForecast(double offeredRps, Map<String, Quantity> baseline,
        Map<String, Quantity> candidate,
        Map<String, Quantity> ratio, LimiterForecast baselineLimiter, LimiterForecast candidateLimiter,
        Map<String, Double> detectionLimit) {
    public PointForecast {
        baseline = Map.copyOf(baseline);
        candidate = Map.copyOf(candidate);
        ratio = Map.copyOf(ratio);
        detectionLimit = Map.copyOf(detectionLimit);
    }
}
