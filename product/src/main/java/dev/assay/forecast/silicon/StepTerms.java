package dev.assay.forecast.silicon;

/**
 * The time of one steady step by what takes it, in seconds. The terms add up to TPOT.
 *
 * @param running requests that run at once, after the KV capacity
 * @param weights streaming weights while decode rows compute
 * @param kv reading keys and values
 * @param prompts computing the prompts that arrive between tokens
 * @param blocks fixed cost of the blocks
 * @param collectives all-reduces: their latency and what they send
 * @param rows host and sampler for each running request
 */
public record StepTerms(double running, double weights, double kv, double prompts, double blocks,
        double collectives, double rows) {
    /** All of it: TPOT in seconds. */
    public double total() {
        return weights + kv + prompts + blocks + collectives + rows;
    }
}
