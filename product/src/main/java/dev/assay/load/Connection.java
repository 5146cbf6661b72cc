package dev.assay.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One connection of the load generator and the exchange that it carries, if any. */
final class Connection {
    /** A pooled connection of at least this age may have been closed by the server just as we write. */
    private static final long FRESH_NANOS = 1_000_000_000L;

    final SocketChannel channel;
    final SelectionKey key;
    final ResponseReader reader;
    final Wire wire;
    @Nullable
    Exchange exchange;
    boolean connected;
    boolean idle;
    /** Why no connection could be made, empty where it could. */
    String refusal = "";
    private int served;
    private long idleSince;

    Connection(SocketChannel channel, SelectionKey key, ResponseReader reader, Wire wire) {
        this.channel = channel;
        this.key = key;
        this.reader = reader;
        this.wire = wire;
        key.attach(this);
    }

    void pooled(long now) {
        idle = true;
        idleSince = now;
    }

    void taken(Exchange next, long now) {
        idle = false;
        served = idleSince > 0 && now - idleSince > FRESH_NANOS ? Math.max(1, served) : served;
        exchange = next;
        next.connection = this;
        reader.begin(next);
    }

    void served() {
        served++;
        exchange = null;
    }

    /** Whether a reset before the first byte may be the server's idle limit and not an answer to the request. */
    boolean mayBeStale() {
        return served > 0;
    }

    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is left to do with a connection that does not even close.
            exchange = null;
        }
    }
}
