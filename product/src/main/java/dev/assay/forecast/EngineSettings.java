package dev.assay.forecast;

import dev.assay.model.WeightFormat;
import dev.assay.scheduler.SchedulerConfig;
import java.util.Optional;

/**
 * The settings of one arm's engine that the forecast knows; names as in vLLM.
 *
 * @param maxNumSeqs the most sequences that run at once
 * @param maxNumBatchedTokens the most tokens computed in one step
 * @param blockSize tokens of a KV page
 * @param numBlocks pages of the KV pool; absent means that the pool never binds
 * @param weights how the matrix weights are kept in memory
 * @param kv how keys and values are kept
 */
public record EngineSettings(int maxNumSeqs, int maxNumBatchedTokens, int blockSize,
        Optional<Integer> numBlocks,
        WeightFormat weights, WeightFormat kv) {
    public EngineSettings {
        atLeast("max_num_seqs", maxNumSeqs, 1);
        atLeast("max_num_batched_tokens", maxNumBatchedTokens, maxNumSeqs);
        atLeast("block_size", blockSize, 1);
        numBlocks.ifPresent(n -> atLeast("num_blocks", n, 1));
    }

    private static void atLeast(String name, int value, int bound) {
        if (value < bound) {
            throw new IllegalArgumentException(name + " is " + value + "; expected at least " + bound);
        }
    }

    /**
     * The scheduler's settings; a pool that never binds has room for every slot's longest sequence.
     *
     * @param longestTokens prompt and output of the longest request
     */
    SchedulerConfig scheduler(int longestTokens) {
        int each = Math.ceilDiv(longestTokens, blockSize) + 1;
        int blocks = numBlocks.orElse(Math.multiplyExact(each, maxNumSeqs));
        return new SchedulerConfig(maxNumSeqs, maxNumBatchedTokens, blockSize, blocks, 0, false);
    }
}
