package dev.assay.load.curve;

import dev.assay.stats.Interval;
import dev.assay.stats.ShareEstimate;
import java.util.List;

/** All valid slots at one load, pooled, and what they decide. */
record Tally(double load, int hits, int trials, double effective, double inFlight, int slots,
        int saturated) {
    private static final double STAYS = 40;

    /** What is known of a load. */
    enum Verdict {
        /** The whole interval lies at or above the target. */
        MEETS,
        /** The whole interval lies below the target, or every slot of two or more was saturated. */
        MISSES,
        /** Neither. */
        OPEN
    }

    static Tally of(double load, List<Observation> at) {
        int hits = at.stream().mapToInt(Observation::hits).sum();
        int trials = at.stream().mapToInt(Observation::trials).sum();
        double effective = at.stream().mapToDouble(o -> o.trials() / o.correlationTime()).sum();
        return new Tally(load, hits, trials, effective,
                at.stream().mapToDouble(Observation::inFlight).average().orElse(0), at.size(),
                (int) at.stream().filter(Observation::saturated).count());
    }

    /** Trials that carry the information of one independent trial. */
    double correlationTime() {
        return Math.max(1, trials / effective);
    }

    Tally withCorrelationTime(double time) {
        return new Tally(load, hits, trials, trials / time, inFlight, slots, saturated);
    }

    /**
     * Requests before "meets" is believed: a slot outlasts a request's stay in the server this many times, as a queue
     * that is about to grow takes that long to show.
     */
    double settling() {
        return STAYS * inFlight;
    }

    double share() {
        return hits / (double) trials;
    }

    /** The interval of the share at a level. */
    Interval interval(double level) {
        return estimate(level).interval();
    }

    ShareEstimate estimate(double level) {
        return ShareEstimate.of(hits, trials, correlationTime(), level);
    }

    Verdict verdict(double target, double level) {
        Interval interval = interval(level);
        if (interval.high() < target || slots > 1 && saturated == slots) {
            return Verdict.MISSES;
        }
        return interval.low() >= target && saturated == 0 && trials >= settling()
                ? Verdict.MEETS
                : Verdict.OPEN;
    }

    /** Which way the load leans where nothing is decided. */
    boolean leansToMiss(double target) {
        return share() < target || 2 * saturated > slots;
    }
}
