package dev.assay.engine;

/**
 * The natural log-probability of a token under the model's own distribution (temperature 1, nothing masked), with the
 * most likely alternatives in falling order.
 */
record TokenLogprobs(double logprob, int[] topIds, double[] topLogprobs) {}
