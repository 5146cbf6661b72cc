package dev.assay.load;

import dev.assay.workload.Percentiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How long the way to a server and back takes without any token: a GET on a connection that is kept, else the time to
 * connect.
 *
 * @param via the path that was asked for, or {@code connect}
 * @param n how often
 * @param medianMs median
 * @param lowMs 10th percentile
 * @param highMs 90th percentile
 */
public record RoundTrip(String via, int n, double medianMs, double lowMs, double highMs) {
    private static final int PROBES = 21;
    private static final int MILLIS = 2000;
    private static final String CONNECT = "connect";
    /** More than a list of models has. */
    private static final int BODY_LIMIT = 1 << 20;

    /** The round trip now, by {@code /health}, else {@code /v1/models}, else a connection; empty where none is taken. */
    public static Optional<RoundTrip> measure(URI base, Optional<String> apiKey) {
        boolean plain = "http".equals(base.getScheme());
        for (String path : plain ? List.of("/health", "/v1/models") : List.<String>of()) {
            Optional<RoundTrip> found = times(path, base, apiKey);
            if (found.isPresent()) {
                return found;
            }
        }
        return times(CONNECT, base, apiKey);
    }

    private static Optional<RoundTrip> times(String via, URI base, Optional<String> apiKey) {
        double[] ms = new double[PROBES];
        try (Way way = via.equals(CONNECT) ? new Connecting(base) : new Asking(base, via, apiKey)) {
            // The first one opens connections and compiles code; it is no measurement.
            way.once();
            for (int i = 0; i < PROBES; i++) {
                ms[i] = way.once() / 1e6;
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        Arrays.sort(ms);
        return Optional.of(new RoundTrip(via, PROBES, Percentiles.ofSorted(ms, 0.5),
                Percentiles.ofSorted(ms, 0.1), Percentiles.ofSorted(ms, 0.9)));
    }

    private static Socket connect(URI base) throws IOException {
        int port = base.getPort() >= 0 ? base.getPort() : "https".equals(base.getScheme()) ? 443 : 80;
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(MILLIS);
        socket.connect(new InetSocketAddress(base.getHost(), port), MILLIS);
        return socket;
    }

    /** One way of measuring. */
    private interface Way extends AutoCloseable {
        long once() throws IOException;

        @Override
        void close() throws IOException;
    }

    private record Connecting(URI base) implements Way {
        @Override
        public long once() throws IOException {
            long from = System.nanoTime();
            connect(base).close();
            return System.nanoTime() - from;
        }

        @Override
        public void close() {}
    }

    /** GETs on one connection; a server that closes it is asked on another, whose opening is not timed. */
    private static final class Asking implements Way {
        private final URI base;
        private final byte[] request;
        private Socket socket;

        Asking(URI base, String path, Optional<String> apiKey) throws IOException {
            this.base = base;
            this.request = ("GET " + path + " HTTP/1.1\r\nHost: " + base.getHost() + "\r\nAccept: */*\r\n"
                    + apiKey.map(k -> "Authorization: Bearer " + k + "\r\n").orElse("") + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
            this.socket = connect(base);
        }

        @Override
        public long once() throws IOException {
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            long from = System.nanoTime();
            out.write(request);
            out.flush();
            int first = in.read();
            long took = System.nanoTime() - from;
            if (first < 0) {
                throw new IOException("closed without an answer");
            }
            if (!drained(in, first)) {
                socket.close();
                socket = connect(base);
            }
            return took;
        }

        /** Reads the rest of the answer; false where the connection cannot be used again. */
        private static boolean drained(InputStream in, int first) throws IOException {
            StringBuilder head = new StringBuilder().append((char) first);
            while (head.indexOf("\r\n\r\n") < 0 && head.length() < BODY_LIMIT) {
                int c = in.read();
                if (c < 0) {
                    return false;
                }
                head.append((char) c);
            }
            String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
            if (!lower.startsWith("http/1.1 200")) {
                throw new IOException("status is not 200");
            }
            int at = lower.indexOf("\r\ncontent-length:");
            if (at < 0 || lower.contains("\r\nconnection: close")) {
                return false;
            }
            String length = lower.substring(at + 17, lower.indexOf("\r\n", at + 17)).strip();
            int bytes = length.matches("[0-9]{1,7}") ? Integer.parseInt(length) : BODY_LIMIT;
            return bytes < BODY_LIMIT && in.readNBytes(bytes).length == bytes;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
