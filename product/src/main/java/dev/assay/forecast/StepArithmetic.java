package dev.assay.forecast;

import dev.assay.model.ModelShape;

/** Bytes and operations of a step, exact from the model's shape and the formats. Norms stay in 32 bits. */
public final class StepArithmetic {
    private final ModelShape shape;
    private final long weightBytes;
    private final long residentWeightBytes;
    private final long kvBytesPerToken;

    /** The arithmetic of one arm. */
    public StepArithmetic(ModelShape shape, EngineSettings settings) {
        this.shape = shape;
        weightBytes = settings.weights().bytes(shape.matmulWeights());
        long embedding = shape.tiedEmbeddings() ? 0 : shape.headWeights();
        long norms = shape.parameters() - shape.matmulWeights() - embedding;
        residentWeightBytes = settings.weights().bytes(shape.matmulWeights() + embedding) + 4 * norms;
        kvBytesPerToken = settings.kv().bytes(2L * shape.layers() * shape.kvDim());
    }

    /** Bytes of weights that a step reads, however many rows it has. */
    public long weightBytes() {
        return weightBytes;
    }

    /** The part of a step's matrix weights that lies in the blocks; the rest is the output head. */
    public double blocksShare() {
        return (double) shape.layers() * shape.weightsPerLayer() / shape.matmulWeights();
    }

    /** Bytes that all weights take in memory. */
    public long residentWeightBytes() {
        return residentWeightBytes;
    }

    /** Bytes of keys and values of one token. */
    public long kvBytesPerToken() {
        return kvBytesPerToken;
    }

    /** Matrix operations of one decode row, its logits included. */
    public double decodeFlops() {
        return shape.matmulFlops(true);
    }

    /** Matrix and attention operations of {@code count} prompt tokens after {@code computed} earlier ones, no logits. */
    public double prefillFlops(long computed, long count) {
        double attended = (double) count * computed + count * (count + 1) / 2.0;
        return (double) count * shape.matmulFlops(false) + shape.attentionFlops(1) * attended;
    }

    /** Attention operations of one decode row over {@code context} tokens. */
    public double decodeAttentionFlops(long context) {
        return shape.attentionFlops(context);
    }

    /** Operations of the output head for one row. */
    public double logitFlops() {
        return 2.0 * shape.headWeights();
    }
}
