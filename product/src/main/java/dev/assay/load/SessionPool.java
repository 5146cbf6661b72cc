package dev.assay.load;

import dev.assay.workload.FailureClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** HTTP/2: the exchanges share connections, each with as many at once as the server allows. */
final class SessionPool implements Carriers {
    /** What a server is taken to allow before it says so. */
    private static final int ASSUMED_STREAMS = 100;
    /** Readers that are kept for later calls. */
    private static final int READERS = 1024;

    private final ClientLoop loop;
    private final Selector selector;
    private final Target target;
    private final InetSocketAddress address;
    private final LoadOptions options;
    private final Wires wires;
    private final Http2Session.Request request;
    /** How many exchanges there can be at once, as far as is known. */
    private final int most;
    private final ByteBuffer direct = ByteBuffer.allocateDirect(Wires.READ_BYTES);
    private final byte[] bytes = new byte[Wires.READ_BYTES];
    private final Set<SessionConnection> open = new LinkedHashSet<>();
    /** Connections that had room when they were last looked at. */
    private final ArrayDeque<SessionConnection> roomy = new ArrayDeque<>();
    private final Set<SessionConnection> coming = new LinkedHashSet<>();
    private final ArrayDeque<AnswerReader> readers = new ArrayDeque<>();
    private int allowed = ASSUMED_STREAMS;
    private int opened;

    SessionPool(ClientLoop loop, Selector selector, Target target, InetSocketAddress address,
            LoadOptions options, int most) {
        this.loop = loop;
        this.selector = selector;
        this.target = target;
        this.address = address;
        this.options = options;
        this.most = most;
        this.wires = new Wires(target);
        this.request = new Http2Session.Request(target);
    }

    @Override
    public void open() throws IOException {
        int wanted = options.closedLoop() ? most : Math.min(1, most);
        int before = -1;
        // The first connection tells how many streams each takes, and so how many connections there have to be.
        for (long room = 0; room < wanted && open.size() > before; room = room()) {
            before = open.size();
            long more = before == 0
                    ? 1
                    : Math.min(Wires.CONNECT_BATCH, (wanted - room + allowed - 1) / allowed);
            for (long i = 0; i < more; i++) {
                connectSpare();
            }
            Wires.awaitOpen(selector, this, () -> !coming.isEmpty());
        }
    }

    private long room() {
        return open.stream().mapToLong(c -> c.ready ? c.most() : allowed).sum();
    }

    @Override
    public void carry(Exchange exchange) throws IOException {
        SessionConnection connection = roomy();
        if (connection != null) {
            begin(connection, exchange);
            write(connection);
        } else {
            await(exchange);
        }
        if (coming.isEmpty() && !options.closedLoop() && !loop.exhausted() && roomy() == null) {
            connectSpare();
        }
    }

    /** A connection that can take a call, if there is one. */
    private @Nullable SessionConnection roomy() {
        SessionConnection first = roomy.peekFirst();
        while (first != null && !first.room()) {
            first.listed = false;
            roomy.pollFirst();
            first = roomy.peekFirst();
        }
        return first;
    }

    private void list(SessionConnection connection) {
        if (connection.room() && !connection.listed) {
            connection.listed = true;
            roomy.addLast(connection);
        }
    }

    /** Lets the exchange wait for a connection that is being made. */
    private void await(Exchange exchange) throws IOException {
        for (SessionConnection connection : coming) {
            if (connection.waiting.size() < allowed) {
                connection.waiting.add(exchange);
                return;
            }
        }
        SessionConnection connection;
        try {
            connection = connect();
        } catch (IOException e) {
            // The client has no socket left; the request counts and the run goes on.
            loop.finish(exchange, FailureClass.REFUSED, "no socket for it: " + Wires.reason(e));
            return;
        }
        connection.waiting.add(exchange);
        proceed(connection);
    }

    private void connectSpare() throws IOException {
        SessionConnection spare;
        try {
            spare = connect();
        } catch (IOException e) {
            // A spare is a convenience: the request that needs a socket and gets none says so.
            return;
        }
        proceed(spare);
    }

    private SessionConnection connect() throws IOException {
        SocketChannel channel = Wires.socket();
        SessionConnection connection = new SessionConnection(channel,
                channel.register(selector, SelectionKey.OP_CONNECT), wires.next(), request);
        open.add(connection);
        coming.add(connection);
        opened++;
        try {
            channel.connect(address);
        } catch (IOException e) {
            connection.broken(Wires.reason(e));
        }
        return connection;
    }

    @Override
    public void accept(SelectionKey key) {
        loop.woke();
        SessionConnection connection = (SessionConnection) key.attachment();
        try {
            if (!key.isValid()) {
                return;
            }
            if (!connection.wired) {
                proceed(connection);
                return;
            }
            if (key.isWritable()) {
                write(connection);
            }
            if (key.isValid() && key.isReadable()) {
                read(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Goes on with making a connection. */
    private void proceed(SessionConnection connection) throws IOException {
        if (!connection.fault.isEmpty()) {
            lost(connection, connection.fault);
            return;
        }
        try {
            if (!connection.channel.finishConnect()) {
                return;
            }
            connection.wired = connection.wire.open(connection.channel);
        } catch (IOException e) {
            lost(connection, Wires.reason(e));
            return;
        }
        if (!connection.wired) {
            Wires.await(connection.key, connection.wire.unsent());
            return;
        }
        write(connection);
        if (!connection.dropped) {
            // What the server said right behind its handshake may have been read with it.
            read(connection);
        }
    }

    private void begin(SessionConnection connection, Exchange exchange) throws IOException {
        AnswerReader reader = readers.pollFirst();
        Call call = new Call(exchange,
                reader == null ? new AnswerReader(target.api(), options.keepText()) : reader, connection,
                connection.served > 0 && connection.calls.isEmpty());
        exchange.sentNanos = loop.now();
        connection.begin(call);
        settle(connection);
    }

    private void write(SessionConnection connection) throws IOException {
        ByteBuffer output = connection.session.output();
        try {
            connection.wire.write(connection.channel, output);
        } catch (IOException e) {
            lost(connection, "connection broke: " + Wires.reason(e));
            return;
        }
        Wires.await(connection.key, output.hasRemaining() || connection.wire.unsent());
    }

    private void read(SessionConnection connection) throws IOException {
        direct.clear();
        int count;
        // The key is ready, so the bytes are there already: the copy out of the kernel is not the server's time.
        long now = loop.now();
        try {
            count = connection.wire.read(connection.channel, direct);
        } catch (IOException e) {
            lost(connection, "connection broke: " + Wires.reason(e));
            return;
        }
        if (count < 0) {
            lost(connection, connection.ready
                    ? "connection closed within the response"
                    : "connection closed before its HTTP/2 settings");
        }
        if (count <= 0) {
            return;
        }
        connection.now = now;
        direct.flip();
        direct.get(bytes, 0, count);
        boolean wasReady = connection.ready;
        connection.session.feed(bytes, 0, count);
        loop.counted(connection.newEvents());
        settle(connection);
        if (!connection.fault.isEmpty()) {
            malformed(connection);
            return;
        }
        if (connection.ready && !wasReady) {
            ready(connection);
        }
        if (connection.dropped) {
            return;
        }
        if (connection.session.output().hasRemaining()) {
            write(connection);
        }
        if (connection.leaving && connection.calls.isEmpty()) {
            drop(connection);
        }
    }

    /** The server's settings came: the exchanges that waited for them go out, as many as it allows. */
    private void ready(SessionConnection connection) throws IOException {
        coming.remove(connection);
        if (connection.most() == 0) {
            connection.ready = false;
            lost(connection, "the server allows no streams");
            return;
        }
        allowed = connection.most();
        list(connection);
        Exchange next = connection.waiting.pollFirst();
        for (; next != null && connection.room(); next = connection.waiting.pollFirst()) {
            begin(connection, next);
        }
        for (; next != null; next = connection.waiting.pollFirst()) {
            if (connection.leaving) {
                again(next, "the server is leaving");
            } else {
                carry(next);
            }
        }
    }

    /** Tells the outcomes that became known, and gives up the streams that are over. */
    private void settle(SessionConnection connection) throws IOException {
        List<Call> again = connection.unbegun.isEmpty() ? List.of() : List.copyOf(connection.unbegun);
        connection.unbegun.clear();
        for (Call call : connection.touched) {
            if (!call.exchange.over) {
                tell(call);
            }
            if (call.ended || call.reader.failure() != null) {
                forget(call);
            }
        }
        connection.touched.clear();
        for (Call call : again) {
            if (connection.calls.contains(call)) {
                forget(call);
                again(call.exchange, "the server is leaving and did not begin with it");
            }
        }
        list(connection);
    }

    private void tell(Call call) {
        Exchange exchange = call.exchange;
        FailureClass failure = call.reader.failure();
        if (failure == null) {
            loop.finish(exchange, call.connection.now);
        } else {
            loop.finish(exchange, failure, call.reader.detail());
        }
    }

    private void forget(Call call) {
        call.connection.session.forget(call);
        if (call.connection.calls.remove(call)) {
            call.connection.served++;
            call.exchange.call = null;
            if (readers.size() < READERS) {
                readers.addFirst(call.reader);
            }
        }
    }

    /** Sends once more what the server did not begin with. */
    private void again(Exchange exchange, String text) throws IOException {
        if (exchange.over) {
            return;
        }
        if (exchange.retried || exchange.firstByteNanos >= 0) {
            loop.finish(exchange, FailureClass.RESET, text);
            return;
        }
        exchange.retried = true;
        carry(exchange);
    }

    /** What came is not HTTP/2: the server is told so, and the connection ends. */
    private void malformed(SessionConnection connection) throws IOException {
        write(connection);
        if (connection.dropped) {
            return;
        }
        if (connection.ready) {
            for (Call call : connection.calls) {
                call.reader.fail(FailureClass.MALFORMED, "not HTTP/2: " + connection.fault);
            }
        }
        lost(connection, "the server does not speak HTTP/2: " + connection.fault);
    }

    /** The connection cannot be used any more: all that it carries ends, or goes out again where that is safe. */
    private void lost(SessionConnection connection, String text) throws IOException {
        drop(connection);
        for (Exchange next = connection.waiting.pollFirst(); next != null; next = connection.waiting
                .pollFirst()) {
            loop.finish(next, FailureClass.REFUSED, "no connection to " + target.baseUrl() + ": " + text);
        }
        for (Call call : new ArrayList<>(connection.calls)) {
            boolean stale = call.afterRest && call.exchange.firstByteNanos < 0 && !call.exchange.retried;
            call.reader.lost(text);
            if (call.exchange.over) {
                forget(call);
            } else if (stale) {
                forget(call);
                again(call.exchange, text);
            } else {
                tell(call);
                forget(call);
            }
        }
    }

    private void drop(SessionConnection connection) {
        connection.close();
        open.remove(connection);
        coming.remove(connection);
        roomy.remove(connection);
    }

    @Override
    public void giveUp(Exchange exchange, String text) {
        Call call = exchange.call;
        try {
            if (call == null) {
                unwait(exchange, text);
                return;
            }
            call.reader.timeOut(text);
            tell(call);
            stop(call);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection that was not made within the time limit is given up; the exchanges behind try another. */
    private void unwait(Exchange exchange, String text) throws IOException {
        loop.finish(exchange, FailureClass.TIMEOUT, text);
        for (SessionConnection connection : List.copyOf(coming)) {
            if (connection.waiting.remove(exchange)) {
                drop(connection);
                for (Exchange other : connection.waiting) {
                    carry(other);
                }
                return;
            }
        }
    }

    @Override
    public void abandon(Exchange exchange) {
        Call call = exchange.call;
        try {
            if (call != null) {
                stop(call);
            } else {
                coming.forEach(c -> c.waiting.remove(exchange));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resets the stream of a call that is over. */
    private void stop(Call call) throws IOException {
        SessionConnection connection = call.connection;
        forget(call);
        list(connection);
        if (!connection.dropped) {
            write(connection);
        }
        if (connection.leaving && connection.calls.isEmpty() && !connection.dropped) {
            drop(connection);
        }
    }

    @Override
    public int opened() {
        return opened;
    }

    @Override
    public void close() {
        for (SessionConnection connection : List.copyOf(open)) {
            connection.close();
        }
    }
}
