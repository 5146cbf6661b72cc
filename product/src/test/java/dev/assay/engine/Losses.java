package dev.assay.engine;

import java.util.List;

/** Mean negative log-likelihood under a decoder. */
final class Losses {
    private Losses() {}

    /** What an independent program found for each context of block 0. */
    record Reference(String madeBy, List<Double> natsPerToken) {}

    /** Nats per token over the {@code length - 1} predictions of one context, in one prefill; uses pages from 0. */
    static double mean(Decoder decoder, int[] ids, int from, int length) {
        StepBatch batch = new StepBatch(length, 1);
        batch.addSequence(Shipped.pages(0, 1, length / decoder.config().pageSize()));
        for (int i = 0; i < length; i++) {
            batch.addRow(ids[from + i], i, true);
        }
        decoder.step(batch);
        double sum = 0;
        for (int i = 0; i + 1 < length; i++) {
            sum += loss(decoder.logits(), decoder.logitsOffset(i), decoder.shape().vocab(),
                    ids[from + i + 1]);
        }
        return sum / (length - 1);
    }

    private static double loss(float[] logits, int at, int count, int target) {
        double max = logits[at + Decoder.greedy(logits, at, count)];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.exp(logits[at + i] - max);
        }
        return max + Math.log(sum) - logits[at + target];
    }
}
