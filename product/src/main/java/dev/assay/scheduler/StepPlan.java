package dev.assay.scheduler;

import java.util.ArrayList;
import java.util.List;

/**
 * What one step computes: for each chosen sequence, how many of its next tokens. Decodes come first, then chunks of
 * running prefills, then admissions. One instance is reused: it is valid until the scheduler's next plan.
 */
public final class StepPlan {
    private final List<Sequence> sequences;
    private final int[] counts;
    private int decodeRows;
    private int prefillTokens;
    int admissions;
    int preemptions;

    StepPlan(int maxSequences) {
        sequences = new ArrayList<>(maxSequences);
        counts = new int[maxSequences];
    }

    void clear() {
        sequences.clear();
        decodeRows = 0;
        prefillTokens = 0;
        admissions = 0;
        preemptions = 0;
    }

    void addDecode(Sequence sequence) {
        counts[sequences.size()] = 1;
        sequences.add(sequence);
        decodeRows++;
    }

    void addPrefill(Sequence sequence, int count) {
        counts[sequences.size()] = count;
        sequences.add(sequence);
        prefillTokens += count;
    }

    /** Chosen sequences. */
    public int size() {
        return sequences.size();
    }

    /** Whether there is nothing to compute: no sequence runs and none waits. */
    public boolean isEmpty() {
        return sequences.isEmpty();
    }

    /** The chosen sequence at an index below {@link #size()}. */
    public Sequence sequence(int index) {
        return sequences.get(index);
    }

    /** How many tokens of it to compute; the first is at position {@link Sequence#computed()}. */
    public int count(int index) {
        return counts[index];
    }

    /** Whether its last computed token is its last known one, so that the step gives it a new token. */
    public boolean produces(int index) {
        Sequence sequence = sequences.get(index);
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
