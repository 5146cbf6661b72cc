package dev.assay.scheduler;

import java.util.Objects;

/**
 * What one step computes: for each chosen sequence, how many of its next tokens. Decodes come first, then chunks of
 * running prefills, then admissions. One instance is reused: it is valid until the scheduler's next plan.
 */
public final class StepPlan {
    private final Sequence[] sequences;
    private int size;
    private final int[] counts;
    private int decodeRows;
    private int prefillTokens;
    int admissions;
    int preemptions;

    StepPlan(int maxSequences) {
        sequences = new Sequence[maxSequences];
        counts = new int[maxSequences];
    }

    void clear() {
        size = 0;
        decodeRows = 0;
        prefillTokens = 0;
        admissions = 0;
        preemptions = 0;
    }

    void addDecode(Sequence sequence) {
        counts[size] = 1;
        sequences[size++] = sequence;
        decodeRows++;
    }

    void addPrefill(Sequence sequence, int count) {
        counts[size] = count;
        sequences[size++] = sequence;
        prefillTokens += count;
    }

    /** Chosen sequences. */
    public int size() {
        return size;
    }

    /** Whether there is nothing to compute: no sequence runs and none waits. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The chosen sequence at an index below {@link #size()}. */
    public Sequence sequence(int index) {
        return sequences[Objects.checkIndex(index, size)];
    }

    /** How many tokens of it to compute; the first is at position {@link Sequence#computed()}. */
    public int count(int index) {
        return counts[index];
    }

    /** Whether its last computed token is its last known one, so that the step gives it a new token. */
    public boolean produces(int index) {
        Sequence sequence = sequences[index];
        return sequence.computed + counts[index] == sequence.length();
    }

    /** Sequences that decode in this step. */
    public int decodeRows() {
        return decodeRows;
    }

    /** Tokens of prompts (and of preempted sequences) computed in this step. */
    public int prefillTokens() {
        return prefillTokens;
    }

    /** All tokens computed in this step. */
    public int tokens() {
        return decodeRows + prefillTokens;
    }

    /** Sequences admitted in this step. */
    public int admissions() {
        return admissions;
    }

    /** Sequences that lost their pages in this step. */
    public int preemptions() {
        return preemptions;
    }
}
