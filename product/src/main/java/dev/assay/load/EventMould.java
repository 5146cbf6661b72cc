package dev.assay.load;

import dev.assay.load.EventGrammar.Meaning;
import dev.assay.load.EventScanner.Found;
import java.util.Arrays;

/**
 * The shape of the last event that was read in full: its bytes but for the texts and numbers in it. An event whose other
 * bytes are the same has the same structure, so only those texts and numbers have to be read.
 */
final class EventMould {
    /** A number that means nothing. */
    static final int NUMBER = 0;
    static final int ANSWER = 1;
    static final int REASONING = 2;
    private static final int PROMPT = 3;
    private static final int COMPLETION = 4;
    private static final int CACHED = 5;
    private static final int MAX_BYTES = 2048;
    private static final int MAX_VARIABLES = 24;
    private static final int FIRST_BYTES = 320;

    private final int[] kinds = new int[MAX_VARIABLES];
    private final int[] starts = new int[MAX_VARIABLES];
    private final int[] ends = new int[MAX_VARIABLES];
    private final Found base = new Found();
    private byte[] bytes = new byte[0];
    private int size;
    private int variables;
    private int origin;
    private boolean usable;

    static int count(Meaning meaning) {
        return meaning == Meaning.PROMPT ? PROMPT : meaning == Meaning.COMPLETION ? COMPLETION : CACHED;
    }

    /** A full reading begins at {@code from}: what was kept is void. */
    void begin(int from) {
        usable = false;
        variables = 0;
        origin = from;
    }

    /** The full reading found a text or number. */
    void variable(int kind, int start, int end) {
        if (variables < MAX_VARIABLES) {
            kinds[variables] = kind;
            starts[variables] = start - origin;
            ends[variables] = end - origin;
        }
        variables++;
    }

    /** The full reading succeeded: its event becomes the mould, unless it is too large or one of a kind. */
    void keep(byte[] event, int from, int to, Found found) {
        size = to - from;
        if (size > MAX_BYTES || variables > MAX_VARIABLES || found.ends || found.hasError) {
            return;
        }
        if (bytes.length < size) {
            bytes = new byte[Math.max(FIRST_BYTES, size)];
        }
        System.arraycopy(event, from, bytes, 0, size);
        base.copyFrom(found);
        // Texts are what an event shows anew each time.
        base.hasAnswer = found.tools;
        base.hasText = found.tools || found.certain;
        usable = true;
    }

    /** Reads an event of the same shape; false where it has another, and {@code found} is then void. */
    boolean fits(byte[] event, int from, int to, Found found) {
        if (!usable) {
            return false;
        }
        found.copyFrom(base);
        int at = from;
        int done = 0;
        for (int i = 0; i < variables; i++) {
            int fixed = starts[i] - done;
            if (to - at < fixed || !Arrays.equals(event, at, at + fixed, bytes, done, done + fixed)) {
                return false;
            }
            at += fixed;
            done = ends[i];
            at = read(kinds[i], event, at, to, found);
            if (at < 0) {
                return false;
            }
        }
        return to - at == size - done && Arrays.equals(event, at, to, bytes, done, size);
    }

    private static int read(int kind, byte[] event, int from, int to, Found found) {
        if (kind == NUMBER) {
            int end = numberEnd(event, from, to);
            return end > from ? end : -1;
        }
        if (kind != ANSWER && kind != REASONING) {
            return number(kind, event, from, to, found);
        }
        int close = EventScanner.closing(event, from, to);
        if (close >= 0) {
            found.text(kind == ANSWER ? Meaning.ANSWER : Meaning.REASONING, from, close - from);
        }
        return close;
    }

    private static int number(int kind, byte[] event, int from, int to, Found found) {
        int at = from;
        long value = 0;
        while (at < to && event[at] >= '0' && event[at] <= '9' && at - from < 18) {
            value = value * 10 + event[at++] - '0';
        }
        if (at == from) {
            return -1;
        }
        switch (kind) {
            case PROMPT -> found.promptTokens = value;
            case COMPLETION -> found.completionTokens = value;
            default -> found.cachedTokens = value;
        }
        return at;
    }

    /** Behind the characters of a number. */
    static int numberEnd(byte[] json, int from, int to) {
        int at = from;
        while (at < to) {
            byte c = json[at];
            if (c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E') {
                at++;
            } else {
                break;
            }
        }
        return at;
    }
}
