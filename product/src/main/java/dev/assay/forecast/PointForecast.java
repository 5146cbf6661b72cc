package dev.assay.forecast;

import java.util.Map;

/** The forecast at one load point. */
public record PointForecast(double offeredRps, Map<String, Quantity> baseline, Map<String, Quantity> candidate,
        Map<String, Quantity> ratio, LimiterForecast baselineLimiter, LimiterForecast candidateLimiter,
        Map<String, Double> detectionLimit) {}
