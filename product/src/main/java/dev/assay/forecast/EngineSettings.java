package dev.assay.forecast;

import dev.assay.forecast.arith.QuantFormat;
import dev.assay.scheduler.SchedulerConfig;
import java.util.Map;
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
 * @param enablePrefixCaching whether pages of equal prefixes are shared; absent where the workload shares none
 * @param tensorParallelSize devices over which each matrix is split; absent means 1
 * @param speculativeTokens tokens drafted for each sequence in a step; absent means no drafting
 * @param decodeEpilogue the name of the kernels at the end of a decode layer
 * @param collectivePath the name of the path that all-reduces take
 * @param other settings that the forecast ignores, by name: arms that differ in one of them cannot be forecast
 */
public record EngineSettings(int maxNumSeqs, int maxNumBatchedTokens, int blockSize,
        Optional<Integer> numBlocks,
        QuantFormat weights, QuantFormat kv, Optional<Boolean> enablePrefixCaching,
        Optional<Integer> tensorParallelSize, Optional<Integer> speculativeTokens,
        Optional<String> decodeEpilogue, Optional<String> collectivePath,
        Optional<Map<String, String>> other) {
    /** A pool that never binds keeps so many times the running sequences' pages as a prefix cache. */
    private static final int CACHE_FACTOR = 4;
    private static final int MOST_DEVICES = 1024;
    private static final int MOST_DRAFTED = 64;

    public EngineSettings {
        atLeast("max_num_seqs", maxNumSeqs, 1);
        atLeast("max_num_batched_tokens", maxNumBatchedTokens, maxNumSeqs);
        atLeast("block_size", blockSize, 1);
        numBlocks.ifPresent(n -> atLeast("num_blocks", n, 1));
        tensorParallelSize.ifPresent(t -> between("tensor_parallel_size", t, 1, MOST_DEVICES));
        speculativeTokens.ifPresent(g -> between("speculative_tokens", g, 1, MOST_DRAFTED));
        if (speculativeTokens.isPresent()) {
            atLeast("max_num_batched_tokens (every running sequence verifies its draft in a step)",
                    maxNumBatchedTokens, maxNumSeqs * (speculativeTokens.get() + 1));
        }
    }

    /** The settings that every engine has; the others absent. */
    public EngineSettings(int maxNumSeqs, int maxNumBatchedTokens, int blockSize, Optional<Integer> numBlocks,
            QuantFormat weights, QuantFormat kv) {
        this(maxNumSeqs, maxNumBatchedTokens, blockSize, numBlocks, weights, kv, Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Devices over which each matrix is split. */
    public int devices() {
        return tensorParallelSize.orElse(1);
    }

    /** Rows that a running sequence has in a step: one, and one more for each drafted token. */
    public int rowsPerSequence() {
        return 1 + speculativeTokens.orElse(0);
    }

    /** Whether pages of equal prefixes are shared, as far as it is stated. */
    public boolean cachesPrefixes() {
        return enablePrefixCaching.orElse(false);
    }

    /** The same with another pool. */
    public EngineSettings withBlocks(int blocks) {
        return new EngineSettings(maxNumSeqs, maxNumBatchedTokens, blockSize, Optional.of(blocks), weights,
                kv,
                enablePrefixCaching, tensorParallelSize, speculativeTokens, decodeEpilogue, collectivePath,
                other);
    }

    private static void between(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; expected " + low + " to " + high);
        }
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

    /** The same with shared pages, for replays whose sequences carry tokens. */
    SchedulerConfig cachingScheduler(int longestTokens) {
        int each = Math.ceilDiv(longestTokens, blockSize) + 1;
        int blocks = numBlocks
                .orElseGet(() -> Math.multiplyExact(Math.multiplyExact(each, maxNumSeqs), CACHE_FACTOR));
        return new SchedulerConfig(maxNumSeqs, maxNumBatchedTokens, blockSize, blocks, 0, true);
    }
}
