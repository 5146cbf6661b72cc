package dev.assay.load.curve;

/**
 * What one slot said about the SLO at its load.
 *
 * @param load offered, requests a second
 * @param hits requests that completed and met the SLO
 * @param trials requests that were attempted
 * @param correlationTime trials that carry the information of one independent trial, at least 1
 * @param inFlight requests in the server in the mean (Little's law: load times mean latency)
 * @param saturated whether the backlog grew through the slot, so that a longer slot would have given a lower share
 * @param valid whether the slot supports a conclusion at all
 */
public record Observation(double load, int hits, int trials, double correlationTime, double inFlight,
        boolean saturated, boolean valid) {
    public Observation {
        if (!(load > 0) || trials < 1 || hits < 0 || hits > trials || !(correlationTime >= 1)) {
            throw new IllegalArgumentException("load " + load + ", hits " + hits + " of " + trials
                    + ", correlation time " + correlationTime
                    + "; expected a load above 0, hits within trials, at least 1");
        }
    }
}
