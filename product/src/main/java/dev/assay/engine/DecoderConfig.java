package dev.assay.engine;

import dev.assay.model.WeightFormat;

/**
 * How a decoder keeps weights and KV cache.
 *
 * @param weights the format of the matrix weights in memory
 * @param pageSize tokens of one KV page, a multiple of 16
 * @param pages KV pages in the pool
 * @param threads compute threads, the caller's included; more than one spin
 */
public record DecoderConfig(WeightFormat weights, int pageSize, int pages, int threads) {
    /** Page sizes are multiples of this: the tile of the key layout. */
    public static final int TILE = 16;

    public DecoderConfig {
        if (pageSize < TILE || pageSize % TILE != 0) {
            throw new IllegalArgumentException(
                    "pageSize " + pageSize + " must be a positive multiple of " + TILE);
        }
        if (pages < 1) {
            throw new IllegalArgumentException("pages " + pages + " must be at least 1");
        }
        if (threads < 1 || threads > 256) {
            throw new IllegalArgumentException("threads " + threads + " must be between 1 and 256");
        }
    }
}
