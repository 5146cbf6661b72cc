package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.workload.FailureClass;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the HTTP/1.1 responses of one connection and records their events in the current {@link Exchange}.
 *
 * <p>A token arrival is an event whose running usage grew, or, where the server gives no running usage, an event with
 * text (content, reasoning or tool call). A role-only delta and a chunk that holds only usage are none.
 */
final class ResponseReader implements SseReader.Sink {
    private static final int HEAD_LIMIT = 64 << 10;
    private static final int BODY_LIMIT = 4 << 10;
    private static final int DETAIL_LIMIT = 200;

    private enum State {
        HEAD, LENGTH, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, UNTIL_CLOSE, END
    }

    private final boolean keepText;
    private final EventScanner scanner = new EventScanner();
    private final SseReader sse = new SseReader(this);
    private final Bytes line = new Bytes();
    private final Bytes body = new Bytes();
    private State state = State.HEAD;
    private long left;
    private int headBytes;
    private int status;
    private boolean statusSeen;
    private boolean chunked;
    private boolean keepAlive;
    private boolean stream;
    private long length;
    private String contentType = "";
    private String encoding = "";
    private @Nullable Exchange exchange;
    private boolean done;
    private @Nullable FailureClass failure;
    private String detail = "";

    ResponseReader(boolean keepText) {
        this.keepText = keepText;
    }

    void begin(Exchange next) {
        exchange = next;
        state = State.HEAD;
        line.clear();
        clearHead();
        done = false;
        failure = null;
        detail = "";
    }

    private void clearHead() {
        headBytes = 0;
        statusSeen = false;
        chunked = false;
        keepAlive = true;
        stream = false;
        length = -1;
        contentType = "";
        encoding = "";
        body.clear();
        sse.reset();
    }

    /** Whether the outcome is known: the terminator came, or a failure. */
    boolean concluded() {
        return done || failure != null;
    }

    /** Whether the connection can take another request. */
    boolean reusable() {
        return state == State.END && keepAlive;
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
        if (statusSeen && status >= 400) {
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
    }

    /** The server closed the connection. */
    void closed(long now) {
        switch (state) {
            case UNTIL_CLOSE -> end(now);
            case END -> {
            }
            case HEAD, LENGTH, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER -> {
                if (statusSeen && status >= 400) {
                    failStatus();
                }
                fail(FailureClass.RESET, headBytes == 0 && state == State.HEAD
                        ? "connection closed before the response"
                        : "connection closed within the response");
            }
        }
        keepAlive = false;
    }

    /** Takes bytes up to a line's end; returns where it stopped. */
    private int line(byte[] bytes, int from, int to, long now) {
        int i = from;
        while (i < to && bytes[i] != '\n') {
            i++;
        }
        line.append(bytes, from, i - from);
        if (line.length > HEAD_LIMIT) {
            fail(FailureClass.MALFORMED, "a header or chunk line of more than 64 KiB");
        }
        if (i == to) {
            return to;
        }
        int end = line.length > 0 && line.array[line.length - 1] == '\r' ? line.length - 1 : line.length;
        headBytes += line.length + 1;
        switch (state) {
            case HEAD -> headLine(end, now);
            case CHUNK_SIZE -> chunkSize(end);
            case CHUNK_END -> {
                if (end != 0) {
                    fail(FailureClass.MALFORMED, "a chunk longer than its size");
                }
                state = State.CHUNK_SIZE;
            }
            case TRAILER -> {
                if (end == 0) {
                    end(now);
                }
            }
            case LENGTH, CHUNK_DATA, UNTIL_CLOSE, END ->
                throw new IllegalStateException("no lines in " + state);
        }
        line.clear();
        return i + 1;
    }

    private void headLine(int end, long now) {
        if (headBytes > HEAD_LIMIT) {
            fail(FailureClass.MALFORMED, "headers of more than 64 KiB");
        } else if (end == 0 && statusSeen) {
            headEnd(now);
        } else if (!statusSeen) {
            statusLine(end);
        } else {
            header(new String(line.array, 0, end, StandardCharsets.ISO_8859_1));
        }
    }

    private void statusLine(int end) {
        String text = new String(line.array, 0, Math.min(end, 200), StandardCharsets.ISO_8859_1);
        if (!text.matches("HTTP/1\\.[01] [1-5]\\d\\d.*")) {
            fail(FailureClass.MALFORMED, "expected an HTTP/1.1 status line, found '" + text + "'");
            return;
        }
        status = Integer.parseInt(text.substring(9, 12));
        keepAlive = text.charAt(7) == '1';
        statusSeen = true;
    }

    private void header(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            fail(FailureClass.MALFORMED, "expected a header, found '" + text + "'");
            return;
        }
        String value = text.substring(colon + 1).strip();
        switch (text.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "content-length" -> {
                if (!value.matches("\\d{1,15}")) {
                    fail(FailureClass.MALFORMED, "Content-Length '" + value + "'");
                    return;
                }
                length = Long.parseLong(value);
            }
            case "transfer-encoding" -> chunked = value.toLowerCase(Locale.ROOT).endsWith("chunked");
            case "content-type" -> contentType = value;
            case "content-encoding" -> encoding = value;
            case "connection" -> keepAlive = value.equalsIgnoreCase("keep-alive") || keepAlive
                    && !value.equalsIgnoreCase("close");
            default -> {
            }
        }
    }

    private void headEnd(long now) {
        if (status < 200) {
            clearHead();
            return;
        }
        Exchange current = exchange;
        if (current != null && current.headersNanos < 0) {
            current.headersNanos = now;
        }
        stream = status < 300 && contentType.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
        if (!encoding.isEmpty() && !encoding.equalsIgnoreCase("identity")) {
            fail(FailureClass.MALFORMED, "Content-Encoding " + encoding + ", which was not asked for");
        } else if (status == 204 || status == 304) {
            length = 0;
        }
        if (chunked) {
            state = State.CHUNK_SIZE;
        } else if (length >= 0) {
            state = State.LENGTH;
            left = length;
            if (left == 0) {
                end(now);
            }
        } else {
            state = State.UNTIL_CLOSE;
        }
    }

    private void chunkSize(int end) {
        long size = 0;
        int i = 0;
        while (i < end && i < 8) {
            int digit = Character.digit(line.array[i], 16);
            if (digit < 0) {
                break;
            }
            size = size * 16 + digit;
            i++;
        }
        if (i == 0 || i < end && line.array[i] != ';' && line.array[i] != ' ') {
            fail(FailureClass.MALFORMED, "chunk size '" + line.line(40) + "'");
            return;
        }
        left = size;
        state = size == 0 ? State.TRAILER : State.CHUNK_DATA;
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
        if (status >= 400) {
            failStatus();
        } else if (status >= 300) {
            fail(FailureClass.MALFORMED, "HTTP " + status + ", a redirect, is not followed");
        } else if (!stream) {
            fail(FailureClass.MALFORMED,
                    "content type '" + contentType + "'; expected text/event-stream: "
                            + body.line(DETAIL_LIMIT));
        } else {
            sse.end(now);
            fail(FailureClass.TRUNCATED, "the stream ended without [DONE]");
        }
    }

    private void failStatus() {
        String text = body.line(DETAIL_LIMIT);
        fail(status < 500 ? FailureClass.HTTP_4XX : FailureClass.HTTP_5XX,
                "HTTP " + status + (text.isEmpty() ? "" : ": " + text));
    }

    @Override
    public boolean event(byte[] data, int size, boolean error, long now) {
        Exchange current = exchange;
        if (current == null || concluded()) {
            return false;
        }
        if (SseReader.isDone(data, size)) {
            finish(current);
            return false;
        }
        boolean read = scanner.scan(data, 0, size);
        if (!read && !EventReader.read(data, size, scanner) && !error) {
            fail(FailureClass.MALFORMED, "an event that is no JSON object: " + preview(data, size));
            return false;
        }
        if (error || scanner.hasError) {
            fail(FailureClass.ERROR_EVENT, preview(data, size));
            return false;
        }
        tokens(current, now);
        if (keepText && scanner.textLength > 0) {
            keep(current, new String(data, scanner.textStart, scanner.textLength, StandardCharsets.UTF_8));
        }
        if (current.endless()) {
            fail(FailureClass.MALFORMED, "the stream goes on past " + current.events() + " events");
            return false;
        }
        return true;
    }

    private void keep(Exchange current, String escaped) {
        try {
            current.text.append(Json.parse('"' + escaped + '"', "event").asText());
        } catch (AssayException e) {
            fail(FailureClass.MALFORMED, "a text that is no JSON string: " + escaped);
        }
    }

    private void tokens(Exchange current, long now) {
        long total = scanner.completionTokens;
        if (scanner.promptTokens >= 0) {
            current.promptTokens = scanner.promptTokens;
        }
        if (scanner.cachedTokens >= 0) {
            current.cachedTokens = scanner.cachedTokens;
        }
        if (total >= 0) {
            current.usageTokens = total;
        }
        if (!scanner.hasChoice) {
            return;
        }
        // Usage that first shows up behind plain events is the final one, not a running count.
        if (total > 0 && (current.continuous || current.events() == 0)) {
            current.continuous = true;
            if (total > current.countedTokens) {
                current.content(now, (int) (total - current.countedTokens));
                current.countedTokens = total;
            }
        } else if (scanner.hasText) {
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

    private static String preview(byte[] data, int size) {
        Bytes text = new Bytes();
        text.append(data, 0, Math.min(size, DETAIL_LIMIT * 4));
        return text.line(DETAIL_LIMIT);
    }
}
