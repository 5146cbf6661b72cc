package dev.assay.load;

import java.nio.charset.StandardCharsets;

/** The status line and those headers of one response that say how to read its body. */
final class ResponseHead {
    private static final int SHOWN = 200;
    private static final int MAX_DIGITS = 15;
    private static final byte[] CONTENT_LENGTH = bytes("content-length");
    private static final byte[] TRANSFER_ENCODING = bytes("transfer-encoding");
    private static final byte[] CONTENT_TYPE = bytes("content-type");
    private static final byte[] CONTENT_ENCODING = bytes("content-encoding");
    private static final byte[] CONNECTION = bytes("connection");
    private static final byte[] EVENT_STREAM = bytes("text/event-stream");
    private static final byte[] CHUNKED = bytes("chunked");
    private static final byte[] CLOSE = bytes("close");
    private static final byte[] KEEP_ALIVE = bytes("keep-alive");
    private static final byte[] IDENTITY = bytes("identity");

    /** −1 before the status line. */
    int status;
    boolean chunked;
    boolean keepAlive;
    boolean eventStream;
    /** Of the body in bytes, −1 where no header says. */
    long length;
    /** The content type, kept only where it is not that of an event stream. */
    String contentType = "";
    /** The content coding where there is one. */
    String encoding = "";

    void clear() {
        status = -1;
        chunked = false;
        keepAlive = true;
        eventStream = false;
        length = -1;
        contentType = "";
        encoding = "";
    }

    /** Takes what the headers of an HTTP/2 response say, empty where they do not. */
    void set(int code, String type, String coding) {
        status = code;
        int length = EVENT_STREAM.length;
        eventStream = type.regionMatches(true, 0, "text/event-stream", 0, length);
        contentType = eventStream ? "" : shown(type);
        encoding = "identity".equalsIgnoreCase(coding) ? "" : shown(coding);
    }

    private static String shown(String value) {
        byte[] all = value.getBytes(StandardCharsets.UTF_8);
        return text(all, 0, all.length);
    }

    /** Reads one line; what is wrong with it, empty where nothing is. */
    String line(byte[] b, int from, int to) {
        return status < 0 ? statusLine(b, from, to) : header(b, from, to);
    }

    private String statusLine(byte[] b, int from, int to) {
        boolean good = to - from >= 12 && b[from] == 'H' && b[from + 1] == 'T' && b[from + 2] == 'T'
                && b[from + 3] == 'P' && b[from + 4] == '/' && b[from + 5] == '1' && b[from + 6] == '.'
                && (b[from + 7] == '0' || b[from + 7] == '1') && b[from + 8] == ' '
                && b[from + 9] >= '1' && b[from + 9] <= '5' && digit(b[from + 10]) && digit(b[from + 11])
                && (to - from == 12 || b[from + 12] == ' ');
        if (!good) {
            return "expected an HTTP/1.1 status line, found '" + text(b, from, to) + "'";
        }
        status = 100 * (b[from + 9] - '0') + 10 * (b[from + 10] - '0') + b[from + 11] - '0';
        keepAlive = b[from + 7] == '1';
        return "";
    }

    private String header(byte[] b, int from, int to) {
        int colon = from;
        while (colon < to && b[colon] != ':') {
            colon++;
        }
        if (colon == to || colon == from) {
            return "expected a header, found '" + text(b, from, to) + "'";
        }
        int start = colon + 1;
        int end = to;
        while (start < end && blank(b[start])) {
            start++;
        }
        while (end > start && blank(b[end - 1])) {
            end--;
        }
        // By the length of the name first: most headers of a response are none of these.
        switch (colon - from) {
            case 10 -> {
                if (same(CONNECTION, b, from, colon)) {
                    keepAlive = same(KEEP_ALIVE, b, start, end) || keepAlive && !same(CLOSE, b, start, end);
                }
            }
            case 12 -> {
                if (same(CONTENT_TYPE, b, from, colon)) {
                    eventStream = end - start >= EVENT_STREAM.length
                            && same(EVENT_STREAM, b, start, start + EVENT_STREAM.length);
                    contentType = eventStream ? "" : text(b, start, end);
                }
            }
            case 14 -> {
                if (same(CONTENT_LENGTH, b, from, colon)) {
                    length = number(b, start, end);
                    return length < 0 ? "Content-Length '" + text(b, start, end) + "'" : "";
                }
            }
            case 16 -> {
                if (same(CONTENT_ENCODING, b, from, colon)) {
                    encoding = same(IDENTITY, b, start, end) ? "" : text(b, start, end);
                }
            }
            case 17 -> {
                if (same(TRANSFER_ENCODING, b, from, colon)) {
                    chunked = end - start >= CHUNKED.length && same(CHUNKED, b, end - CHUNKED.length, end);
                }
            }
            default -> {
            }
        }
        return "";
    }

    private static long number(byte[] b, int from, int to) {
        long value = to > from && to - from <= MAX_DIGITS ? 0 : -1;
        for (int i = from; i < to && value >= 0; i++) {
            value = digit(b[i]) ? value * 10 + b[i] - '0' : -1;
        }
        return value;
    }

    private static boolean digit(byte c) {
        return c >= '0' && c <= '9';
    }

    private static boolean blank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    /** Whether the bytes are the word in any case. */
    private static boolean same(byte[] word, byte[] b, int from, int to) {
        if (to - from != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            byte c = b[from + i];
            if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != word[i]) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] b, int from, int to) {
        return Bytes.line(b, from, to - from, SHOWN);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
