package dev.assay.engine;

import java.util.List;

/**
 * How the tokens of one request are chosen and when it ends.
 *
 * @param maxTokens   the most tokens to generate
 * @param minTokens   below this neither the end token nor a stop string ends it
 * @param temperature 0 for the greatest logit, else the divisor of the logits before softmax
 * @param seed        seed of the request's own random source
 * @param stop        texts that end it and are not part of the output
 * @param ignoreEos   whether the end token is a token like others
 * @param logprobs    alternatives to report per token; negative for no log-probabilities at all
 */
record SamplingParams(int maxTokens, int minTokens, double temperature, long seed, List<String> stop,
        boolean ignoreEos,
        int logprobs) {
    SamplingParams {
        stop = List.copyOf(stop);
        if (maxTokens < 1 || minTokens < 0 || minTokens > maxTokens) {
            throw new IllegalArgumentException(
                    "tokens: min " + minTokens + " and max " + maxTokens
                            + ": expected 0 <= min <= max and max >= 1");
        }
        if (!(temperature >= 0 && temperature < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("temperature " + temperature + " must be at least 0");
        }
    }
}
