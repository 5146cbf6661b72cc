package dev.assay.load.nullserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One connection of the null server and the answer that it is giving. */
final class NullStream {
    private static final byte[] HEAD = ascii("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            + "Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n");
    private static final byte[] CHAT = chunk("data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\","
            + "\"model\":\"null\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" tok\"},"
            + "\"finish_reason\":null}]}\n\n");
    private static final byte[] TEXT = chunk("data: {\"id\":\"x\",\"object\":\"text_completion\","
            + "\"model\":\"null\",\"choices\":[{\"index\":0,\"text\":\" tok\",\"finish_reason\":null}]}\n\n");
    private static final byte[] END = ascii("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
    /** Room that the head, the usage and the end take beside the events. */
    private static final int RESERVE = 1024;

    final SocketChannel channel;
    final NullRequest request = new NullRequest();
    private final SelectionKey key;
    long dueNanos;
    private boolean busy;
    private boolean chat;
    private boolean usage;
    private int tokens;
    private int written;
    private long arrivalNanos;
    private long[] times = new long[0];
    private @Nullable ByteBuffer unwritten;

    NullStream(SocketChannel channel, SelectionKey key) {
        this.channel = channel;
        this.key = key;
    }

    boolean busy() {
        return busy;
    }

    boolean blocked() {
        return unwritten != null;
    }

    boolean open() {
        return channel.isOpen();
    }

    void begin(long now) {
        busy = true;
        chat = request.chat();
        usage = request.usage();
        tokens = request.tokens();
        written = 0;
        arrivalNanos = now;
        times = request.truth() ? new long[tokens] : times.length == 0 ? times : new long[0];
    }

    /** Puts up to {@code most} events into the buffer, with what goes before the first and after the last. */
    void fill(ByteBuffer out, int most, long now) {
        if (written == 0) {
            out.put(HEAD);
        }
        byte[] event = chat ? CHAT : TEXT;
        for (int i = 0; i < most && written < tokens && out.remaining() > event.length + RESERVE; i++) {
            out.put(event);
            if (times.length > 0) {
                times[written] = now;
            }
            written++;
        }
        if (written == tokens) {
            if (usage) {
                out.put(chunk(
                        "data: {\"id\":\"x\",\"model\":\"null\",\"choices\":[],\"usage\":{\"prompt_tokens\":16,"
                                + "\"completion_tokens\":" + tokens + ",\"total_tokens\":" + (tokens + 16)
                                + "}}\n\n"));
            }
            out.put(END);
            busy = false;
        }
    }

    /** The answer is over: its times go into the truth, and the connection takes the next request. */
    void ended(StringBuilder truth) {
        if (times.length > 0) {
            truth.append(request.id()).append(' ').append(arrivalNanos);
            for (long time : times) {
                truth.append(' ').append(time);
            }
            truth.append('\n');
        }
        request.served();
    }

    void answer(String status, String body) throws IOException {
        busy = false;
        request.served();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        byte[] head = ascii("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: "
                + bytes.length + "\r\n\r\n");
        write(ByteBuffer.allocate(head.length + bytes.length).put(head).put(bytes).flip());
    }

    void write(ByteBuffer from) throws IOException {
        try {
            channel.write(from);
        } catch (IOException e) {
            // The client is gone; nobody waits for the rest.
            close();
            return;
        }
        if (from.hasRemaining()) {
            unwritten = ByteBuffer.allocate(from.remaining()).put(from).flip();
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    /** Writes what the socket did not take before; whether that is all of it. */
    boolean flush() throws IOException {
        ByteBuffer rest = unwritten;
        unwritten = null;
        key.interestOps(SelectionKey.OP_READ);
        if (rest != null) {
            write(rest);
        }
        return unwritten == null;
    }

    void close() throws IOException {
        busy = false;
        key.cancel();
        channel.close();
    }

    private static byte[] chunk(String event) {
        return ascii(Integer.toHexString(event.length()) + "\r\n" + event + "\r\n");
    }

    private static byte[] ascii(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return Arrays.copyOf(bytes, bytes.length);
    }
}
