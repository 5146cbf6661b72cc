package dev.assay.scheduler;

import java.util.Arrays;

/**
 * Finds the page that holds given tokens after a given prefix.
 *
 * <p>Every indexed page has a serial of its own and knows its parent's serial. A lookup compares the parent's serial
 * and all tokens of the page, so the hash only chooses the bucket and a collision cannot give a wrong page.
 */
final class PrefixIndex {
    /** The serial that stands for the empty prefix. */
    static final long ROOT = 1;
    static final int NONE = -1;
    private static final long NOT_INDEXED = 0;

    private final int blockSize;
    private final long hashMask;
    private final long[] serials;
    private final long[] parents;
    private final int[] tokens;
    private final int[] buckets;
    private final int[] nextInBucket;
    private long lastSerial = ROOT;

    /** An index for the pages of a pool; {@code hashMask} narrows the hash so that a test can force collisions. */
    PrefixIndex(int pages, int blockSize, boolean enabled, long hashMask) {
        int size = enabled ? pages : 0;
        this.blockSize = blockSize;
        this.hashMask = hashMask;
        serials = new long[size];
        parents = new long[size];
        tokens = new int[Math.multiplyExact(size, blockSize)];
        nextInBucket = new int[size];
        buckets = new int[Integer.highestOneBit(Math.max(1, size)) * 2];
        Arrays.fill(buckets, NONE);
    }

    boolean contains(int page) {
        return serials.length > 0 && serials[page] != NOT_INDEXED;
    }

    long serial(int page) {
        return serials[page];
    }

    /** The page with {@code source[from, from + blockSize)} after the prefix of that serial, or {@link #NONE}. */
    int find(long parent, int[] source, int from) {
        int page = buckets[bucket(parent, source, from)];
        while (page != NONE && !holds(page, parent, source, from)) {
            page = nextInBucket[page];
        }
        return page;
    }

    /** Indexes a page unless its content is already there; gives the serial of the page that is indexed. */
    long add(int page, long parent, int[] source, int from) {
        int same = find(parent, source, from);
        if (same != NONE) {
            return serials[same];
        }
        int bucket = bucket(parent, source, from);
        System.arraycopy(source, from, tokens, page * blockSize, blockSize);
        parents[page] = parent;
        serials[page] = ++lastSerial;
        nextInBucket[page] = buckets[bucket];
        buckets[bucket] = page;
        return lastSerial;
    }

    void remove(int page) {
        int bucket = bucket(parents[page], tokens, page * blockSize);
        if (buckets[bucket] == page) {
            buckets[bucket] = nextInBucket[page];
        } else {
            int before = buckets[bucket];
            while (nextInBucket[before] != page) {
                before = nextInBucket[before];
            }
            nextInBucket[before] = nextInBucket[page];
        }
        serials[page] = NOT_INDEXED;
    }

    void clear() {
        Arrays.fill(serials, NOT_INDEXED);
        Arrays.fill(buckets, NONE);
    }

    private boolean holds(int page, long parent, int[] source, int from) {
        int start = page * blockSize;
        return parents[page] == parent
                && Arrays.equals(tokens, start, start + blockSize, source, from, from + blockSize);
    }

    private int bucket(long parent, int[] source, int from) {
        long hash = parent;
        for (int i = from; i < from + blockSize; i++) {
            hash = (hash ^ source[i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) (hash & hashMask & (buckets.length - 1));
    }
}
