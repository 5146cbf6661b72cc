package dev.assay.engine;

import java.util.SplittableRandom;

/** Chooses a token from logits and computes log-probabilities; ties go to the lowest id. */
final class Sampler {
    private Sampler() {}

    /**
     * A token by the parameters: the greatest logit at temperature 0, else a draw from softmax(logits / temperature).
     * The draw depends on the logits and the random source alone, not on the rest of the batch.
     */
    static int choose(float[] logits, int offset, int vocab, double temperature, SplittableRandom random) {
        int best = Decoder.greedy(logits, offset, vocab);
        if (temperature == 0) {
            return best;
        }
        float top = logits[offset + best];
        double sum = 0;
        for (int i = 0; i < vocab; i++) {
            sum += Math.exp((logits[offset + i] - top) / temperature);
        }
        double left = random.nextDouble() * sum;
        for (int i = 0; i < vocab; i++) {
            left -= Math.exp((logits[offset + i] - top) / temperature);
            if (left < 0) {
                return i;
            }
        }
        return best;
    }

    /** The log-probability of a token and of the {@code count} most likely ones. */
    static TokenLogprobs logprobs(float[] logits, int offset, int vocab, int token, int count) {
        float top = logits[offset + Decoder.greedy(logits, offset, vocab)];
        double sum = 0;
        for (int i = 0; i < vocab; i++) {
            sum += Math.exp((double) logits[offset + i] - top);
        }
        double logSum = top + Math.log(sum);
        int[] ids = top(logits, offset, vocab, count);
        double[] values = new double[ids.length];
        for (int i = 0; i < ids.length; i++) {
            values[i] = logits[offset + ids[i]] - logSum;
        }
        return new TokenLogprobs(logits[offset + token] - logSum, ids, values);
    }

    /** Ids of the greatest logits in falling order, by insertion: {@code count} is small. */
    private static int[] top(float[] logits, int offset, int vocab, int count) {
        int[] ids = new int[Math.min(count, vocab)];
        int size = 0;
        for (int i = 0; i < vocab && ids.length > 0; i++) {
            float value = logits[offset + i];
            if (size == ids.length && value <= logits[offset + ids[size - 1]]) {
                continue;
            }
            int at = size < ids.length ? size++ : size - 1;
            while (at > 0 && value > logits[offset + ids[at - 1]]) {
                ids[at] = ids[at - 1];
                at--;
            }
            ids[at] = i;
        }
        return ids;
    }
}
