package dev.assay.quality;

import java.util.OptionalDouble;

/** The comparison of the outputs of both arms. */
public record QualityReport(int prompts, int identical, OptionalDouble meanNllIncrease) {}
