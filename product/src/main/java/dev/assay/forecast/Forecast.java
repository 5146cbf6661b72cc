package dev.assay.forecast;

import java.util.List;

/** The forecast of a change over the load points. */
public record Forecast(double level, List<PointForecast> points, List<String> assumptions, List<String> warnings) {}
