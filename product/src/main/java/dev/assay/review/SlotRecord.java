package dev.assay.review;

import dev.assay.load.LoadRun;
import dev.assay.load.MetricsSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * The raw data of a slot beside its requests, as the evidence of kind {@code slot} holds it.
 *
 * @param arm and the rest say which run it was: a calibration slot has its session and point only
 * @param served the base URL that was measured
 * @param startedEpochNanos wall-clock time at which the run began
 * @param arrivalNanos how long requests were scheduled
 * @param windowNanos from the start to the end of the last request
 * @param before,after the server's metrics at both ends, where it has them
 * @param samples its gauges during the run
 * @param modelBytes the size of the weights where the server tells it
 * @param peakMemoryBytes the largest resident memory of the server's processes, where they run on this machine
 */
record SlotRecord(String label, Arm arm, double offeredRps, long seed, String served, long startedEpochNanos,
        long arrivalNanos, long windowNanos, LoadRun.ClientHealth client, Optional<MetricsSnapshot> before,
        Optional<MetricsSnapshot> after, List<MetricsSnapshot> samples, Optional<Long> modelBytes,
        Optional<Long> peakMemoryBytes) {}
