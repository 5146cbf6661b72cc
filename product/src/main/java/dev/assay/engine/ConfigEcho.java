package dev.assay.engine;

import dev.assay.model.ModelShape;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that decides what this server computes, for records: the settings as vLLM names them, the model, and digests of
 * the model file and of the program's engine and scheduler classes.
 *
 * @param monotonicNanos the clock of the step log at the moment of {@code unixMillis}
 */
record ConfigEcho(String servedModelName, String modelFile, String modelSha256, String kernelsSha256,
        String dtype,
        String quantization, int blockSize, int numBlocks, int maxNumSeqs, int maxNumBatchedTokens,
        int maxModelLen,
        int threads, double watermark, boolean enablePrefixCaching, long weightBytes, long parameters,
        ModelShape shape,
        String java, String os, int cores, long monotonicNanos, long unixMillis) {

    /** The settings as labels of a metric. */
    Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("model_file", modelFile);
        labels.put("model_sha256", modelSha256);
        labels.put("kernels_sha256", kernelsSha256);
        labels.put("dtype", dtype);
        labels.put("quantization", quantization);
        labels.put("block_size", Integer.toString(blockSize));
        labels.put("num_blocks", Integer.toString(numBlocks));
        labels.put("max_num_seqs", Integer.toString(maxNumSeqs));
        labels.put("max_num_batched_tokens", Integer.toString(maxNumBatchedTokens));
        labels.put("max_model_len", Integer.toString(maxModelLen));
        labels.put("threads", Integer.toString(threads));
        labels.put("watermark", Double.toString(watermark));
        labels.put("enable_prefix_caching", Boolean.toString(enablePrefixCaching));
        labels.put("java", java);
        labels.put("cores", Integer.toString(cores));
        return labels;
    }
}
