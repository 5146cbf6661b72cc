package dev.assay.engine;

import dev.assay.model.Gguf;
import dev.assay.model.ModelShape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A decoder without a model whose logits are a hash of all tokens that it finds in the sequence's pages: any error of
 * paging, chunking or batching changes its output. It keeps in each KV slot the token written there.
 */
final class ToyDecoder implements Decoder {
    private final DecoderConfig config;
    private final ModelShape shape;
    private final Tokenizer tokenizer;
    private final int[] kv;
    private final float[] logits;
    private final int[] offsets;
    private final long delayNanos;

    ToyDecoder(Path gguf, DecoderConfig config, int maxRows, long delayNanos) {
        this.config = config;
        this.delayNanos = delayNanos;
        try (Gguf file = Gguf.open(gguf)) {
            shape = file.shape();
            tokenizer = Tokenizer.of(file);
        }
        kv = new int[config.pages() * config.pageSize()];
        Arrays.fill(kv, -1);
        logits = new float[maxRows * shape.vocab()];
        offsets = new int[maxRows];
    }

    @Override
    public ModelShape shape() {
        return shape;
    }

    @Override
    public DecoderConfig config() {
        return config;
    }

    @Override
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    @Override
    public long weightBytes() {
        return 1234;
    }

    @Override
    public StepCost step(StepBatch batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
            kv[slot(batch, row, batch.position(row))] = batch.token(row);
        }
        int made = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            if (batch.wantsLogits(row)) {
                offsets[row] = made++ * shape.vocab();
                fill(batch, row);
            }
        }
        long until = System.nanoTime() + delayNanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        return new StepCost(delayNanos, 0, 0, 0, 10, batch.rowCount(), batch.rowCount(), 100);
    }

    private void fill(StepBatch batch, int row) {
        long hash = 7;
        for (int position = 0; position <= batch.position(row); position++) {
            hash = hash * 0x9E3779B97F4A7C15L + kv[slot(batch, row, position)] + 1;
            hash ^= hash >>> 29;
        }
        SplittableRandom random = new SplittableRandom(hash);
        for (int i = 0; i < shape.vocab(); i++) {
            logits[offsets[row] + i] = (float) random.nextDouble() * 4;
        }
        logits[offsets[row] + tokenizer.eos()] -= 3.99f;
    }

    private int slot(StepBatch batch, int row, int position) {
        return batch.pages(batch.sequence(row))[position / config.pageSize()] * config.pageSize()
                + position % config.pageSize();
    }

    @Override
    public float[] logits() {
        return logits;
    }

    @Override
    public int logitsOffset(int row) {
        return offsets[row];
    }

    @Override
    public void close() {
        Arrays.fill(kv, -2);
    }
}
