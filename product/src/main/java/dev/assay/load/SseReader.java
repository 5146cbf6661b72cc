package dev.assay.load;

/**
 * Splits a stream into Server-Sent Events by the WHATWG standard: lines end in LF, CR or CRLF, comments and unknown
 * fields are skipped, several data lines of an event are joined by LF, and the input may be cut anywhere.
 */
final class SseReader {
    /** What receives the events. */
    interface Sink {
        /** One event with data; {@code error} where its type is {@code error}. False to read no further. */
        boolean event(byte[] data, int length, boolean error, long now);
    }

    /** An event or line beyond this is a fault of the server. */
    static final int LIMIT = 8 << 20;

    private final Sink sink;
    private final Bytes carry = new Bytes();
    private final Bytes data = new Bytes();
    private boolean hasData;
    private boolean error;
    private boolean afterCr;
    private boolean first;

    SseReader(Sink sink) {
        this.sink = sink;
        reset();
    }

    void reset() {
        carry.clear();
        data.clear();
        hasData = false;
        error = false;
        afterCr = false;
        first = true;
    }

    /** Whether what is kept of an unfinished event is too large. */
    boolean tooLarge() {
        return carry.length > LIMIT || data.length > LIMIT;
    }

    /** Reads a part of the stream; false where the sink wants no more. */
    boolean feed(byte[] bytes, int from, int to, long now) {
        int start = from;
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c != '\n' && c != '\r') {
                afterCr = false;
                continue;
            }
            if (c == '\n' && afterCr) {
                afterCr = false;
                start = i + 1;
                continue;
            }
            afterCr = c == '\r';
            boolean more;
            if (carry.length == 0) {
                more = line(bytes, start, i, now);
            } else {
                carry.append(bytes, start, i - start);
                more = line(carry.array, 0, carry.length, now);
                carry.clear();
            }
            start = i + 1;
            if (!more) {
                return false;
            }
        }
        carry.append(bytes, start, to - start);
        return true;
    }

    /** Ends the stream: a terminator whose blank line is missing still counts, any other unfinished event does not. */
    void end(long now) {
        if (carry.length > 0) {
            line(carry.array, 0, carry.length, now);
        }
        if (hasData && isDone(data.array, data.length)) {
            line(data.array, 0, 0, now);
        }
    }

    static boolean isDone(byte[] data, int length) {
        return length == 6 && data[0] == '[' && data[1] == 'D' && data[2] == 'O' && data[3] == 'N'
                && data[4] == 'E'
                && data[5] == ']';
    }

    private boolean line(byte[] b, int from, int to, long now) {
        int start = from;
        if (first) {
            first = false;
            if (to - start >= 3 && b[start] == (byte) 0xEF && b[start + 1] == (byte) 0xBB
                    && b[start + 2] == (byte) 0xBF) {
                start += 3;
            }
        }
        if (start == to) {
            boolean more = !hasData || sink.event(data.array, data.length, error, now);
            data.clear();
            hasData = false;
            error = false;
            return more;
        }
        if (startsWith(b, start, to, "data")) {
            if (hasData) {
                data.append((byte) '\n');
            }
            int value = value(b, start + 4, to);
            data.append(b, value, to - value);
            hasData = true;
        } else if (startsWith(b, start, to, "event")) {
            int value = value(b, start + 5, to);
            error = to - value == 5 && b[value] == 'e' && b[value + 1] == 'r' && b[value + 2] == 'r'
                    && b[value + 3] == 'o' && b[value + 4] == 'r';
        }
        return true;
    }

    /** Whether the field's name is {@code name}: the name alone, or the name and a colon. */
    private static boolean startsWith(byte[] b, int from, int to, String name) {
        int n = name.length();
        if (to - from < n || to - from > n && b[from + n] != ':') {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (b[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Where the value begins: behind the colon and one space. */
    private static int value(byte[] b, int colon, int to) {
        int at = Math.min(colon + 1, to);
        return at < to && b[at] == ' ' ? at + 1 : at;
    }
}
