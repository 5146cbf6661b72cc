package dev.assay.review;

/** The causal order of claims: what comes later rests on what comes before. */
public enum Level {
    /** The outputs are right. */
    CORRECTNESS,
    /** What the change removes or adds, in bytes, rows or launches. */
    MECHANISM,
    /** The time of the part that it touches. */
    COMPONENT,
    /** What a user of the service sees. */
    END_TO_END,
    /** What the fleet shows. */
    FLEET
}
