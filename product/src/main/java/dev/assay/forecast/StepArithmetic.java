package dev.assay.forecast;

import dev.assay.AssayException;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.model.ModelShape;

/**
 * Bytes and operations of a step on one device, exact from the model's shape, the formats and the tensor parallel size
 * t: matrices and attention heads are split over t devices, keys and values over min(t, KV heads). Norms stay in 32 bits.
 */
public final class StepArithmetic {
    private final ModelShape shape;
    private final long weightBytes;
    private final long residentWeightBytes;
    private final long kvBytesPerToken;
    private final int devices;
    private final int activationBytes;

    /** The arithmetic of one arm. */
    public StepArithmetic(ModelShape shape, EngineSettings settings) {
        this.shape = shape;
        devices = settings.devices();
        split(shape, devices);
        activationBytes = settings.weights() == QuantFormat.F32 ? 4 : 2;
        weightBytes = Math.ceilDiv(settings.weights().bytes(shape.matmulWeights()), devices);
        long embedding = shape.tiedEmbeddings() ? 0 : shape.headWeights();
        long norms = shape.parameters() - shape.matmulWeights() - embedding;
        residentWeightBytes = Math
                .ceilDiv(settings.weights().bytes(shape.matmulWeights() + embedding), devices) + 4 * norms;
        kvBytesPerToken = Math.ceilDiv(settings.kv().bytes(2L * shape.layers() * shape.kvDim()),
                Math.min(devices, shape.kvHeads()));
    }

    private static void split(ModelShape shape, int devices) {
        boolean kvSplit = shape.kvHeads() % devices == 0 || devices % shape.kvHeads() == 0;
        if (shape.queryHeads() % devices != 0 || !kvSplit) {
            throw AssayException.misuse("tensor_parallel_size is " + devices + "; the model's "
                    + shape.queryHeads() + " query and " + shape.kvHeads()
                    + " KV heads cannot be split evenly over it");
        }
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

    /** Devices over which keys and values are split; beyond the number of KV heads they are copied. */
    int kvDevices() {
        return Math.min(devices, shape.kvHeads());
    }

    /** Matrix operations of one decode row, its logits included. */
    public double decodeFlops() {
        return (double) shape.matmulFlops(true) / devices;
    }

    /** Matrix and attention operations of {@code count} prompt tokens after {@code computed} earlier ones, no logits. */
    public double prefillFlops(long computed, long count) {
        double attended = (double) count * computed + count * (count + 1) / 2.0;
        return ((double) count * shape.matmulFlops(false) + shape.attentionFlops(1) * attended) / devices;
    }

    /** Attention operations of one decode row over {@code context} tokens. */
    public double decodeAttentionFlops(long context) {
        return (double) shape.attentionFlops(context) / devices;
    }

    /** Operations of the output head for one row. */
    public double logitFlops() {
        return 2.0 * shape.headWeights() / devices;
    }

    /** All-reduces of a step: two a layer where the model is split, after attention and after the feed-forward. */
    public int collectives() {
        return devices == 1 ? 0 : 2 * shape.layers();
    }

    /** Bytes that a device sends for one token in these, by a ring: 2(t-1)/t of each payload of hidden activations. */
    public double collectiveBytesPerToken() {
        return collectives() * (2.0 * (devices - 1) / devices) * shape.hidden() * activationBytes;
    }
}
