package dev.assay.workload;

import java.util.Arrays;

/** The block hashes of a prompt in a trace: two prompts share a prefix as far as their leading numbers are equal. */
public final class HashIds {
    /** No block. */
    public static final HashIds NONE = new HashIds(new int[0]);

    private final int[] ids;

    /** These numbers in their order. */
    public HashIds(int... ids) {
        this.ids = ids.clone();
    }

    /** How many blocks there are. */
    public int size() {
        return ids.length;
    }

    /** The number of a block. */
    public int get(int block) {
        return ids[block];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HashIds h && Arrays.equals(ids, h.ids);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ids);
    }

    @Override
    public String toString() {
        return Arrays.toString(ids);
    }
}
