package dev.assay.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** A server on a real socket whose every byte is scripted: the script is called once for each request. */
public final class ScriptedServer implements AutoCloseable {
    /** What is done with one request. */
    public interface Script {
        void answer(Exchange exchange) throws IOException, InterruptedException;
    }

    /** One request as it came, the connection to answer on, and what comes behind the request. */
    public record Exchange(int number, String head, String body, Socket socket, InputStream rest) {
        /** The path that was asked for. */
        public String path() {
            return head.split(" ", 3)[1];
        }

        /** A header's value, whatever the case of its name. */
        public Optional<String> header(String name) {
            return head.lines().filter(l -> l.toLowerCase(Locale.ROOT).startsWith(name + ":")).findFirst()
                    .map(l -> l.substring(name.length() + 1).strip());
        }

        /** Answers in one piece. */
        public void reply(int status, String text) throws IOException {
            write("HTTP/1.1 " + status + " as scripted\r\nContent-Length: "
                    + text.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + text);
        }

        /** Answers with a stream of so many tokens, each this long after the one before. */
        public void tokens(int count, int prompt, long gapMillis) throws IOException, InterruptedException {
            stream();
            for (int i = 0; i < count; i++) {
                Thread.sleep(gapMillis);
                text(" t");
            }
            event("{\"choices\":[],\"usage\":{\"prompt_tokens\":" + prompt + ",\"completion_tokens\":" + count
                    + "}}").done();
        }

        /** Carries the rest of the connection to another socket and back. */
        void join(Socket far) throws IOException {
            Thread.ofVirtual().start(() -> {
                try (socket) {
                    far.getInputStream().transferTo(socket.getOutputStream());
                } catch (IOException e) {
                    return;
                }
            });
            rest.transferTo(far.getOutputStream());
        }

        Exchange write(String text) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return this;
        }

        Exchange head(String contentType, String... more) throws IOException {
            return write("HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\n"
                    + String.join("", List.of(more).stream().map(h -> h + "\r\n").toList()) + "\r\n");
        }

        Exchange stream(String... more) throws IOException {
            List<String> all = new ArrayList<>(List.of(more));
            all.add("Transfer-Encoding: chunked");
            return head("text/event-stream", all.toArray(String[]::new));
        }

        Exchange chunk(String text) throws IOException {
            return write(Integer.toHexString(text.getBytes(StandardCharsets.UTF_8).length) + "\r\n" + text
                    + "\r\n");
        }

        Exchange event(String json) throws IOException {
            return chunk("data: " + json + "\n\n");
        }

        Exchange text(String piece) throws IOException {
            return event("{\"choices\":[{\"index\":0,\"text\":\"" + piece + "\",\"finish_reason\":null}]}");
        }

        Exchange usage(int prompt, int completion) throws IOException {
            return event("{\"choices\":[],\"usage\":{\"prompt_tokens\":" + prompt + ",\"completion_tokens\":"
                    + completion
                    + ",\"prompt_tokens_details\":{\"cached_tokens\":3}}}");
        }

        void done() throws IOException {
            event("[DONE]").write("0\r\n\r\n");
        }

        /** Ends the connection with RST instead of FIN. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    private static final int QUEUE = 1024;
    private final ServerSocket listener;
    private final String scheme;
    private final Script script;
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
    private int requests;
    private int connections;

    public ScriptedServer(Script script) throws IOException {
        this(script, 0);
    }

    /** A server on this port. */
    public ScriptedServer(Script script, int port) throws IOException {
        this(script, new ServerSocket(port, QUEUE, InetAddress.getLoopbackAddress()), "http");
    }

    /** A server that speaks TLS. */
    public ScriptedServer(Script script, SSLContext tls) throws IOException {
        this(script, tls.getServerSocketFactory().createServerSocket(0, QUEUE,
                InetAddress.getLoopbackAddress()), "https");
    }

    private ScriptedServer(Script script, ServerSocket listener, String scheme) {
        this.script = script;
        this.listener = listener;
        this.scheme = scheme;
        Thread.ofVirtual().start(this::accept);
    }

    /** The usual paths of a server around the script that answers completions with a stream. */
    public static Script completions(Script stream) {
        return e -> {
            switch (e.path()) {
                case "/health" -> e.reply(200, "ok");
                case "/v1/models" -> e.reply(200, "{\"data\":[{\"id\":\"tiny\",\"meta\":{\"size\":99}}]}");
                case "/v1/completions" -> {
                    if (e.body().replace(" ", "").contains("\"stream\":true")) {
                        stream.answer(e);
                    } else {
                        e.reply(200, "{\"choices\":[{\"index\":0,\"text\":\" t t\"}]}");
                    }
                }
                default -> e.reply(404, "");
            }
        };
    }

    public String url() {
        return scheme + "://127.0.0.1:" + port();
    }

    int port() {
        return listener.getLocalPort();
    }

    synchronized int connections() {
        return connections;
    }

    private synchronized int nextRequest() {
        return requests++;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            return;
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            boolean first = true;
            while (true) {
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) {
                    int c = in.read();
                    if (c < 0) {
                        return;
                    }
                    head.append((char) c);
                }
                int at = head.indexOf("Content-Length: ");
                int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)));
                String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
                if (first) {
                    first = false;
                    synchronized (this) {
                        connections++;
                    }
                }
                script.answer(new Exchange(nextRequest(), head.toString(), body, socket, in));
            }
        } catch (IOException e) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : List.copyOf(sockets)) {
            socket.close();
        }
    }
}
