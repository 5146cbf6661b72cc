package dev.assay.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that serves completions of six tokens by HTTP/1.1, and by HTTP/2 to whoever begins with its preface, on one
 * port, as real servers do.
 */
public final class BothVersions implements AutoCloseable {
    private static final int TOKENS = 6;
    private static final int PROMPT = 12;
    private static final int GAP_MILLIS = 8;

    private final AtomicInteger byHttp1 = new AtomicInteger();
    private final AtomicInteger byHttp2 = new AtomicInteger();
    private final List<String> tenants = new CopyOnWriteArrayList<>();
    private final Http2Server http2 = new Http2Server(this::stream);
    private final ScriptedServer front;

    /** A server that answers at once. */
    public BothVersions() throws IOException {
        ScriptedServer.Script http1 = ScriptedServer.completions(e -> {
            byHttp1.incrementAndGet();
            e.tokens(TOKENS, PROMPT, GAP_MILLIS);
        });
        front = new ScriptedServer(e -> {
            if (e.head().startsWith("PRI ")) {
                try (Socket far = new Socket(InetAddress.getLoopbackAddress(), http2.port())) {
                    far.setTcpNoDelay(true);
                    far.getOutputStream().write(e.head().getBytes(StandardCharsets.US_ASCII));
                    e.join(far);
                }
                return;
            }
            if (e.path().equals("/v1/completions")) {
                tenants.add(e.header("x-tenant").orElse("none"));
            }
            http1.answer(e);
        });
    }

    /** Its URL. */
    public String url() {
        return front.url();
    }

    /** Streams that went by HTTP/1.1. */
    public int streamsByHttp1() {
        return byHttp1.get();
    }

    /** Streams that went by HTTP/2. */
    public int streamsByHttp2() {
        return byHttp2.get();
    }

    /** The header {@code x-tenant} of every completion by either version. */
    public List<String> tenants() {
        return tenants;
    }

    private void stream(Http2Server.Stream s) {
        byHttp2.incrementAndGet();
        tenants.add(String.valueOf(s.headers().get("x-tenant")));
        s.stream();
        for (int i = 1; i <= TOKENS; i++) {
            s.later((long) i * GAP_MILLIS, () -> s.text(" t"));
        }
        s.later((long) TOKENS * GAP_MILLIS,
                () -> s.write("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" + PROMPT
                        + ",\"completion_tokens\":" + TOKENS + "}}\n\n").done());
    }

    @Override
    public void close() throws IOException {
        front.close();
        http2.close();
    }
}
