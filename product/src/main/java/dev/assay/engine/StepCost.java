package dev.assay.engine;

/**
 * What one step took and moved. Bytes and operations are computed from the shapes (each weight and each KV page counted
 * once per use by a step's sequence), not measured.
 *
 * @param gemmNanos time in the blocks' matrix products
 * @param attentionNanos time in scores, softmax and value sums, and in writing keys and values
 * @param normRopeNanos time in embedding, norms, rotary positions and activation
 * @param logitsNanos time in the output head
 * @param weightBytes bytes of weights read
 * @param kvBytesRead bytes of keys and values read
 * @param kvBytesWritten bytes of keys and values written
 * @param flops floating point operations, a fused multiply-add as two
 */
public record StepCost(long gemmNanos, long attentionNanos, long normRopeNanos, long logitsNanos,
        long weightBytes,
        long kvBytesRead, long kvBytesWritten, long flops) {
    /** Time of all stages. */
    public long totalNanos() {
        return gemmNanos + attentionNanos + normRopeNanos + logitsNanos;
    }
}
