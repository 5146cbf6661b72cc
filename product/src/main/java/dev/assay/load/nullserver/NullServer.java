package dev.assay.load.nullserver;

import dev.assay.AssayException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A server of the OpenAI completions and chat interfaces that makes no tokens, only their events: one thread, one
 * selector, almost no cost, on the loopback interface.
 *
 * <p>A request chooses its own pace by the fields {@code null_ttft_us} and {@code null_itl_us} (microseconds, default
 * 0). With a pause between tokens each event is a write of its own, as from a real server; without one, many events
 * share a write. A request with {@code null_truth: true} leaves the server's own times, which {@code GET /truth} gives
 * once, a line a request: its {@code X-Request-Id}, then when it had arrived and when each event was written, in
 * nanoseconds of the machine's monotonic clock.
 */
public final class NullServer implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier clock;
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);
    /** Streams by the length of the pause that they are in; each queue is in the order of its ends. */
    private final Map<Long, ArrayDeque<NullStream>> pauses = new HashMap<>();
    /** The same queues, in a list that may grow while it is walked. */
    private final List<ArrayDeque<NullStream>> queues = new ArrayList<>();
    private final StringBuilder truth = new StringBuilder();
    private volatile boolean closed;

    /**
     * Listens at once; {@link #run} serves.
     *
     * @param port 0 for any free one
     * @param clock monotonic nanoseconds
     */
    public NullServer(int port, LongSupplier clock) {
        this.clock = clock;
        try {
            selector = Selector.open();
            listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            throw AssayException.environment("port " + port + ": not listening: " + e.getMessage(), e);
        }
    }

    /** Where it listens. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    /** Serves until it is closed. */
    public void run() {
        try {
            while (!closed) {
                long wait = fireDue();
                if (wait <= 0) {
                    selector.selectNow(this::ready);
                } else {
                    // A pause ends up to 1 ms late: the truth says when, and streams that end together share a turn.
                    selector.select(this::ready, Math.max(1, wait / NANOS_PER_MILLI));
                }
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException | UncheckedIOException e) {
            throw AssayException.environment("the null server's sockets failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }

    /** Writes what is due; returns how long until more is, at most a second. */
    private long fireDue() throws IOException {
        long next = 1000 * NANOS_PER_MILLI;
        for (int i = 0; i < queues.size(); i++) {
            ArrayDeque<NullStream> streams = queues.get(i);
            long now = clock.getAsLong();
            while (!streams.isEmpty() && streams.getFirst().dueNanos <= now) {
                advance(streams.removeFirst());
            }
            if (!streams.isEmpty()) {
                next = Math.min(next, streams.getFirst().dueNanos - now);
            }
        }
        return next;
    }

    private void ready(SelectionKey key) {
        try {
            if (key.isValid() && key.isAcceptable()) {
                accept();
                return;
            }
            NullStream stream = (NullStream) key.attachment();
            if (key.isValid() && key.isWritable() && stream.flush()) {
                advance(stream);
            }
            if (key.isValid() && key.isReadable()) {
                read(stream);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            key.attach(new NullStream(channel, key));
        }
    }

    private void read(NullStream stream) throws IOException {
        buffer.clear();
        int count;
        try {
            count = stream.channel.read(buffer);
        } catch (IOException e) {
            count = -1;
        }
        if (count < 0) {
            stream.close();
            return;
        }
        buffer.flip();
        stream.request.append(buffer);
        if (!stream.busy() && stream.request.complete()) {
            begin(stream);
        }
    }

    private void begin(NullStream stream) throws IOException {
        NullRequest request = stream.request;
        stream.begin(clock.getAsLong());
        if (request.completion()) {
            pause(stream, request.ttftNanos());
            return;
        }
        String body = "";
        if (request.path().equals("/truth")) {
            body = truth.toString();
            truth.setLength(0);
        } else if (request.path().endsWith("/models")) {
            body = "{\"object\":\"list\",\"data\":[{\"id\":\"null\",\"object\":\"model\"}]}";
        }
        boolean known = !body.isEmpty() || request.path().equals("/health")
                || request.path().equals("/truth");
        stream.answer(known ? "200 OK" : "404 Not Found", body);
    }

    private void pause(NullStream stream, long nanos) throws IOException {
        if (nanos == 0) {
            advance(stream);
        } else {
            stream.dueNanos = clock.getAsLong() + nanos;
            pauses.computeIfAbsent(nanos, _ -> {
                ArrayDeque<NullStream> queue = new ArrayDeque<>();
                queues.add(queue);
                return queue;
            }).addLast(stream);
        }
    }

    /** Writes the next event or events, and waits again where one is left. */
    private void advance(NullStream stream) throws IOException {
        long itl = stream.request.itlNanos();
        while (stream.open() && stream.busy() && !stream.blocked()) {
            buffer.clear();
            stream.fill(buffer, itl > 0 ? 1 : Integer.MAX_VALUE, clock.getAsLong());
            buffer.flip();
            stream.write(buffer);
            if (stream.busy() && itl > 0) {
                pause(stream, itl);
                return;
            }
            if (!stream.busy()) {
                stream.ended(truth);
            }
        }
    }
}
