package dev.assay.load;

import dev.assay.workload.RequestOutcome;
import java.util.List;

/**
 * What a run gave.
 *
 * @param startedEpochNanos wall-clock time of the run's start; all times in the outcomes count from it
 * @param windowNanos from the start to the end of the last request
 * @param outcomes by request id; requests that were never sent because the run ended are left out
 * @param weight how many requests each outcome stands for: 1, or more where only a sample was kept
 */
public record LoadRun(long startedEpochNanos, long windowNanos, List<RequestOutcome> outcomes,
        ClientHealth client, int weight) {
    public LoadRun {
        outcomes = List.copyOf(outcomes);
        if (weight < 1) {
            throw new IllegalArgumentException("weight is " + weight + "; expected 1 or more");
        }
    }

    /** A run all of whose outcomes were kept. */
    public LoadRun(long startedEpochNanos, long windowNanos, List<RequestOutcome> outcomes,
            ClientHealth client) {
        this(startedEpochNanos, windowNanos, outcomes, client, 1);
    }

    /** The same run with a sample of its outcomes, each of which stands for {@code each} requests. */
    public LoadRun sampled(List<RequestOutcome> sample, int each) {
        return new LoadRun(startedEpochNanos, windowNanos, sample, client, each);
    }

    /**
     * How the client itself fared.
     *
     * @param busyShare share of the run that its thread worked, waiting and spinning before a send left out
     * @param cpuShare CPU time of its thread over the run's length, spinning included
     * @param spinNanos time spent spinning before planned sends
     * @param peakInFlight most requests in flight at once
     * @param connections connections opened
     * @param gcNanos time in garbage collections of the whole process
     */
    public record ClientHealth(double busyShare, double cpuShare, long spinNanos, int peakInFlight,
            int connections,
            long gcNanos) {}
}
