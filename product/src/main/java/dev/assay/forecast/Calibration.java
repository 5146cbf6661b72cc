package dev.assay.forecast;

import java.util.List;
import java.util.Map;

/** The constants of the baseline. */
public record Calibration(Map<String, Double> noise, String method, List<String> warnings) {}
