package dev.assay.workload;

import java.util.SplittableRandom;

/** Independent random streams from one seed: the same (seed, stream, index) always gives the same numbers. */
final class Seeds {
    static final long ARRIVALS = 1;
    static final long LENGTHS = 2;
    static final long PROMPTS = 3;
    static final long CLASSES = 4;
    static final long TURNS = 5;
    static final long THINKING = 6;
    static final long PLACE_PAUSES = 7;
    static final long GROUPS = 8;
    static final long PREFIX_LENGTHS = 9;
    static final long PREFIXES = 10;
    static final long BLOCKS = 11;
    static final long PROFILES = 12;

    private Seeds() {}

    /** Mixed twice, because SplittableRandoms whose seeds differ by a multiple of its step share their numbers. */
    static SplittableRandom stream(long seed, long stream, long index) {
        return new SplittableRandom(mix(mix(seed ^ stream * 0x9E3779B97F4A7C15L) + index));
    }

    /** The 64-bit finalizer of MurmurHash3 (A. Appleby, public domain), variant 13 of D. Stafford. */
    private static long mix(long value) {
        long z = value + 0x632BE59BD9B4E019L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
