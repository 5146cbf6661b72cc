package dev.assay.forecast;

/**
 * Exact arithmetic of a paged KV cache: tail waste and what a change of the page size saves.
 *
 * <p>Waste is counted in token slots that are allocated and empty. "Residence-weighted" sums it over every step in
 * which the sequence is resident, which is what a pool feels. Formulas: {@code w_B(n) = (-n) mod B};
 * {@code S(n) = sum of w_B(i) for i < n}; {@code W(p, o) = S(p + o) - S(p)}.
 */
public final class PageArithmetic {
    private PageArithmetic() {}

    /** Pages of {@code blockSize} tokens that hold {@code tokens}. */
    public static long pages(long tokens, int blockSize) {
        return Math.ceilDiv(nonNegative("tokens", tokens), positive(blockSize));
    }

    /** Empty token slots in the last page of a sequence of {@code tokens}. */
    public static long tailWaste(long tokens, int blockSize) {
        return Math.floorMod(-nonNegative("tokens", tokens), (long) positive(blockSize));
    }

    /** Sum of {@link #tailWaste} over the lengths 0 to {@code tokens} - 1. */
    public static long cumulativeWaste(long tokens, int blockSize) {
        long b = positive(blockSize);
        long q = nonNegative("tokens", tokens) / b;
        long r = tokens % b;
        long whole = Math.multiplyExact(q, b * (b - 1) / 2);
        // (r - 1)(B - r/2) is a whole number, since (r - 1)(2B - r) is even for every r.
        return r == 0 ? whole : whole + (r - 1) * (2 * b - r) / 2;
    }

    /** Slot-steps wasted while a prompt of {@code promptTokens} generates {@code outputTokens}. */
    public static long residenceWaste(long promptTokens, long outputTokens, int blockSize) {
        return cumulativeWaste(Math.addExact(promptTokens, nonNegative("outputTokens", outputTokens)),
                blockSize)
                - cumulativeWaste(promptTokens, blockSize);
    }

    /** Token slots saved at {@code tokens} by halving an even page size: 0 or half a page, never less than 0. */
    public static long halvingSaves(long tokens, int blockSize) {
        if (positive(blockSize) % 2 != 0) {
            throw new IllegalArgumentException("block_size is " + blockSize + "; expected an even number");
        }
        return tailWaste(tokens, blockSize) - tailWaste(tokens, blockSize / 2);
    }

    /** Bytes of the page tables: a 32-bit entry for each page of each sequence's longest length. */
    public static long pageTableBytes(int maxNumSeqs, long longestTokens, int blockSize) {
        return 4L * maxNumSeqs * pages(longestTokens, blockSize);
    }

    private static int positive(int blockSize) {
        if (blockSize < 1) {
            throw new IllegalArgumentException("block_size is " + blockSize + "; expected at least 1");
        }
        return blockSize;
    }

    private static long nonNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value + "; expected 0 or more");
        }
        return value;
    }
}
