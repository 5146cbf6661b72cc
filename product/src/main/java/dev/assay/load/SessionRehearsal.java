package dev.assay.load;

import dev.assay.workload.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What {@link Rehearsal} is for HTTP/2: a session's code runs on frames made up in memory before the first request that
 * counts. It asks no server, as the one in this process speaks HTTP/1.1.
 */
final class SessionRehearsal {
    private static final AtomicBoolean DONE = new AtomicBoolean();
    private static final int CALLS = 300;
    private static final int TOKENS = 8;
    /** Types and flags of frames (RFC 9113, section 6). */
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int HEAD_BYTES = 9;
    /** RFC 7541: an indexed field, then a literal one whose name is indexed, not added to the table. */
    private static final byte[] STATUS_200 = {(byte) 0x88};
    private static final byte[] CONTENT_TYPE = {0x0f, 0x10};
    private static final String SSE = "text/event-stream";

    private SessionRehearsal() {}

    /** The first call rehearses; later ones return at once. */
    static void once() {
        if (DONE.getAndSet(true)) {
            return;
        }
        try {
            run(CALLS);
        } catch (IOException e) {
            // A machine without a selector will say so where one is needed.
            return;
        }
    }

    /** How many token events each of so many calls had. */
    static List<Integer> run(int calls) throws IOException {
        List<Integer> events = new ArrayList<>();
        Target target = Target.of("http://127.0.0.1:1", "null");
        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            SessionConnection connection = new SessionConnection(channel, channel.register(selector, 0),
                    new Wires(target).next(), new Http2Session.Request(target));
            feed(connection, frame(SETTINGS, 0, 0));
            drain(connection);
            RequestEncoder encoder = new RequestEncoder(target);
            AnswerReader reader = new AnswerReader(target.api(), false);
            for (int id = 0; id < calls; id++) {
                Request request = new Request(id, 0, "one two three", 3, TOKENS, "default", Optional.empty());
                Exchange exchange = new Exchange(request, encoder.encode(request, History.EMPTY), 0);
                answer(connection, new Call(exchange, reader, connection, false));
                events.add(reader.failure() == null && reader.done() ? exchange.events() : -1);
            }
        }
        return events;
    }

    private static void answer(SessionConnection connection, Call call) {
        connection.begin(call);
        int stream = stream(connection.session.output());
        drain(connection);
        feed(connection, frame(HEADERS, END_HEADERS, stream, STATUS_200, CONTENT_TYPE,
                new byte[]{(byte) SSE.length()}, SSE.getBytes(StandardCharsets.US_ASCII)));
        for (int i = 0; i < TOKENS; i++) {
            feed(connection, frame(DATA, 0, stream,
                    event("{\"choices\":[{\"index\":0,\"text\":\" one\",\"finish_reason\":null}]}")));
        }
        feed(connection, frame(DATA, END_STREAM, stream, event("[DONE]")));
        connection.touched.clear();
        connection.calls.remove(call);
        connection.session.forget(call);
        drain(connection);
    }

    private static void drain(SessionConnection connection) {
        ByteBuffer sent = connection.session.output();
        sent.position(sent.limit());
    }

    /** The stream of the first frame with headers. */
    private static int stream(ByteBuffer frames) {
        int at = frames.position();
        while (frames.get(at + 3) != HEADERS) {
            at += HEAD_BYTES + (frames.getInt(at) >>> 8);
        }
        return frames.getInt(at + 5);
    }

    private static void feed(SessionConnection connection, byte[] bytes) {
        connection.session.feed(bytes, 0, bytes.length);
    }

    private static byte[] event(String data) {
        return ("data: " + data + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] frame(int type, int flags, int stream, byte[]... payload) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] part : payload) {
            body.writeBytes(part);
        }
        return ByteBuffer.allocate(HEAD_BYTES + body.size()).putInt(body.size() << 8 | type).put((byte) flags)
                .putInt(stream).put(body.toByteArray()).array();
    }
}
