package dev.assay.load;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** Makes the socket and the wire of each connection to one target. */
final class Wires {
    /** As many connections are asked for at once as any server's queue of them holds. */
    static final int CONNECT_BATCH = 100;
    /** How long a run waits for its first connections. */
    private static final long OPEN_NANOS = 1_000_000_000;
    private static final int OPEN_WAIT_MILLIS = 5;
    /** What is read from a socket at once. */
    static final int READ_BYTES = 64 << 10;
    private static final String[] HTTP_2 = {"h2"};

    private final Target target;
    private final Optional<SSLContext> tls;

    Wires(Target target) {
        this.target = target;
        tls = target.secure() ? Optional.of(target.transport().tls()) : Optional.empty();
    }

    /** A socket that does not block and sends at once. */
    static SocketChannel socket() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    /** Lets connections be made while some are; one that takes too long is used when it is ready. */
    static void awaitOpen(Selector selector, Consumer<SelectionKey> carriers, BooleanSupplier coming)
            throws IOException {
        long until = System.nanoTime() + OPEN_NANOS;
        while (coming.getAsBoolean() && System.nanoTime() < until) {
            selector.select(carriers, OPEN_WAIT_MILLIS);
        }
    }

    /** What went wrong with a socket, in words. */
    static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    /** Lets a key wait for bytes, and for room to send where {@code more} are to be sent; a call without a change is dear. */
    static void await(SelectionKey key, boolean more) {
        int ops = more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    /** A wire for a new connection. */
    Wire next() {
        if (tls.isEmpty()) {
            return Wire.PLAIN;
        }
        Wire secure = new TlsWire(engine(tls.get()));
        String authority = target.baseUrl().getHost() + ":" + target.port();
        return target.transport().proxy().<Wire>map(proxy -> new TunnelWire(authority, proxy, secure))
                .orElse(secure);
    }

    private SSLEngine engine(SSLContext context) {
        String host = target.baseUrl().getHost().replaceAll("^\\[|\\]$", "");
        SSLEngine engine = context.createSSLEngine(host, target.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (!target.transport().insecure()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (target.protocol() == Target.Protocol.HTTP_2) {
            parameters.setApplicationProtocols(HTTP_2);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
