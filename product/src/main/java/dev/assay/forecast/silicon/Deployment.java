package dev.assay.forecast.silicon;

import dev.assay.forecast.Hardware;
import dev.assay.forecast.Hardware.Precision;
import dev.assay.model.ModelShape;
import java.util.Locale;

/**
 * A dense model served by one engine on one node at a steady concurrency, all requests of one length.
 *
 * @param model its name, which separates groups
 * @param shape its shape
 * @param hardware each accelerator
 * @param backend the engine, such as {@code vllm}
 * @param format weights and matrix operations
 * @param inputTokens of each prompt
 * @param outputTokens of each answer, at least 2
 * @param batch requests in the system at once
 * @param tensorParallel accelerators that share every matrix
 */
public record Deployment(String model, ModelShape shape, Hardware hardware, String backend, Format format,
        int inputTokens, int outputTokens, int batch, int tensorParallel) {
    private static final int HALF = 2;

    public Deployment {
        atLeast("isl", inputTokens, 1);
        atLeast("osl", outputTokens, 2);
        atLeast("batch_size", batch, 1);
        atLeast("tp_size", tensorParallel, 1);
        if (shape.queryHeads() % tensorParallel != 0) {
            throw new IllegalArgumentException("tp_size " + tensorParallel + " does not divide the "
                    + shape.queryHeads() + " attention heads of " + model);
        }
        if (format.peak(hardware).isEmpty()) {
            throw new IllegalArgumentException("hardware " + hardware.name() + " has no stated peak for "
                    + format.name().toLowerCase(Locale.ROOT) + "; expected one in the hardware table");
        }
        double resident = resident(shape, format, tensorParallel);
        if (resident > hardware.memoryBytes()) {
            throw new IllegalArgumentException(String.format(Locale.ROOT,
                    "weights need %.1f GB on each of %d accelerators; expected at most the %.0f GB of %s",
                    resident / 1e9, tensorParallel, hardware.memoryBytes() / 1e9, hardware.name()));
        }
    }

    private static void atLeast(String name, int value, int bound) {
        if (value < bound) {
            throw new IllegalArgumentException(name + " is " + value + "; expected at least " + bound);
        }
    }

    private static double resident(ModelShape shape, Format format, int parts) {
        double outside = (double) HALF * shape.headWeights() * (shape.tiedEmbeddings() ? 1 : 2);
        return ((double) shape.layers() * shape.weightsPerLayer() * format.bytesPerWeight() + outside)
                / parts;
    }

    /** What separates calibrations: the model, the hardware, the engine and the format. */
    public String group() {
        return String.join(" ", model, hardware.name(), backend, format.name().toLowerCase(Locale.ROOT));
    }

    /** Bytes of weights in the memory of one accelerator. */
    public double residentBytes() {
        return resident(shape, format, tensorParallel);
    }

    /** Bytes of weights that one accelerator reads in a step; the output head is kept in 16 bits. */
    public double weightBytes() {
        return (blockWeights() * format.bytesPerWeight() + (double) HALF * shape.headWeights())
                / tensorParallel;
    }

    /** Weights in the blocks, of all accelerators. */
    double blockWeights() {
        return (double) shape.layers() * shape.weightsPerLayer();
    }

    /** Bytes of keys and values of one token on one accelerator, at {@code bytesPerValue} a number. */
    double kvBytesPerToken(double bytesPerValue) {
        return 2.0 * shape.layers() * shape.kvDim() * bytesPerValue
                / Math.min(tensorParallel, shape.kvHeads());
    }

    /** The same as engines keep them by default: 8 bits in TensorRT-LLM with narrow weights, else 16. */
    double kvBytesPerToken() {
        return kvBytesPerToken(backend.equals("trtllm") && format != Format.BF16 ? 1 : HALF);
    }

    /** Tokens that a running request holds on average: its prompt and half of its answer. */
    double meanContext() {
        return inputTokens + outputTokens / 2.0;
    }

    /** Prompts that begin in each step at a steady state: {@code batch / osl}. */
    double promptsPerStep(double running) {
        return running / outputTokens;
    }

    /** Peak of its matrix operations on one accelerator, 1/s. */
    double peak() {
        return format.peak(hardware).orElseThrow();
    }

    /** Peak of 16-bit operations, in which attention runs, 1/s. */
    double attentionPeak() {
        return hardware.peak(Precision.BF16).orElse(peak());
    }

    /** Matrix operations of one decoded token on one accelerator. */
    double decodeFlops() {
        return 2 * (blockWeights() + shape.headWeights()) / tensorParallel;
    }

    /** Matrix operations of one prompt on one accelerator. */
    double promptFlops() {
        return 2 * blockWeights() * inputTokens / tensorParallel;
    }

    /** Attention operations of one prompt on one accelerator: each token attends half of the prompt on average. */
    double promptAttentionFlops() {
        return (double) shape.attentionFlops(1) * inputTokens * (inputTokens / 2.0) / tensorParallel;
    }

    /** Bytes that one accelerator sends for one token: two ring all-reduces of 16-bit activations in each block. */
    double wireBytesPerToken() {
        double ring = 2.0 * (tensorParallel - 1) / tensorParallel;
        return 2.0 * shape.layers() * ring * shape.hidden() * HALF;
    }
}
