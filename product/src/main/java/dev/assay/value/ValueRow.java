package dev.assay.value;

import java.util.OptionalDouble;

/** One row of the benchmark matrix. */
public record ValueRow(double offeredRps, String arm, OptionalDouble perMillionOutputTokens) {}
