package dev.assay.engine;

import dev.assay.model.ModelShape;
import java.nio.file.Path;

/**
 * A model in memory with its pool of KV pages, which runs one step at a time. One thread at a time may call it. The
 * bits of a row's logits depend on the tokens of its sequence only: not on page size, page order, the other rows of the
 * step, how the prompt was cut into chunks, or the number of threads.
 */
public interface Decoder extends AutoCloseable {
    /** Loads a GGUF file; a fault of the file is one {@link dev.assay.AssayException}. */
    static Decoder load(Path gguf, DecoderConfig config) {
        return PagedDecoder.load(gguf, config);
    }

    /** The model's shape. */
    ModelShape shape();

    /** The settings it was loaded with. */
    DecoderConfig config();

    /** The model's tokenizer. */
    Tokenizer tokenizer();

    /** Bytes of weights in memory. */
    long weightBytes();

    /**
     * Runs one step: writes key and value of every row into the pool and computes the logits that are wanted. Tokens
     * before a sequence's first row must have been written by earlier steps into the same pages.
     *
     * @throws IllegalArgumentException for a token, position or page out of range
     */
    StepCost step(StepBatch batch);

    /** Logits of the last step, reused by the next; row {@code r} starts at {@link #logitsOffset}. */
    float[] logits();

    /** Where the logits of a row of the last step start in {@link #logits()}; {@code vocab} values follow. */
    int logitsOffset(int row);

    /** The id of the greatest logit of a row of the last step; ties go to the lowest id. */
    default int greedy(int row) {
        return greedy(logits(), logitsOffset(row), shape().vocab());
    }

    /** The index, from 0, of the greatest of {@code count} values from {@code offset}; ties go to the lowest. */
    static int greedy(float[] values, int offset, int count) {
        int best = 0;
        for (int i = 1; i < count; i++) {
            if (values[offset + i] > values[offset + best]) {
                best = i;
            }
        }
        return best;
    }

    @Override
    void close();
}
