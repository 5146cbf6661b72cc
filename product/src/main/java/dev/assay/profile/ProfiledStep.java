package dev.assay.profile;

/**
 * One step of an engine on a device.
 *
 * @param startNanos when the first of its work began, on the profile's clock
 * @param endNanos when the last ended
 * @param busyNanos time in which some of its work ran
 */
public record ProfiledStep(StepShape shape, long startNanos, long endNanos, long busyNanos) {
    /** From its first work to its last. */
    public long spanNanos() {
        return endNanos - startNanos;
    }
}
