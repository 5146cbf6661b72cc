package dev.assay.scheduler;

/**
 * The settings of continuous batching and of the page pool; names as in vLLM.
 *
 * @param maxNumSeqs          the most sequences that run at once (the batch cap)
 * @param maxNumBatchedTokens the most tokens computed in one step (the budget); at least {@code maxNumSeqs}, so that
 *                            every running sequence can decode in every step
 * @param blockSize           tokens in one page
 * @param numBlocks           pages in the pool
 * @param watermark           share of the pool, in [0, 1), that an admission must leave free while others run
 * @param prefixCaching       whether full pages are shared between equal prefixes
 */
public record SchedulerConfig(int maxNumSeqs, int maxNumBatchedTokens, int blockSize, int numBlocks,
        double watermark,
        boolean prefixCaching) {
    public SchedulerConfig {
        atLeast("max_num_seqs", maxNumSeqs, 1);
        atLeast("max_num_batched_tokens", maxNumBatchedTokens, maxNumSeqs);
        atLeast("block_size", blockSize, 1);
        atLeast("num_blocks", numBlocks, 1);
        if (!(watermark >= 0 && watermark < 1)) {
            throw new IllegalArgumentException("watermark must be in [0, 1), was " + watermark);
        }
    }

    private static void atLeast(String name, int value, int bound) {
        if (value < bound) {
            throw new IllegalArgumentException(name + " must be at least " + bound + ", was " + value);
        }
    }

    /** Pages that hold {@code tokens} tokens. */
    public int pagesFor(long tokens) {
        return Math.toIntExact((tokens + blockSize - 1) / blockSize);
    }

    /** Tokens that the whole pool holds. */
    public long capacityTokens() {
        return (long) blockSize * numBlocks;
    }

    /** Pages that an admission must leave free while others run. */
    public int watermarkPages() {
        return (int) (watermark * numBlocks);
    }

    /**
     * Whether a request can ever end: the last token needs no page of its own, since nothing attends to it.
     *
     * @param promptLength    prompt tokens
     * @param maxOutputTokens output tokens
     */
    public boolean fits(int promptLength, int maxOutputTokens) {
        return (long) promptLength + maxOutputTokens - 1 <= capacityTokens();
    }
}
