package dev.assay.load.curve;

/**
 * How a search for the highest load goes about it.
 *
 * @param start load to begin with
 * @param least loads below this are not tried
 * @param most loads above this are not tried
 * @param target share of requests that must meet the SLO
 * @param error probability that the bracket may miss the true load with
 * @param resolution the bracket's ends lie at most this factor apart before they are confirmed
 * @param coarse requests of a slot that only shows the way
 * @param full most requests of a slot that confirms an end
 * @param looks slots that may be spent on deciding one load
 * @param slots slots that may be spent in all
 * @param slotSeconds longest time over which the requests of one slot may arrive; infinite where nothing limits it
 */
public record SearchSettings(double start, double least, double most, double target, double error,
        double resolution, int coarse, int full, int looks, int slots, double slotSeconds) {
    public SearchSettings {
        if (!(least > 0) || !(least <= start) || !(start <= most) || Double.isInfinite(most)) {
            throw new IllegalArgumentException("loads " + least + " <= " + start + " <= " + most
                    + "; expected ascending finite loads above 0");
        }
        if (!(target > 0 && target < 1) || !(error > 0 && error < 1) || !(resolution > 1)) {
            throw new IllegalArgumentException("target " + target + ", error " + error + ", resolution "
                    + resolution + "; expected shares between 0 and 1 and a factor above 1");
        }
        if (coarse < 5 || full < coarse || looks < 1 || slots < 1 || !(slotSeconds > 0)) {
            throw new IllegalArgumentException("coarse " + coarse + ", full " + full + ", looks " + looks
                    + ", slots " + slots + " of " + slotSeconds
                    + " s; expected 5 <= coarse <= full, and 1 or more");
        }
    }

    /** The search from {@code start} for a target share, with what suits most servers. */
    public static SearchSettings of(double start, double target) {
        return new SearchSettings(start, start / 64, start * 1024, target, 0.05, 1.2, 40, 800, 3, 20,
                Double.POSITIVE_INFINITY);
    }

    /** The same within these loads. */
    public SearchSettings within(double lowest, double highest) {
        return new SearchSettings(Math.clamp(start, lowest, highest), lowest, highest, target, error,
                resolution, coarse, full, looks, slots, slotSeconds);
    }

    /** The same with other slot sizes, in requests. */
    public SearchSettings withSizes(int coarseRequests, int fullRequests) {
        return new SearchSettings(start, least, most, target, error, resolution, coarseRequests, fullRequests,
                looks, slots, slotSeconds);
    }

    /** The same with at most this many slots. */
    public SearchSettings withSlots(int most) {
        return new SearchSettings(start, least, this.most, target, error, resolution, coarse, full, looks,
                most, slotSeconds);
    }

    /** The same with slots over which requests arrive for at most so long. */
    public SearchSettings withSlotSeconds(double seconds) {
        return new SearchSettings(start, least, most, target, error, resolution, coarse, full, looks, slots,
                seconds);
    }
}
