package dev.assay.forecast;

import java.util.List;

/**
 * What a change will do at every load point.
 *
 * @param level of the intervals, such as 0.9
 * @param points one for each load point
 * @param assumptions what has to hold for the figures to hold
 * @param warnings where the forecast goes beyond what its calibration saw
 */
public record Forecast(double level, List<PointForecast> points, List<String> assumptions,
        List<String> warnings) {
    public Forecast {
        points = List.copyOf(points);
        assumptions = List.copyOf(assumptions);
        warnings = List.copyOf(warnings);
    }
}
