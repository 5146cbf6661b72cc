package dev.assay.model;

import java.util.OptionalInt;

/** The attention of one kind of layer: what it keeps of a token, and how far back it looks. */
public sealed interface AttentionSpec {
    /** Query heads. */
    int queryHeads();

    /** The last tokens that a query sees; absent where it sees all. */
    OptionalInt window();

    /** Values that one token keeps in the cache, all heads together. */
    long cachedValues();

    /** Heads over which the cached values can be split between devices; 1 where every device keeps all. */
    int splitHeads();

    /** Multiply-adds times two of one query token and one attended token. */
    long flopsPerPair();

    /**
     * Heads that share keys and values in groups; one group for each head is multi-head, one for all is multi-query.
     *
     * @param headDim width of a head, as the file says; not always the hidden size over the heads
     * @param bias whether the projections of queries, keys and values have a bias
     * @param headNorms whether queries and keys are normalised by head
     */
    record Grouped(int queryHeads, int kvHeads, int headDim, boolean bias, boolean headNorms,
            OptionalInt window)
            implements
                AttentionSpec {
        public Grouped {
            Bounds.atLeast("num_attention_heads", queryHeads, 1);
            Bounds.atLeast("num_key_value_heads", kvHeads, 1);
            Bounds.atLeast("head_dim", headDim, 1);
            if (queryHeads % kvHeads != 0) {
                throw new IllegalArgumentException("num_attention_heads is " + queryHeads
                        + "; expected a multiple of num_key_value_heads, " + kvHeads);
            }
            window.ifPresent(w -> Bounds.atLeast("sliding_window", w, 1));
        }

        @Override
        public long cachedValues() {
            return 2L * kvHeads * headDim;
        }

        @Override
        public int splitHeads() {
            return kvHeads;
        }

        @Override
        public long flopsPerPair() {
            return 4L * queryHeads * headDim;
        }
    }

    /**
     * Multi-head latent attention: keys and values are one compressed vector with a shared rotary part.
     *
     * @param queryRank rank of the compressed queries, 0 where they are projected at once
     * @param kvRank rank of the compressed keys and values ({@code kv_lora_rank})
     * @param ropeDim width of the shared rotary key ({@code qk_rope_head_dim})
     * @param nopeDim width of a head's key without position ({@code qk_nope_head_dim})
     * @param valueDim width of a head's value
     */
    record Latent(int queryHeads, int queryRank, int kvRank, int ropeDim, int nopeDim, int valueDim)
            implements
                AttentionSpec {
        public Latent {
            Bounds.atLeast("num_attention_heads", queryHeads, 1);
            Bounds.atLeast("q_lora_rank", queryRank, 0);
            Bounds.atLeast("kv_lora_rank", kvRank, 1);
            Bounds.atLeast("qk_rope_head_dim", ropeDim, 1);
            Bounds.atLeast("qk_nope_head_dim", nopeDim, 1);
            Bounds.atLeast("v_head_dim", valueDim, 1);
        }

        @Override
        public OptionalInt window() {
            return OptionalInt.empty();
        }

        @Override
        public long cachedValues() {
            return (long) kvRank + ropeDim;
        }

        @Override
        public int splitHeads() {
            return 1;
        }

        /** In the compressed form, which decode uses: scores over rank and rotary part, values over the rank. */
        @Override
        public long flopsPerPair() {
            return 2L * queryHeads * (2L * kvRank + ropeDim);
        }
    }
}
