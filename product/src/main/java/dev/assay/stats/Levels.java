package dev.assay.stats;

/** Checks of arguments that several calculations share. */
final class Levels {
    private Levels() {}

    static void requireShare(String name, double value) {
        if (!(value > 0 && value < 1)) {
            throw new IllegalArgumentException(name + " " + value + ": expected a number in (0, 1)");
        }
    }

    static void requirePositive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " " + value + ": expected a positive finite number");
        }
    }

    static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " " + value + ": expected at least " + least);
        }
    }
}
