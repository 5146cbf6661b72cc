package dev.assay.forecast;

/** The resource that bounds a serving system at a load point. */
public enum Limiter {
    /** Streaming the weights through the memory once a step. */
    WEIGHT_BANDWIDTH,
    /** Reading the keys and values of the running sequences. */
    KV_BANDWIDTH,
    /** Multiply-adds of the step's rows. */
    COMPUTE,
    /** Requests wait for KV pages, or lose them. */
    KV_CAPACITY,
    /** Requests wait because as many run as may. */
    BATCH_SLOTS,
    /** Requests wait because the step's token budget is spent. */
    PREFILL_BUDGET,
    /** The host prepares steps slower than they run. */
    SCHEDULER_CPU,
    /** What a step costs however little it computes. */
    LAUNCH,
    /** Exchange between the devices of one model instance. */
    COLLECTIVE,
    /** The path between client and server. */
    NETWORK,
    /** Nothing in the system: too few requests arrive to keep it busy. */
    ARRIVALS
}
