package dev.assay.stats;

/** A reason to trust a result less, or the reason why a part of it is absent; {@code detail} is one line for people. */
public record Doubt(Code code, String detail) {

    /** What is wrong. */
    public enum Code {
        /** There is no block at all. */
        NO_BLOCKS,
        /** One block: an estimate, but no interval and no test. */
        ONE_BLOCK,
        /** At this number of blocks the exact test cannot reach the wanted level, whatever the data. */
        UNTESTABLE_COUNT,
        /** Every block gave the same value: the interval has no width and says nothing about the spread. */
        NO_SPREAD,
        /** A ratio is undefined since a value is zero. */
        ZERO_VALUE,
        /** A ratio is undefined since a value is negative. */
        NEGATIVE_VALUE,
        /** A value is missing (not a finite number). */
        MISSING_VALUE,
        /** There are too many blocks to enumerate. */
        NOT_ENUMERATED,
        /** The interval does not fit the number range. */
        OVERFLOW,
        /** The curve does not cross its target within the measured loads. */
        NOT_BRACKETED
    }
}
