package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Two identical servers, one of them behind a proxy that adds 2.09 ms, as two clients of aiperf#850 had it. */
class RoundTripIT {
    private static final long ADDED_NANOS = 2_090_000;

    private static void healthy(ScriptedServer.Exchange x) throws IOException {
        if (x.head().startsWith("GET /health ")) {
            x.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        } else {
            x.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        }
    }

    /** Passes bytes on; those of the client wait on their way. */
    private static final class Proxy implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new ArrayList<>();

        Proxy(URI to) throws IOException {
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        Socket client = listener.accept();
                        Socket server = new Socket(to.getHost(), to.getPort());
                        client.setTcpNoDelay(true);
                        server.setTcpNoDelay(true);
                        sockets.add(client);
                        sockets.add(server);
                        Thread.ofPlatform().daemon().start(() -> pass(client, server, ADDED_NANOS));
                        Thread.ofPlatform().daemon().start(() -> pass(server, client, 0));
                    }
                } catch (IOException e) {
                    return;
                }
            });
        }

        private static void pass(Socket from, Socket to, long delayNanos) {
            byte[] buffer = new byte[4096];
            try (from; to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    long until = System.nanoTime() + delayNanos;
                    while (System.nanoTime() < until) {
                        LockSupport.parkNanos(until - System.nanoTime());
                    }
                    out.write(buffer, 0, n);
                    out.flush();
                }
            } catch (IOException e) {
                return;
            }
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + listener.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            listener.close();
            for (Socket s : List.copyOf(sockets)) {
                s.close();
            }
        }
    }

    @Test
    void theLongerPathShowsAndIsRefused() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RoundTripIT::healthy);
                Proxy proxy = new Proxy(URI.create(server.url()))) {
            RoundTrip near = RoundTrip.measure(URI.create(server.url()), Optional.empty()).orElseThrow();
            RoundTrip far = RoundTrip.measure(proxy.url(), Optional.empty()).orElseThrow();
            assertThat(near.via()).isEqualTo("/health");
            assertThat(near.n()).isGreaterThanOrEqualTo(20);
            assertThat(near.lowMs()).isLessThanOrEqualTo(near.medianMs());
            assertThat(near.highMs()).isGreaterThanOrEqualTo(near.medianMs());
            assertThat(far.medianMs() - near.medianMs()).isCloseTo(2.09, within(1.0));
        }
    }

    @Test
    void aServerWithoutHealthIsAskedForItsModelsElseConnectedTo() throws IOException {
        try (ScriptedServer models = new ScriptedServer(x -> {
            if (x.head().startsWith("GET /v1/models ")) {
                x.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
                x.socket().close();
            } else {
                x.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            }
        }); ScriptedServer none = new ScriptedServer(x -> x.reset())) {
            assertThat(RoundTrip.measure(URI.create(models.url()), Optional.empty()).orElseThrow().via())
                    .isEqualTo("/v1/models");
            assertThat(RoundTrip.measure(URI.create(none.url()), Optional.empty()).orElseThrow().via())
                    .isEqualTo("connect");
        }
        URI gone;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
        assertThat(RoundTrip.measure(gone, Optional.empty())).isEmpty();
    }
}
