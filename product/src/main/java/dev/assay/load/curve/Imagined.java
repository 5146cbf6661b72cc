package dev.assay.load.curve;

/**
 * A server as it may be, for telling beforehand what a search will do: its share of good requests falls through the
 * target at {@code limit}, and a little above that its backlog grows.
 *
 * @param target share of requests that must meet the SLO
 * @param limit the load at which just that share does
 * @param stay seconds that a request is in it while it is idle
 */
record Imagined(double target, double limit, double stay) {
    /** The fall of the logit of the share with the logarithm of the load: from 99.9 % to 20 % within a factor of 2. */
    private static final double STEEPNESS = 12;
    /** Above this multiple of the limit it cannot keep up. */
    private static final double CAPACITY = 1.15;
    /** Requests near the limit that carry the information of one, as one long queue makes many miss together. */
    private static final double BUNCHED = 5;

    /** What a slot with so many requests that count says. */
    Observation slot(double load, int requests) {
        double relative = load / limit;
        double logit = Math.log(target / (1 - target)) - STEEPNESS * Math.log(relative);
        double share = 1 / (1 + Math.exp(-logit));
        double time = 1 + BUNCHED * Math.min(1, Math.pow(relative, 6));
        return new Observation(load, (int) Math.round(share * requests), requests, Math.min(time, requests),
                load * stay * (1 + Math.min(4, Math.pow(relative, 4))), relative > CAPACITY, true);
    }

    /** Seconds from the last arrival to the last end. */
    double draining(double load, double arrivals, double timeLimit) {
        double behind = arrivals * Math.max(0, load / (limit * CAPACITY) - 1);
        return Math.min(timeLimit, stay + behind);
    }
}
