package dev.assay.load;

import dev.assay.workload.FailureClass;
import org.jspecify.annotations.Nullable;

/** Reads the HTTP/1.1 responses of one connection and records their events in the current {@link Exchange}. */
final class ResponseReader {
    private static final int HEAD_LIMIT = 64 << 10;
    private static final int CHUNK_DIGITS = 8;
    private static final int SHOWN = 40;
    /** What a server may send behind the end of an answer before its connection is given up. */
    private static final int SURPLUS_LIMIT = 64 << 10;

    private enum State {
        HEAD, LENGTH, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, UNTIL_CLOSE, END
    }

    private final AnswerReader answer;
    private final ResponseHead head;
    private final Bytes line = new Bytes();
    private State state = State.HEAD;
    private long left;
    private int headBytes;
    private long surplus;
    private boolean unasked;

    ResponseReader(Target.Api api, boolean keepText) {
        answer = new AnswerReader(api, keepText);
        head = answer.head;
    }

    void begin(Exchange next) {
        answer.begin(next);
        headBytes = 0;
        state = State.HEAD;
        line.clear();
        surplus = 0;
        unasked = false;
    }

    /** Whether the outcome is known: the terminator came, or a failure. */
    boolean concluded() {
        return answer.concluded();
    }

    /** Whether the connection can take another request. */
    boolean reusable() {
        return state == State.END && head.keepAlive && !unasked;
    }

    /** Whether the connection is to be closed: it failed, it sends what nobody asked for, or it is announced to end. */
    boolean unusable() {
        return answer.failure() != null || unasked || surplus > SURPLUS_LIMIT
                || state == State.END && !head.keepAlive;
    }

    @Nullable
    FailureClass failure() {
        return answer.failure();
    }

    String detail() {
        return answer.detail();
    }

    /** The class of a request whose time limit passed in this state. */
    void timeOut(String text) {
        answer.timeOut(text);
    }

    void fail(FailureClass kind, String text) {
        answer.fail(kind, text);
    }

    /** Reads what arrived at {@code now}. */
    void feed(byte[] bytes, int from, int to, long now) {
        int at = from;
        if (answer.done()) {
            surplus += to - from;
        }
        while (at < to && state != State.END && answer.failure() == null) {
            switch (state) {
                case HEAD, CHUNK_SIZE, CHUNK_END, TRAILER -> at = line(bytes, at, to, now);
                case LENGTH, CHUNK_DATA -> {
                    int take = (int) Math.min(left, to - at);
                    left -= take;
                    answer.content(bytes, at, at + take, now);
                    at += take;
                    if (left == 0) {
                        if (state == State.LENGTH) {
                            end(now);
                        } else {
                            state = State.CHUNK_END;
                        }
                    }
                }
                case UNTIL_CLOSE -> {
                    answer.content(bytes, at, to, now);
                    at = to;
                }
                case END -> {
                }
            }
        }
        unasked |= at < to && state == State.END;
    }

    /** The server closed the connection. */
    void closed(long now) {
        switch (state) {
            case UNTIL_CLOSE -> end(now);
            case END -> {
            }
            case HEAD, LENGTH, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER ->
                answer.lost(headBytes == 0 && state == State.HEAD
                        ? "connection closed before the response"
                        : "connection closed within the response");
        }
        head.keepAlive = false;
    }

    /** Takes bytes up to a line's end; returns where it stopped. */
    private int line(byte[] bytes, int from, int to, long now) {
        int i = from;
        while (i < to && bytes[i] != '\n') {
            i++;
        }
        headBytes += i - from + 1;
        if (i < to && line.length == 0) {
            line(bytes, from, i > from && bytes[i - 1] == '\r' ? i - 1 : i, now, state);
            return i + 1;
        }
        line.append(bytes, from, i - from);
        if (line.length > HEAD_LIMIT) {
            fail(FailureClass.MALFORMED, "a header or chunk line of more than 64 KiB");
        }
        if (i == to) {
            return to;
        }
        int end = line.length > 0 && line.array[line.length - 1] == '\r' ? line.length - 1 : line.length;
        line(line.array, 0, end, now, state);
        line.clear();
        return i + 1;
    }

    private void line(byte[] bytes, int from, int to, long now, State at) {
        switch (at) {
            case HEAD -> headLine(bytes, from, to, now);
            case CHUNK_SIZE -> chunkSize(bytes, from, to);
            case CHUNK_END -> {
                if (from != to) {
                    fail(FailureClass.MALFORMED, "a chunk longer than its size");
                }
                state = State.CHUNK_SIZE;
            }
            case TRAILER -> {
                if (from == to) {
                    end(now);
                }
            }
            case LENGTH, CHUNK_DATA, UNTIL_CLOSE, END -> throw new IllegalStateException("no lines in " + at);
        }
    }

    private void headLine(byte[] bytes, int from, int to, long now) {
        if (headBytes > HEAD_LIMIT) {
            fail(FailureClass.MALFORMED, "headers of more than 64 KiB");
        } else if (from == to && head.status >= 0) {
            headEnd(now);
        } else {
            String wrong = head.line(bytes, from, to);
            if (!wrong.isEmpty()) {
                fail(FailureClass.MALFORMED, wrong);
            }
        }
    }

    private void headEnd(long now) {
        if (head.status < 200) {
            answer.clearHead();
            return;
        }
        answer.headEnd(now);
        if (head.encoding.isEmpty() && (head.status == 204 || head.status == 304)) {
            head.length = 0;
        }
        if (head.chunked) {
            state = State.CHUNK_SIZE;
        } else if (head.length >= 0) {
            state = State.LENGTH;
            left = head.length;
            if (left == 0) {
                end(now);
            }
        } else {
            state = State.UNTIL_CLOSE;
        }
    }

    private void chunkSize(byte[] bytes, int from, int to) {
        long size = 0;
        int i = from;
        while (i < to && i < from + CHUNK_DIGITS) {
            int digit = hex(bytes[i]);
            if (digit < 0) {
                break;
            }
            size = size * 16 + digit;
            i++;
        }
        if (i == from || i < to && bytes[i] != ';' && bytes[i] != ' ') {
            fail(FailureClass.MALFORMED, "chunk size '" + Bytes.line(bytes, from, to - from, SHOWN) + "'");
            return;
        }
        left = size;
        state = size == 0 ? State.TRAILER : State.CHUNK_DATA;
    }

    private static int hex(byte c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    private void end(long now) {
        state = State.END;
        answer.end(now);
    }
}
