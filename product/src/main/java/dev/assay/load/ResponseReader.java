package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.load.EventScanner.Found;
import dev.assay.workload.FailureClass;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the HTTP/1.1 responses of one connection and records their events in the current {@link Exchange}.
 *
 * <p>The rules by which events become token arrivals are those of docs/metrics.md.
 */
final class ResponseReader implements SseReader.Sink {
    private static final int HEAD_LIMIT = 64 << 10;
    private static final int BODY_LIMIT = 4 << 10;
    private static final int DETAIL_LIMIT = 200;
    private static final int CHUNK_DIGITS = 8;
    private static final int SHOWN = 40;
    private static final int TEXT_LIMIT = 16 << 20;
    /** What a server may send behind the end of an answer before its connection is given up. */
    private static final int SURPLUS_LIMIT = 64 << 10;

    private enum State {
        HEAD, LENGTH, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, UNTIL_CLOSE, END
    }

    private final boolean keepAlways;
    private boolean keepText;
    private final Target.Api api;
    private final EventScanner scanner;
    private final Found found;
    private final SseReader sse = new SseReader(this);
    private final Bytes line = new Bytes();
    private final Bytes body = new Bytes();
    private State state = State.HEAD;
    private long left;
    private int headBytes;
    private final ResponseHead head = new ResponseHead();
    private boolean stream;
    private long surplus;
    private boolean unasked;
    private @Nullable Exchange exchange;
    private boolean done;
    private @Nullable FailureClass failure;
    private String detail = "";

    ResponseReader(Target.Api api, boolean keepText) {
        this.api = api;
        this.keepAlways = keepText;
        this.scanner = new EventScanner(api.grammar());
        this.found = scanner.found;
    }

    void begin(Exchange next) {
        exchange = next;
        // The turns after this one will quote its answer.
        keepText = keepAlways || next.request.turn().isPresent();
        state = State.HEAD;
        line.clear();
        clearHead();
        done = false;
        failure = null;
        detail = "";
        surplus = 0;
        unasked = false;
    }

    private void clearHead() {
        head.clear();
        headBytes = 0;
        stream = false;
        body.clear();
        sse.reset();
    }

    /** Whether the outcome is known: the terminator came, or a failure. */
    boolean concluded() {
        return done || failure != null;
    }

    /** Whether the connection can take another request. */
    boolean reusable() {
        return state == State.END && head.keepAlive && !unasked;
    }

    /** Whether the connection is to be closed: it failed, it sends what nobody asked for, or it is announced to end. */
    boolean unusable() {
        return failure != null || unasked || surplus > SURPLUS_LIMIT || state == State.END && !head.keepAlive;
    }

    @Nullable
    FailureClass failure() {
        return failure;
    }

    String detail() {
        return detail;
    }

    /** The class of a request whose time limit passed in this state. */
    void timeOut(String text) {
        if (head.status >= 400) {
            failStatus();
        } else {
            fail(FailureClass.TIMEOUT, text);
        }
    }

    void fail(FailureClass kind, String text) {
        if (!concluded()) {
            failure = kind;
            detail = text;
        }
    }

    /** Reads what arrived at {@code now}. */
    void feed(byte[] bytes, int from, int to, long now) {
        int at = from;
        if (done) {
            surplus += to - from;
        }
        while (at < to && state != State.END && failure == null) {
            switch (state) {
                case HEAD, CHUNK_SIZE, CHUNK_END, TRAILER -> at = line(bytes, at, to, now);
                case LENGTH, CHUNK_DATA -> {
                    int take = (int) Math.min(left, to - at);
                    left -= take;
                    content(bytes, at, at + take, now);
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
                    content(bytes, at, to, now);
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
            case HEAD, LENGTH, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER -> {
                if (head.status >= 400) {
                    failStatus();
                }
                fail(FailureClass.RESET, headBytes == 0 && state == State.HEAD
                        ? "connection closed before the response"
                        : "connection closed within the response");
            }
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
            int read = headBytes;
            clearHead();
            headBytes = read;
            return;
        }
        Exchange current = exchange;
        if (current != null && current.headersNanos < 0) {
            current.headersNanos = now;
        }
        stream = head.status < 300 && head.eventStream;
        if (!head.encoding.isEmpty()) {
            fail(FailureClass.MALFORMED, "Content-Encoding " + head.encoding + ", which was not asked for");
        } else if (head.status == 204 || head.status == 304) {
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

    private void content(byte[] bytes, int from, int to, long now) {
        if (done) {
            return;
        }
        if (!stream) {
            body.append(bytes, from, Math.min(to - from, Math.max(0, BODY_LIMIT - body.length)));
        } else if (sse.feed(bytes, from, to, now) && sse.tooLarge()) {
            fail(FailureClass.MALFORMED, "an event of more than 8 MiB");
        }
    }

    private void end(long now) {
        state = State.END;
        if (head.status >= 400) {
            failStatus();
        } else if (head.status >= 300) {
            fail(FailureClass.MALFORMED, "HTTP " + head.status + ", a redirect, is not followed");
        } else if (!stream) {
            fail(FailureClass.MALFORMED,
                    "content type '" + head.contentType + "'; expected text/event-stream: "
                            + body.line(DETAIL_LIMIT));
        } else {
            sse.end(now);
            fail(FailureClass.TRUNCATED, "the stream ended without " + api.ending());
        }
    }

    private void failStatus() {
        String text = body.line(DETAIL_LIMIT);
        fail(head.status < 500 ? FailureClass.HTTP_4XX : FailureClass.HTTP_5XX,
                "HTTP " + head.status + (text.isEmpty() ? "" : ": " + text));
    }

    @Override
    public boolean event(byte[] data, int from, int size, boolean error, long now) {
        Exchange current = exchange;
        if (current == null || concluded()) {
            return false;
        }
        if (SseReader.isDone(data, from, size)) {
            finish(current);
            return false;
        }
        String kept = "";
        if (!scanner.scan(data, from, from + size)) {
            EventReader.Reading reading = EventReader.read(data, from, size, api.grammar(), found);
            if (!reading.read() && !error) {
                fail(FailureClass.MALFORMED, "an event that is no JSON object: " + preview(data, from, size));
                return false;
            }
            kept = reading.text();
        } else if (keepText && found.textLength > 0) {
            kept = unescaped(data, found.textStart, found.textLength);
        }
        if (error || found.hasError) {
            fail(FailureClass.ERROR_EVENT, preview(data, from, size));
            return false;
        }
        tokens(current, now);
        if (keepText && !kept.isEmpty() && !found.special) {
            keep(current, kept);
        }
        if (current.endless()) {
            fail(FailureClass.MALFORMED, "the stream goes on past " + current.events() + " events");
        } else if (found.ends) {
            finish(current);
        }
        return !concluded();
    }

    private void keep(Exchange current, String text) {
        StringBuilder all = current.text;
        if (api.cumulative() && text.startsWith(all.toString())) {
            all.setLength(0);
        }
        all.append(text);
        if (all.length() > TEXT_LIMIT) {
            fail(FailureClass.MALFORMED, "an answer of more than 16 Mi characters");
        }
    }

    private String unescaped(byte[] data, int from, int length) {
        String escaped = new String(data, from, length, StandardCharsets.UTF_8);
        if (escaped.indexOf('\\') < 0) {
            return escaped;
        }
        try {
            return Json.parse('"' + escaped + '"', "event").asText();
        } catch (AssayException e) {
            fail(FailureClass.MALFORMED, "a text that is no JSON string: " + Bytes.line(data, from, length,
                    DETAIL_LIMIT));
            return "";
        }
    }

    private void tokens(Exchange current, long now) {
        long total = found.completionTokens;
        if (found.promptTokens >= 0) {
            current.promptTokens = found.promptTokens;
        }
        if (found.cachedTokens >= 0) {
            current.cachedTokens = found.cachedTokens;
        }
        if (total >= 0) {
            current.usageTokens = total;
        }
        if (!found.mayCarry) {
            return;
        }
        if (found.hasAnswer && !found.special && current.firstAnswerNanos < 0) {
            current.firstAnswerNanos = now;
        }
        // Usage that first shows up behind plain events is the final one, not a running count.
        if (total > 0 && (current.continuous || current.events() == 0)) {
            current.continuous = true;
            if (total > current.countedTokens) {
                current.content(now, (int) Math.min(total - current.countedTokens, Integer.MAX_VALUE));
                current.countedTokens = total;
            }
        } else if (found.hasText) {
            current.content(now, 1);
            current.countedTokens++;
        }
    }

    private void finish(Exchange current) {
        if (current.events() == 0) {
            fail(FailureClass.EMPTY, current.usageTokens > 0
                    ? "no event carried a token, though the usage counts " + current.usageTokens
                    : "the response holds no token");
        } else {
            done = true;
        }
    }

    private static String preview(byte[] data, int from, int size) {
        return Bytes.line(data, from, size, DETAIL_LIMIT);
    }
}
