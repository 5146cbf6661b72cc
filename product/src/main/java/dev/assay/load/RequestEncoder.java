package dev.assay.load;

import dev.assay.workload.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the HTTP/1.1 request of each {@link Request}, or only its body where it goes by HTTP/2; what all of them share is
 * encoded once.
 */
final class RequestEncoder {
    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final byte[] LENGTH = ascii("\r\nContent-Length: ");
    private static final byte[] BLANK = ascii("\r\n\r\n");
    private static final byte[] USER = ascii("{\"role\":\"user\",\"content\":\"");
    private static final byte[] ASSISTANT = ascii("\"},{\"role\":\"assistant\",\"content\":\"");
    private static final byte[] NEXT = ascii("\"},");
    private static final byte[] LAST = ascii("\"}");

    private final boolean chat;
    private final boolean framed;
    private final byte[] head;
    private final RequestBody shared;
    private final Bytes body = new Bytes();
    private final Bytes start = new Bytes();

    RequestEncoder(Target target) {
        chat = target.api() == Target.Api.CHAT;
        framed = target.protocol() == Target.Protocol.HTTP_1_1;
        head = head(target).getBytes(StandardCharsets.ISO_8859_1);
        shared = RequestBody.of(target);
    }

    private static String head(Target target) {
        StringBuilder text = new StringBuilder("POST ").append(target.requestTarget())
                .append(" HTTP/1.1\r\nHost: ")
                .append(target.baseUrl().getHost()).append(':').append(target.port())
                .append("\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n")
                .append("Accept-Encoding: identity\r\nUser-Agent: assay\r\n");
        target.sentHeaders()
                .forEach(h -> text.append(h.name()).append(": ").append(h.value()).append("\r\n"));
        return text.append("X-Request-Id: Assay-Request-").toString();
    }

    /** A request that continues nothing. */
    ByteBuffer encode(Request request) {
        return encode(request, History.EMPTY);
    }

    /**
     * A request whose prompt follows on the earlier turns of its conversation: as messages where the interface has them,
     * else as one text of all prompts and answers.
     */
    ByteBuffer encode(Request request, History history) {
        body.clear();
        append(body, shared.start());
        if (shared.countsTokens()) {
            body.decimal(request.outputTokens());
        }
        append(body, shared.middle());
        history.each(this::turn);
        if (chat) {
            append(body, USER);
        }
        escaped(request.prompt());
        if (chat) {
            append(body, LAST);
        }
        append(body, shared.end());
        if (!framed) {
            return ByteBuffer.wrap(Arrays.copyOf(body.array, body.length));
        }
        start.clear();
        start.decimal(request.id());
        append(start, LENGTH);
        start.decimal(body.length);
        append(start, BLANK);
        return ByteBuffer.allocate(head.length + start.length + body.length).put(head)
                .put(start.array, 0, start.length).put(body.array, 0, body.length).flip();
    }

    private void turn(String prompt, String answer) {
        if (chat) {
            append(body, USER);
        }
        escaped(prompt);
        if (chat) {
            append(body, ASSISTANT);
        }
        escaped(answer);
        if (chat) {
            append(body, NEXT);
        }
    }

    /** Appends the text as the content of a JSON string. */
    private void escaped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int done = 0;
        while (true) {
            int at = Bytes.textEnd(bytes, done, bytes.length);
            body.append(bytes, done, at - done);
            if (at == bytes.length) {
                return;
            }
            escape(bytes[at]);
            done = at + 1;
        }
    }

    private void escape(byte c) {
        body.append((byte) '\\');
        switch (c) {
            case '"', '\\' -> body.append(c);
            case '\n' -> body.append((byte) 'n');
            case '\r' -> body.append((byte) 'r');
            case '\t' -> body.append((byte) 't');
            default -> {
                body.append((byte) 'u');
                body.append((byte) '0');
                body.append((byte) '0');
                body.append(HEX[c >> 4]);
                body.append(HEX[c & 15]);
            }
        }
    }

    private static void append(Bytes to, byte[] bytes) {
        to.append(bytes, 0, bytes.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
