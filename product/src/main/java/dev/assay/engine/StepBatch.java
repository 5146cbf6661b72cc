package dev.assay.engine;

import java.util.Arrays;

/**
 * The rows of one step: each is one token of one sequence. Filled anew for each step without allocation; rows of one
 * sequence are consecutive with ascending positions, so that a prefill chunk is many rows of one sequence.
 */
public final class StepBatch {
    private static final int[] NO_PAGES = {};

    private final int[] tokens;
    private final int[] positions;
    private final int[] sequenceOfRow;
    private final boolean[] wantsLogits;
    private final int[][] pageTables;
    private int rowCount;
    private int sequenceCount;

    /** A batch of at most {@code maxRows} rows of at most {@code maxSequences} sequences. */
    public StepBatch(int maxRows, int maxSequences) {
        if (maxRows < 1 || maxSequences < 1) {
            throw new IllegalArgumentException(
                    "maxRows " + maxRows + " and maxSequences " + maxSequences + " must be at least 1");
        }
        tokens = new int[maxRows];
        positions = new int[maxRows];
        sequenceOfRow = new int[maxRows];
        wantsLogits = new boolean[maxRows];
        pageTables = new int[maxSequences][];
        Arrays.fill(pageTables, NO_PAGES);
    }

    /** Removes all rows and sequences. */
    public void clear() {
        Arrays.fill(pageTables, 0, sequenceCount, NO_PAGES);
        rowCount = 0;
        sequenceCount = 0;
    }

    /**
     * Adds a sequence and returns its index. Page {@code pages[i]} holds the tokens from {@code i * pageSize}; the array
     * is read during the step, not copied, and may be longer than needed.
     */
    public int addSequence(int[] pages) {
        pageTables[sequenceCount] = pages;
        return sequenceCount++;
    }

    /** Adds a token of the sequence added last and returns its row. */
    public int addRow(int token, int position, boolean logits) {
        if (sequenceCount == 0) {
            throw new IllegalArgumentException("a row needs a sequence: call addSequence first");
        }
        int row = rowCount;
        if (row > 0 && sequenceOfRow[row - 1] == sequenceCount - 1 && positions[row - 1] + 1 != position) {
            throw new IllegalArgumentException("position " + position + " must follow " + positions[row - 1]);
        }
        tokens[row] = token;
        positions[row] = position;
        sequenceOfRow[row] = sequenceCount - 1;
        wantsLogits[row] = logits;
        rowCount++;
        return row;
    }

    /** Rows added. */
    public int rowCount() {
        return rowCount;
    }

    /** Sequences added. */
    public int sequenceCount() {
        return sequenceCount;
    }

    /** Rows that this batch can hold. */
    public int maxRows() {
        return tokens.length;
    }

    /** The token id of a row. */
    public int token(int row) {
        return tokens[row];
    }

    /** The position of a row in its sequence, from 0. */
    public int position(int row) {
        return positions[row];
    }

    /** The sequence of a row. */
    public int sequence(int row) {
        return sequenceOfRow[row];
    }

    /** Whether a row's logits are computed. */
    public boolean wantsLogits(int row) {
        return wantsLogits[row];
    }

    /** The pages of a sequence, in order of position. */
    public int[] pages(int sequence) {
        return pageTables[sequence];
    }
}
