package dev.assay.scheduler;

/** Why the head of the queue was not admitted in a step. */
public enum WaitReason {
    /** As many sequences run as may. */
    CAP,
    /** The step's tokens are spent. */
    BUDGET,
    /** Its prompt, with the watermark, does not fit the free pages. */
    PAGES,
    /** The step had to preempt, so nothing may be admitted in it. */
    PREEMPTION
}
