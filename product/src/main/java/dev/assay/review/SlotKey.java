package dev.assay.review;

/**
 * Which slot: block (from 0), session within the block (0 to 3, of which two are each arm's), arm, and load point
 * (index into the proposal's list).
 */
public record SlotKey(int block, int session, Arm arm, int point) {
    /** A short name for messages and file listings, such as {@code b0-s2-candidate-p3}. */
    public String label() {
        return "b" + block + "-s" + session + "-" + (arm == Arm.BASELINE ? "baseline" : "candidate") + "-p"
                + point;
    }
}
