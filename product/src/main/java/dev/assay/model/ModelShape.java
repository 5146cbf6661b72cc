package dev.assay.model;

/**
 * The shape of a Llama-architecture decoder, from which its bytes and operations follow.
 *
 * @param layers transformer blocks
 * @param hidden width of the residual stream
 * @param queryHeads attention heads
 * @param kvHeads key/value heads, each shared by {@code queryHeads / kvHeads} attention heads
 * @param headDim width of one head
 * @param ffn inner width of the gated feed-forward layer
 * @param vocab tokens known
 * @param contextLength longest sequence declared
 * @param ropeBase base of the rotary frequencies
 * @param rmsEps epsilon of RMSNorm
 * @param tiedEmbeddings whether the output head is the embedding matrix
 */
public record ModelShape(int layers, int hidden, int queryHeads, int kvHeads, int headDim, int ffn, int vocab,
        int contextLength, double ropeBase, double rmsEps, boolean tiedEmbeddings) {
    public ModelShape {
        positive("layers", layers);
        positive("hidden", hidden);
        positive("queryHeads", queryHeads);
        positive("kvHeads", kvHeads);
        positive("headDim", headDim);
        positive("ffn", ffn);
        positive("vocab", vocab);
        positive("contextLength", contextLength);
        if (queryHeads % kvHeads != 0) {
            throw new IllegalArgumentException(
                    "queryHeads " + queryHeads + " must be a multiple of kvHeads " + kvHeads);
        }
        if (headDim % 2 != 0) {
            throw new IllegalArgumentException("headDim " + headDim + " must be even");
        }
        if (!(ropeBase > 1) || !(rmsEps > 0)) {
            throw new IllegalArgumentException(
                    "ropeBase " + ropeBase + " must be > 1 and rmsEps " + rmsEps + " > 0");
        }
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " " + value + " must be at least 1");
        }
    }

    /** Width of all query heads together. */
    public int queryDim() {
        return queryHeads * headDim;
    }

    /** Width of all key (or value) heads together. */
    public int kvDim() {
        return kvHeads * headDim;
    }

    /** Matrix weights of one block: attention projections and feed-forward. */
    public long weightsPerLayer() {
        return (long) hidden * (2L * queryDim() + 2L * kvDim() + 3L * ffn);
    }

    /** Weights of the output head, which a tied model shares with the embedding. */
    public long headWeights() {
        return (long) hidden * vocab;
    }

    /** Matrix weights that a step reads once: all blocks, and the output head. */
    public long matmulWeights() {
        return layers * weightsPerLayer() + headWeights();
    }

    /** All parameters: matrices, embedding and norms. */
    public long parameters() {
        return matmulWeights() + (tiedEmbeddings ? 0 : headWeights()) + hidden * (2L * layers + 1);
    }

    /** Bytes of key and value that one token keeps, at {@code bytesPerValue} bytes a number. */
    public long kvBytesPerToken(int bytesPerValue) {
        return 2L * layers * kvDim() * bytesPerValue;
    }

    /** Matmul operations of one row (two per weight); the output head only for rows that want logits. */
    public long matmulFlops(boolean logits) {
        return 2 * (layers * weightsPerLayer() + (logits ? headWeights() : 0));
    }

    /** Attention operations of one row that attends {@code context} tokens, itself included. */
    public long attentionFlops(long context) {
        return 4L * layers * queryDim() * context;
    }

    /** Operations of one row that attends {@code context} tokens, itself included, and wants logits. */
    public long flopsPerToken(long context) {
        return matmulFlops(true) + attentionFlops(context);
    }
}
