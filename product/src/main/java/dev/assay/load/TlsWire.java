package dev.assay.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/** TLS by the JDK's engine over a non-blocking socket. */
final class TlsWire implements Wire {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** Two records: what is read at once, decrypted, always fits into the loop's buffer. */
    private static final int IN_BYTES = 34 << 10;
    private static final int SCRATCH_BYTES = 17 << 10;

    private final SSLEngine engine;
    private final ByteBuffer in = ByteBuffer.allocate(IN_BYTES);
    private ByteBuffer out;
    private boolean begun;
    private boolean opened;

    TlsWire(SSLEngine engine) {
        this.engine = engine;
        out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).limit(0);
    }

    @Override
    public boolean open(SocketChannel channel) throws IOException {
        if (opened) {
            return true;
        }
        try {
            if (!begun) {
                begun = true;
                engine.beginHandshake();
            }
            opened = handshake(channel);
            if (opened) {
                agreed();
            }
            return opened;
        } catch (SSLException e) {
            throw new IOException("TLS: " + innermost(e), e);
        }
    }

    /** Where a protocol was asked for (ALPN), the server has to have chosen it. */
    private void agreed() throws SSLException {
        String[] asked = engine.getSSLParameters().getApplicationProtocols();
        String chosen = engine.getApplicationProtocol();
        if (asked.length > 0 && !asked[0].equals(chosen)) {
            throw new SSLException("the server did not agree to " + asked[0] + " (ALPN)");
        }
    }

    static String innermost(Throwable e) {
        Throwable at = e;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        String message = at.getMessage();
        return (message == null ? at.getClass().getSimpleName() : message).replaceAll("\\s+", " ");
    }

    private boolean handshake(SocketChannel channel) throws IOException {
        ByteBuffer scratch = ByteBuffer.allocate(SCRATCH_BYTES);
        while (true) {
            if (!flush(channel)) {
                return false;
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> tasks();
                case NEED_WRAP -> wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    in.flip();
                    SSLEngineResult result = engine.unwrap(in, scratch);
                    in.compact();
                    if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !fill(channel)) {
                        return false;
                    }
                    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                        throw new SSLException("the server closed the connection within the handshake");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return true;
                }
            }
        }
    }

    private boolean fill(SocketChannel channel) throws IOException {
        int count = channel.read(in);
        if (count < 0) {
            throw new EOFException("TLS: the server closed the connection within the handshake");
        }
        return count > 0;
    }

    private void tasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Encrypts one record's worth into the empty output buffer. */
    private void wrap(ByteBuffer from) throws SSLException {
        out.clear();
        SSLEngineResult result = engine.wrap(from, out);
        while (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            out = ByteBuffer.allocate(2 * out.capacity());
            result = engine.wrap(from, out);
        }
        out.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED && from.hasRemaining()) {
            throw new SSLException("the TLS connection is closed");
        }
    }

    private boolean flush(SocketChannel channel) throws IOException {
        while (out.hasRemaining()) {
            if (channel.write(out) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void write(SocketChannel channel, ByteBuffer from) throws IOException {
        while (flush(channel) && from.hasRemaining()) {
            wrap(from);
            if (!out.hasRemaining()) {
                // The engine wants to read first; the loop comes back when something came.
                return;
            }
        }
    }

    @Override
    public boolean unsent() {
        return out.hasRemaining();
    }

    @Override
    public int read(SocketChannel channel, ByteBuffer into) throws IOException {
        int before = into.position();
        int count = channel.read(in);
        in.flip();
        boolean closed = false;
        while (in.hasRemaining() && !closed) {
            SSLEngineResult result = engine.unwrap(in, into);
            closed = result.getStatus() == SSLEngineResult.Status.CLOSED;
            if (result.getStatus() != SSLEngineResult.Status.OK
                    || result.bytesConsumed() + result.bytesProduced() == 0) {
                break;
            }
            // After the handshake a server may still ask for new keys.
            if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_TASK) {
                tasks();
            }
            if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP && flush(channel)) {
                wrap(NOTHING);
                flush(channel);
            }
        }
        in.compact();
        int read = into.position() - before;
        return read == 0 && (count < 0 || closed) ? -1 : read;
    }
}
