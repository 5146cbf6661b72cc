package dev.assay.load.curve;

import java.util.Optional;

/** Where slots come from: a server under load, or a simulation of one. */
@FunctionalInterface
public interface Slots {
    /**
     * One slot; empty where it was cut off.
     *
     * @param number from 1
     * @param purpose why it is measured, as {@link CurveSlot#purpose} has it
     * @param load requests a second
     * @param requests how many are to count; a slot may have fewer where its time is limited
     */
    Optional<CurveSlot> measure(int number, String purpose, double load, int requests);
}
