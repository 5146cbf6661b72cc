package dev.assay.forecast;

import dev.assay.model.WeightFormat;
import java.util.Optional;

/** The settings of an arm that the forecast needs. */
public record EngineSettings(int maxNumSeqs, int maxNumBatchedTokens, int blockSize, Optional<Integer> numBlocks,
        WeightFormat weights, WeightFormat kv) {}
