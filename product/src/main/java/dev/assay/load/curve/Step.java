package dev.assay.load.curve;

/** What a search wants next. */
public sealed interface Step {
    /** Why a slot is asked for. */
    enum Purpose {
        /** Finds loads on either side of the limit. */
        BRACKET,
        /** Settles an end of the bracket. */
        CONFIRM,
        /** Repeats a slot that was not valid. */
        REPEAT
    }

    /** One more slot. */
    record Ask(double load, int requests, Purpose purpose) implements Step {}

    /** No more. */
    record Done(Found found) implements Step {}
}
