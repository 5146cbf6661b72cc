package dev.assay.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** What lies between a connection's socket and its HTTP: nothing, TLS, a proxy's tunnel. Nothing here blocks. */
interface Wire {
    /** Goes on with what has to happen before the first request; true once that is done. */
    boolean open(SocketChannel channel) throws IOException;

    /** Sends what it can of the bytes. */
    void write(SocketChannel channel, ByteBuffer from) throws IOException;

    /** Whether bytes that were taken still wait for the socket to take them. */
    boolean unsent();

    /** Reads what has come; −1 at the end of the stream. {@code into} has room for more than is read at once. */
    int read(SocketChannel channel, ByteBuffer into) throws IOException;

    /** The socket itself. */
    Wire PLAIN = new Wire() {
        @Override
        public boolean open(SocketChannel channel) {
            return true;
        }

        @Override
        public void write(SocketChannel channel, ByteBuffer from) throws IOException {
            channel.write(from);
        }

        @Override
        public boolean unsent() {
            return false;
        }

        @Override
        public int read(SocketChannel channel, ByteBuffer into) throws IOException {
            return channel.read(into);
        }
    };
}
