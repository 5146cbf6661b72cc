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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1: each exchange has a connection for itself, which is used again once its response is over. */
final class ConnectionPool implements Carriers {
    private final ClientLoop loop;
    private final Selector selector;
    private final Target target;
    private final InetSocketAddress address;
    private final LoadOptions options;
    private final Wires wires;
    /** Connections that are made before the first exchange. */
    private final int ahead;
    private final ByteBuffer direct = ByteBuffer.allocateDirect(Wires.READ_BYTES);
    private final byte[] bytes = new byte[Wires.READ_BYTES];
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final Set<Connection> open = new HashSet<>();
    private int opened;
    private int sparesComing;

    ConnectionPool(ClientLoop loop, Selector selector, Target target, InetSocketAddress address,
            LoadOptions options, int ahead) {
        this.loop = loop;
        this.selector = selector;
        this.target = target;
        this.address = address;
        this.options = options;
        this.wires = new Wires(target);
        this.ahead = ahead;
    }

    @Override
    public void open() throws IOException {
        for (int i = 0; i < ahead; i++) {
            connectSpare();
            if (i % Wires.CONNECT_BATCH == Wires.CONNECT_BATCH - 1) {
                awaitConnections();
            }
        }
        awaitConnections();
    }

    @Override
    public void carry(Exchange exchange) throws IOException {
        dispatch(exchange, idle.pollFirst());
    }

    private void dispatch(Exchange exchange, @Nullable Connection pooled) throws IOException {
        Connection connection;
        try {
            connection = pooled == null ? connect() : pooled;
        } catch (IOException e) {
            // The client has no socket left; the request counts and the run goes on.
            loop.finish(exchange, FailureClass.REFUSED, "no socket for it: " + Wires.reason(e));
            return;
        }
        connection.taken(exchange, loop.now());
        if (!connection.refusal.isEmpty()) {
            refused(connection, exchange);
        } else if (connection.connected) {
            write(connection);
        }
        if (idle.isEmpty() && sparesComing == 0 && !options.closedLoop() && !loop.exhausted()) {
            connectSpare();
        }
    }

    private void awaitConnections() throws IOException {
        Wires.awaitOpen(selector, this, () -> sparesComing > 0);
    }

    private void connectSpare() throws IOException {
        Connection spare;
        try {
            spare = connect();
        } catch (IOException e) {
            // A spare is a convenience: the request that needs a socket and gets none says so.
            return;
        }
        if (!spare.refusal.isEmpty()) {
            drop(spare);
        } else if (spare.connected) {
            pool(spare);
        } else {
            sparesComing++;
        }
    }

    private Connection connect() throws IOException {
        SocketChannel channel = Wires.socket();
        Connection connection = new Connection(channel, channel.register(selector, SelectionKey.OP_CONNECT),
                new ResponseReader(target.api(), options.keepText()), wires.next());
        open.add(connection);
        opened++;
        try {
            if (channel.connect(address)) {
                connection.connected = opened(connection);
            }
        } catch (IOException e) {
            connection.refusal = Wires.reason(e);
        }
        return connection;
    }

    private void pool(Connection connection) {
        connection.pooled(loop.now());
        idle.addFirst(connection);
    }

    @Override
    public void accept(SelectionKey key) {
        loop.woke();
        Connection connection = (Connection) key.attachment();
        try {
            if (!key.isValid()) {
                return;
            }
            if (!connection.connected) {
                connected(connection);
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

    private void connected(Connection connection) throws IOException {
        try {
            if (!connection.channel.finishConnect() || !opened(connection)) {
                return;
            }
        } catch (IOException e) {
            connection.refusal = Wires.reason(e);
            Exchange exchange = connection.exchange;
            if (exchange == null) {
                sparesComing--;
                drop(connection);
            } else {
                refused(connection, exchange);
            }
            return;
        }
        connection.connected = true;
        if (connection.exchange == null) {
            sparesComing--;
            pool(connection);
        } else {
            write(connection);
        }
    }

    /** Whether the way to the server is open; a handshake goes on when the socket is ready again. */
    private static boolean opened(Connection connection) throws IOException {
        boolean open = connection.wire.open(connection.channel);
        Wires.await(connection.key, connection.wire.unsent());
        return open;
    }

    private void refused(Connection connection, Exchange exchange) {
        drop(connection);
        loop.finish(exchange, FailureClass.REFUSED,
                "no connection to " + target.baseUrl() + ": " + connection.refusal);
    }

    private void write(Connection connection) throws IOException {
        Exchange exchange = connection.exchange;
        if (exchange == null) {
            connection.key.interestOps(SelectionKey.OP_READ);
            return;
        }
        if (exchange.sentNanos < 0) {
            exchange.sentNanos = loop.now();
        }
        try {
            connection.wire.write(connection.channel, exchange.bytes);
        } catch (IOException e) {
            broken(connection, exchange, e);
            return;
        }
        Wires.await(connection.key, exchange.bytes.hasRemaining() || connection.wire.unsent());
    }

    private void read(Connection connection) throws IOException {
        direct.clear();
        int count;
        // The key is ready, so the bytes are there already: the copy out of the kernel is not the server's time.
        long now = loop.now();
        try {
            count = connection.wire.read(connection.channel, direct);
        } catch (IOException e) {
            Exchange exchange = connection.exchange;
            if (exchange == null) {
                drop(connection);
            } else {
                broken(connection, exchange, e);
            }
            return;
        }
        if (count == 0) {
            return;
        }
        Exchange exchange = connection.exchange;
        if (count < 0 && (exchange == null || exchange.firstByteNanos < 0 && retry(connection, exchange))) {
            drop(connection);
            return;
        }
        if (count > 0 && exchange != null && exchange.firstByteNanos < 0 && direct.get(0) != 'H'
                && retry(connection, exchange)) {
            // No response begins so: it is what the one before left behind its end.
            drop(connection);
            return;
        }
        if (count < 0) {
            connection.reader.closed(now);
        } else {
            if (exchange != null && exchange.firstByteNanos < 0) {
                exchange.firstByteNanos = now;
            }
            direct.flip();
            direct.get(bytes, 0, count);
            int before = exchange == null ? 0 : exchange.events();
            connection.reader.feed(bytes, 0, count, now);
            loop.counted(exchange == null ? 0 : exchange.events() - before);
        }
        if (connection.reader.concluded()) {
            conclude(connection, now);
        }
        if (count < 0) {
            drop(connection);
        }
    }

    /** The outcome is known; the connection goes back to the pool once its response is over. */
    private void conclude(Connection connection, long now) {
        Exchange exchange = connection.exchange;
        if (exchange != null) {
            connection.served();
            FailureClass failure = connection.reader.failure();
            if (failure == null) {
                loop.finish(exchange, now);
            } else {
                loop.finish(exchange, failure, connection.reader.detail());
            }
        }
        if (connection.reader.reusable()) {
            if (!connection.idle) {
                pool(connection);
            }
        } else if (connection.reader.unusable()) {
            drop(connection);
        }
    }

    private void broken(Connection connection, Exchange exchange, IOException e) throws IOException {
        boolean again = exchange.firstByteNanos < 0 && retry(connection, exchange);
        drop(connection);
        if (!again) {
            connection.reader.fail(FailureClass.RESET, "connection broke: " + Wires.reason(e));
            loop.finish(exchange, FailureClass.RESET, connection.reader.detail());
        }
    }

    /** Sends once more where the pooled connection may have been closed by the server's idle limit. */
    private boolean retry(Connection connection, Exchange exchange) throws IOException {
        if (!connection.mayBeStale() || exchange.retried) {
            return false;
        }
        exchange.retried = true;
        exchange.bytes.rewind();
        connection.exchange = null;
        dispatch(exchange, null);
        return true;
    }

    @Override
    public void giveUp(Exchange exchange, String text) {
        Connection connection = exchange.connection;
        if (connection == null) {
            loop.finish(exchange, FailureClass.TIMEOUT, text);
            return;
        }
        connection.reader.timeOut(text);
        FailureClass failure = connection.reader.failure();
        loop.finish(exchange, failure == null ? FailureClass.TIMEOUT : failure, connection.reader.detail());
        drop(connection);
    }

    @Override
    public void abandon(Exchange exchange) {
        Connection connection = exchange.connection;
        if (connection != null && connection.exchange == exchange) {
            drop(connection);
        }
    }

    private void drop(Connection connection) {
        connection.close();
        open.remove(connection);
        if (connection.idle) {
            idle.remove(connection);
        }
    }

    @Override
    public int opened() {
        return opened;
    }

    @Override
    public void close() {
        for (Connection connection : List.copyOf(open)) {
            connection.close();
        }
    }
}
