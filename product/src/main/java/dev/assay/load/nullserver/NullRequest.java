package dev.assay.load.nullserver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The request that a connection of the null server is reading. It looks for the few fields it needs and parses no more. */
final class NullRequest {
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final int DEFAULT_TOKENS = 64;
    private static final long NANOS_PER_MICRO = 1000;

    private byte[] bytes = new byte[1024];
    private int length;
    private int end = -1;
    private String path = "";
    private String id = "";
    private String body = "";

    void append(ByteBuffer from) {
        int count = from.remaining();
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, bytes.length * 2));
        }
        from.get(bytes, length, count);
        length += count;
    }

    /** Whether a whole request is there; then the other methods speak of it. */
    boolean complete() {
        int head = indexOf(HEAD_END);
        if (head < 0) {
            return false;
        }
        String text = new String(bytes, 0, head, StandardCharsets.ISO_8859_1);
        int content = head + HEAD_END.length;
        int contentLength = (int) number(header(text, "Content-Length: "), 0);
        if (length < content + contentLength) {
            return false;
        }
        end = content + contentLength;
        String[] line = text.substring(0, text.indexOf('\r') < 0 ? head : text.indexOf('\r')).split(" ");
        path = line.length > 1 ? line[1] : "";
        id = header(text, "X-Request-Id: ");
        body = new String(bytes, content, contentLength, StandardCharsets.ISO_8859_1);
        return true;
    }

    /** Removes the request that was served; what came behind it stays. */
    void served() {
        System.arraycopy(bytes, end, bytes, 0, length - end);
        length -= end;
        end = -1;
    }

    String path() {
        return path;
    }

    String id() {
        return id;
    }

    boolean completion() {
        return path.endsWith("/completions");
    }

    boolean chat() {
        return path.endsWith("/chat/completions");
    }

    boolean usage() {
        return body.contains("\"include_usage\":true");
    }

    boolean truth() {
        return body.contains("\"null_truth\":true");
    }

    int tokens() {
        return (int) field("\"max_tokens\":", DEFAULT_TOKENS);
    }

    long ttftNanos() {
        return field("\"null_ttft_us\":", 0) * NANOS_PER_MICRO;
    }

    long itlNanos() {
        return field("\"null_itl_us\":", 0) * NANOS_PER_MICRO;
    }

    private long field(String name, long otherwise) {
        int at = body.indexOf(name);
        return at < 0 ? otherwise : number(body.substring(at + name.length()), otherwise);
    }

    private static String header(String head, String name) {
        int at = head.indexOf("\r\n" + name);
        if (at < 0) {
            return "";
        }
        int from = at + 2 + name.length();
        int to = head.indexOf('\r', from);
        return head.substring(from, to < 0 ? head.length() : to);
    }

    private static long number(String text, long otherwise) {
        int i = 0;
        long value = 0;
        while (i < text.length() && Character.isDigit(text.charAt(i)) && i < 12) {
            value = value * 10 + text.charAt(i++) - '0';
        }
        return i == 0 ? otherwise : value;
    }

    private int indexOf(byte[] what) {
        for (int i = 0; i + what.length <= length; i++) {
            if (Arrays.equals(bytes, i, i + what.length, what, 0, what.length)) {
                return i;
            }
        }
        return -1;
    }
}
