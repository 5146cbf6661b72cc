package dev.assay.review;

import dev.assay.load.GateInputs;
import dev.assay.load.LoadRun;
import dev.assay.load.MetricsSampler;
import java.util.Optional;

/**
 * The raw data of a slot beside its requests, as the evidence of kind {@code slot} holds it.
 *
 * @param arm and the rest say which run it was: a calibration slot has its session and point only
 * @param served the base URL that was measured
 * @param startedEpochNanos wall-clock time at which the run began
 * @param arrivalNanos how long requests were scheduled
 * @param windowNanos from the start to the end of the last request
 * @param server what the server said of itself
 * @param peakMemoryBytes the largest resident memory of the server's processes, where they run on this machine
 * @param gate what the validity gate looked at beside the requests; absent in evidence from before it did
 */
record SlotRecord(String label, Arm arm, double offeredRps, long seed, String served, long startedEpochNanos,
        long arrivalNanos, long windowNanos, LoadRun.ClientHealth client, MetricsSampler.Recorded server,
        Optional<Long> peakMemoryBytes, Optional<GateInputs> gate) {}
