package dev.assay.workload;

/**
 * One admissibility check of a run: what was checked, how it ended, and the figures.
 *
 * @param check a stable name such as {@code achieved-rate}
 * @param detail one line with the figures and the bound
 */
public record ValidityCheck(String check, Status status, String detail) {
    /** How a check ended. */
    public enum Status {
        /** Within its bound. */
        PASS,
        /** Outside its bound, which does not void the run but must be read with it. */
        WARN,
        /** Outside its bound: the run supports no conclusion. */
        FAIL,
        /** There was nothing to check. */
        ABSENT
    }
}
