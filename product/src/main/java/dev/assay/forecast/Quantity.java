package dev.assay.forecast;

/** An estimate with its interval. */
public record Quantity(double estimate, double low, double high) {}
