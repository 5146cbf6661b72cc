package dev.assay.model;

/** Checks of numbers in model files. */
final class Bounds {
    private Bounds() {}

    static void atLeast(String field, long value, long bound) {
        if (value < bound) {
            throw new IllegalArgumentException(field + " is " + value + "; expected at least " + bound);
        }
    }
}
