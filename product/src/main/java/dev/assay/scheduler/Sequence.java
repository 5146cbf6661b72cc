package dev.assay.scheduler;

import java.util.Arrays;

/**
 * One request inside the scheduler: its lengths, its progress and its page table. Only the {@link Scheduler} changes it.
 * It may carry its tokens (the engine, prefix caching) or lengths alone (a replay of a trace).
 */
public final class Sequence {
    private static final int[] NO_TOKENS = {};

    /** Where a sequence is on its way. */
    public enum State {
        /** In the queue, or not submitted yet. */
        WAITING,
        /** Running; tokens before its next output are still to be computed. */
        PREFILL,
        /** Running; each step computes one token and gives the next. */
        DECODE,
        /** Finished or cancelled; it holds no page. */
        DONE
    }

    private final long id;
    private final int promptLength;
    private final int maxOutputTokens;
    private final boolean hasTokens;
    private int[] tokens;
    boolean submitted;
    int[] pages = NO_TOKENS;
    int pageCount;
    int computed;
    int generated;
    State state = State.WAITING;
    int preemptions;
    int hitTokens;
    /** Pages of this sequence that went through the prefix index, and the serial of the last of them. */
    int indexedPages;
    long chainSerial = PrefixIndex.ROOT;

    private Sequence(long id, int promptLength, int maxOutputTokens, int[] tokens, boolean hasTokens) {
        if (promptLength < 1) {
            throw new IllegalArgumentException("a prompt must have at least 1 token, had " + promptLength);
        }
        if (maxOutputTokens < 1) {
            throw new IllegalArgumentException("max_tokens must be at least 1, was " + maxOutputTokens);
        }
        this.id = id;
        this.promptLength = promptLength;
        this.maxOutputTokens = maxOutputTokens;
        this.tokens = tokens;
        this.hasTokens = hasTokens;
    }

    /** A sequence known by its lengths alone. */
    public static Sequence ofLength(long id, int promptLength, int maxOutputTokens) {
        return new Sequence(id, promptLength, maxOutputTokens, NO_TOKENS, false);
    }

    /** A sequence with its prompt's tokens, which are copied. */
    public static Sequence ofTokens(long id, int[] prompt, int maxOutputTokens) {
        return new Sequence(id, prompt.length, maxOutputTokens, prompt.clone(), true);
    }

    /** The caller's name for it. */
    public long id() {
        return id;
    }

    /** Tokens of the prompt. */
    public int promptLength() {
        return promptLength;
    }

    /** The most tokens it may generate. */
    public int maxOutputTokens() {
        return maxOutputTokens;
    }

    /** Tokens generated up to now. */
    public int generated() {
        return generated;
    }

    /** Tokens known: prompt and generated. */
    public int length() {
        return promptLength + generated;
    }

    /** Tokens whose keys and values are in its pages. */
    public int computed() {
        return computed;
    }

    /** Whether it has generated all that it may. */
    public boolean exhausted() {
        return generated >= maxOutputTokens;
    }

    /** Where it is on its way. */
    public State state() {
        return state;
    }

    /** How often it lost its pages. */
    public int preemptions() {
        return preemptions;
    }

    /** Prompt tokens that its first admission found in the prefix cache. */
    public int hitTokens() {
        return hitTokens;
    }

    /** Whether it carries its tokens. */
    public boolean hasTokens() {
        return hasTokens;
    }

    /** The token at a position below {@link #length()}. */
    public int token(int position) {
        if (!hasTokens || position < 0 || position >= length()) {
            throw new IllegalArgumentException("no token at position " + position + " of sequence " + id);
        }
        return tokens[position];
    }

    /**
     * Its page table itself, not a copy: the first {@link #pageCount()} entries are valid until the next plan. Empty
     * under {@link Scheduler#withoutTables}.
     */
    public int[] pageTable() {
        return pages;
    }

    /** Valid entries of its page table. */
    public int pageCount() {
        return pageCount;
    }

    /** What stands for a generated token that is not known: the prompt's last one again. */
    int guessedToken() {
        return hasTokens ? tokens[promptLength - 1] : 0;
    }

    /** The array that backs {@link #token(int)}; longer than {@link #length()} at times. */
    int[] rawTokens() {
        return tokens;
    }

    /** The same token some times. */
    void append(int token, int count) {
        if (!hasTokens) {
            generated += count;
            return;
        }
        for (int i = 0; i < count; i++) {
            append(token);
        }
    }

    void append(int token) {
        if (hasTokens) {
            int length = length();
            if (length == tokens.length) {
                tokens = Arrays.copyOf(tokens, Math.max(16, length + (length >> 1)));
            }
            tokens[length] = token;
        }
        generated++;
    }
}
