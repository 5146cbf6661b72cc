package dev.assay.load.curve;

/**
 * How many requests a slot has: a lead-in that fills the server and does not count, then those that do, within bounds on
 * how long they arrive.
 *
 * @param leastSeconds requests arrive at least this long, lead-in included
 * @param mostSeconds and at most this long, but for a load so low that {@link #FEWEST} requests take longer
 */
public record SlotSize(double leastSeconds, double mostSeconds) {
    /** Requests before those that count, as a share of them. */
    public static final double LEAD_IN = 1 / 3.0;
    /** Fewest requests of a slot, lead-in included, however long they take. */
    public static final int FEWEST = 8;

    public SlotSize {
        if (!(leastSeconds >= 0) || !(mostSeconds >= leastSeconds) || !(mostSeconds > 0)) {
            throw new IllegalArgumentException("slot seconds " + leastSeconds + " to " + mostSeconds
                    + "; expected 0 <= least <= most, most above 0");
        }
    }

    /** All requests of a slot in which {@code wanted} are to count. */
    public int requests(double load, int wanted) {
        double most = Math.max(FEWEST, Math.floor(load * mostSeconds));
        double least = Math.min(most, Math.max(FEWEST, Math.ceil(load * leastSeconds)));
        return (int) Math.clamp(Math.ceil(wanted * (1 + LEAD_IN)), least, Math.min(most, Integer.MAX_VALUE));
    }

    /** How many of {@code requests} are the lead-in. */
    public int leadIn(int requests) {
        return (int) Math.round(requests * LEAD_IN / (1 + LEAD_IN));
    }

    /** The load below which even the fewest requests take longer than the most seconds. */
    public double slowLoad() {
        return FEWEST / mostSeconds;
    }
}
