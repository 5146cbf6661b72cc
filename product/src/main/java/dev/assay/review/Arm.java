package dev.assay.review;

/** The two sides of an offline comparison. */
public enum Arm {
    /** What runs today. */
    BASELINE,
    /** What is proposed. */
    CANDIDATE
}
