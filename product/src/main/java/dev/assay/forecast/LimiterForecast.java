package dev.assay.forecast;

/** The limiter with its share, and the runner-up with its share (fractions). */
public record LimiterForecast(Limiter limiter, double share, Limiter runnerUp, double runnerUpShare) {}
