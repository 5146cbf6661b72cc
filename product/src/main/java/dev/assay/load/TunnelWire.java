package dev.assay.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A tunnel that a proxy makes with CONNECT, and what goes through it. */
final class TunnelWire implements Wire {
    private static final int HEAD_LIMIT = 16 << 10;

    private final Wire inner;
    private final ByteBuffer request;
    private final ByteBuffer one = ByteBuffer.allocate(1);
    private final StringBuilder head = new StringBuilder();
    private boolean made;

    /** A tunnel to a host and port of that text. */
    TunnelWire(String authority, ProxyServer proxy, Wire inner) {
        this.inner = inner;
        String authorization = proxy.authorization().map(a -> "Proxy-Authorization: " + a + "\r\n")
                .orElse("");
        request = ByteBuffer.wrap(("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n"
                + authorization + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public boolean open(SocketChannel channel) throws IOException {
        while (!made) {
            if (request.hasRemaining() && channel.write(request) == 0) {
                return false;
            }
            if (!request.hasRemaining() && !answer(channel)) {
                return false;
            }
        }
        return inner.open(channel);
    }

    /** Reads the proxy's answer byte by byte, so that nothing behind it is lost. */
    private boolean answer(SocketChannel channel) throws IOException {
        while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            int count = channel.read(one.clear());
            if (count == 0) {
                return false;
            }
            if (count < 0 || head.length() > HEAD_LIMIT) {
                throw new EOFException("the proxy ended the connection before it made the tunnel");
            }
            head.append((char) (one.get(0) & 0xFF));
        }
        String status = head.substring(0, head.indexOf("\r\n"));
        if (!status.matches("HTTP/1\\.[01] 2\\d\\d.*")) {
            throw new IOException("the proxy made no tunnel: " + status);
        }
        made = true;
        return true;
    }

    @Override
    public void write(SocketChannel channel, ByteBuffer from) throws IOException {
        inner.write(channel, from);
    }

    @Override
    public boolean unsent() {
        return request.hasRemaining() || inner.unsent();
    }

    @Override
    public int read(SocketChannel channel, ByteBuffer into) throws IOException {
        return inner.read(channel, into);
    }
}
