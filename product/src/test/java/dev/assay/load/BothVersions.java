package dev.assay.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that serves completions of six tokens by HTTP/1.1, and by HTTP/2 to whoever begins with its preface, on one
 * port, as real servers do.
 */
public final class BothVersions implements AutoCloseable {
    private static final String TOKEN = "data: {\"choices\":[{\"index\":0,\"text\":\" t\"}]}\n\n";
    private static final String USAGE = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,"
            + "\"completion_tokens\":6}}\n\n";
    private static final int TOKENS = 6;
    private static final int GAP_MILLIS = 8;

    private final AtomicInteger byHttp1 = new AtomicInteger();
    private final AtomicInteger byHttp2 = new AtomicInteger();
    private final List<String> tenants = new CopyOnWriteArrayList<>();
    private final HttpServer http1;
    private final Http2Server http2;
    private final ServerSocket front;

    /** A server that answers at once. */
    public BothVersions() throws IOException {
        http1 = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http1.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http1.createContext("/health", x -> reply(x, "ok"));
        http1.createContext("/v1/models", x -> reply(x, "{\"data\":[{\"id\":\"assay-18m\"}]}"));
        http1.createContext("/v1/completions", this::complete);
        http1.start();
        http2 = new Http2Server(this::stream);
        front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Its URL. */
    public String url() {
        return "http://127.0.0.1:" + front.getLocalPort();
    }

    /** Streams that went by HTTP/1.1. */
    public int streamsByHttp1() {
        return byHttp1.get();
    }

    /** Streams that went by HTTP/2. */
    public int streamsByHttp2() {
        return byHttp2.get();
    }

    /** The header {@code x-tenant} of every request by either version. */
    public List<String> tenants() {
        return tenants;
    }

    private static void reply(HttpExchange x, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        x.sendResponseHeaders(200, bytes.length);
        x.getResponseBody().write(bytes);
        x.close();
    }

    private void complete(HttpExchange x) throws IOException {
        String body = new String(x.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        tenants.add(String.valueOf(x.getRequestHeaders().getFirst("X-Tenant")));
        if (!body.replace(" ", "").contains("\"stream\":true")) {
            reply(x, "{\"choices\":[{\"index\":0,\"text\":\" t t\"}]}");
            return;
        }
        byHttp1.incrementAndGet();
        x.getResponseHeaders().add("Content-Type", "text/event-stream");
        x.sendResponseHeaders(200, 0);
        try (OutputStream out = x.getResponseBody()) {
            for (int i = 0; i < TOKENS; i++) {
                out.write(TOKEN.getBytes(StandardCharsets.UTF_8));
                out.flush();
                Thread.sleep(GAP_MILLIS);
            }
            out.write((USAGE + "data: [DONE]\n\n").getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stream(Http2Server.Stream s) {
        byHttp2.incrementAndGet();
        tenants.add(String.valueOf(s.headers().get("x-tenant")));
        s.stream();
        for (int i = 0; i < TOKENS; i++) {
            s.later((long) i * GAP_MILLIS, () -> s.write(TOKEN));
        }
        s.later((long) TOKENS * GAP_MILLIS, () -> s.write(USAGE).done());
    }

    private void accept() {
        try {
            while (true) {
                Socket client = front.accept();
                Thread.ofVirtual().start(() -> carry(client));
            }
        } catch (IOException e) {
            return;
        }
    }

    /** An HTTP/2 connection begins with PRI; no method of HTTP/1.1 does. */
    private void carry(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            PushbackInputStream in = new PushbackInputStream(client.getInputStream(), 3);
            byte[] head = in.readNBytes(3);
            in.unread(head);
            int port = new String(head, StandardCharsets.US_ASCII).equals("PRI")
                    ? http2.port()
                    : http1.getAddress().getPort();
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
                server.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> copy(server, client));
                copy(in, server.getOutputStream());
            }
        } catch (IOException e) {
            return;
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            copy(from.getInputStream(), to.getOutputStream());
            to.close();
        } catch (IOException e) {
            return;
        }
    }

    private static void copy(InputStream from, OutputStream to) throws IOException {
        from.transferTo(to);
    }

    @Override
    public void close() throws IOException {
        front.close();
        http1.stop(0);
        http2.close();
    }
}
