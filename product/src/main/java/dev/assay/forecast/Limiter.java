package dev.assay.forecast;

/** The resource that bounds the system. */
public enum Limiter {
    WEIGHT_BANDWIDTH, KV_BANDWIDTH, COMPUTE, KV_CAPACITY, BATCH_SLOTS, PREFILL_BUDGET, SCHEDULER_CPU, LAUNCH, COLLECTIVE, NETWORK, ARRIVALS
}
