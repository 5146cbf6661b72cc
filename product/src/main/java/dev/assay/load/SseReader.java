package dev.assay.load;

/**
 * Splits a stream into Server-Sent Events by the WHATWG standard: lines end in LF, CR or CRLF, comments and unknown
 * fields are skipped, several data lines of an event are joined by LF, and the input may be cut anywhere.
 *
 * <p>An event whose only data line lies whole in the bytes fed is handed on where it lies; only cut or joined ones are
 * copied.
 */
final class SseReader {
    /** What receives the events. */
    interface Sink {
        /** One event with data; {@code error} where its type is {@code error}. False to read no further. */
        boolean event(byte[] data, int from, int length, boolean error, long now);
    }

    /** An event or line beyond this is a fault of the server. */
    static final int LIMIT = 8 << 20;

    private static final byte[] DATA = {'d', 'a', 't', 'a'};
    private static final byte[] EVENT = {'e', 'v', 'e', 'n', 't'};

    private final Sink sink;
    private final Bytes carry = new Bytes();
    private final Bytes data = new Bytes();
    /** The first data line of the event at hand, where it still lies in the bytes being fed. */
    private int sliceFrom;
    private int sliceTo;
    private boolean sliced;
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
        sliced = false;
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
        if (afterCr && start < to) {
            afterCr = false;
            start += bytes[start] == '\n' ? 1 : 0;
        }
        while (start < to) {
            int end = Bytes.lineEnd(bytes, start, to);
            if (end == to) {
                break;
            }
            boolean more = carry.length == 0 ? line(bytes, start, end, now) : carried(bytes, start, end, now);
            start = end + 1;
            if (bytes[end] == '\r') {
                if (start == to) {
                    afterCr = true;
                } else if (bytes[start] == '\n') {
                    start++;
                }
            }
            if (!more) {
                return false;
            }
        }
        keep(bytes);
        carry.append(bytes, start, to - start);
        return true;
    }

    private boolean carried(byte[] bytes, int start, int end, long now) {
        carry.append(bytes, start, end - start);
        boolean more = line(carry.array, 0, carry.length, now);
        keep(carry.array);
        carry.clear();
        return more;
    }

    /** Copies the data line that lies in bytes which the next call will not see. */
    private void keep(byte[] bytes) {
        if (sliced) {
            sliced = false;
            data.append(bytes, sliceFrom, sliceTo - sliceFrom);
        }
    }

    /** Ends the stream: a terminator whose blank line is missing still counts, any other unfinished event does not. */
    void end(long now) {
        if (carry.length > 0) {
            line(carry.array, 0, carry.length, now);
            keep(carry.array);
        }
        if (hasData && isDone(data.array, 0, data.length)) {
            line(data.array, 0, 0, now);
        }
    }

    static boolean isDone(byte[] b, int from, int length) {
        return length == 6 && b[from] == '[' && b[from + 1] == 'D' && b[from + 2] == 'O' && b[from + 3] == 'N'
                && b[from + 4] == 'E' && b[from + 5] == ']';
    }

    private boolean line(byte[] b, int from, int to, long now) {
        int start = first ? afterBom(b, from, to) : from;
        if (start == to) {
            return dispatch(b, now);
        }
        if (named(b, start, to, DATA)) {
            int value = value(b, start + DATA.length, to);
            if (hasData) {
                keep(b);
                data.append((byte) '\n');
                data.append(b, value, to - value);
            } else {
                hasData = true;
                sliced = true;
                sliceFrom = value;
                sliceTo = to;
            }
        } else if (named(b, start, to, EVENT)) {
            int value = value(b, start + EVENT.length, to);
            error = to - value == 5 && b[value] == 'e' && b[value + 1] == 'r' && b[value + 2] == 'r'
                    && b[value + 3] == 'o' && b[value + 4] == 'r';
        }
        return true;
    }

    private boolean dispatch(byte[] b, long now) {
        boolean more = !hasData || (sliced
                ? sink.event(b, sliceFrom, sliceTo - sliceFrom, error, now)
                : sink.event(data.array, 0, data.length, error, now));
        data.clear();
        sliced = false;
        hasData = false;
        error = false;
        return more;
    }

    private int afterBom(byte[] b, int from, int to) {
        first = false;
        boolean mark = to - from >= 3 && b[from] == (byte) 0xEF && b[from + 1] == (byte) 0xBB
                && b[from + 2] == (byte) 0xBF;
        return mark ? from + 3 : from;
    }

    /** Whether the field's name is {@code name}: the name alone, or the name and a colon. */
    private static boolean named(byte[] b, int from, int to, byte[] name) {
        int n = name.length;
        if (to - from < n || to - from > n && b[from + n] != ':') {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (b[from + i] != name[i]) {
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
