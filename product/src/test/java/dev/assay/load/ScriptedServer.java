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

/** A server on a real socket whose every byte is scripted: the script is called once for each request. */
final class ScriptedServer implements AutoCloseable {
    /** What is done with one request. */
    interface Script {
        void answer(Exchange exchange) throws IOException, InterruptedException;
    }

    /** One request as it came and the connection to answer on. */
    record Exchange(int number, String head, String body, Socket socket) {
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

    private final ServerSocket listener;
    private final Script script;
    private final boolean takesOver;
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
    private int requests;
    private int connections;

    ScriptedServer(Script script) throws IOException {
        this(script, false);
    }

    /** A server whose script takes the connection over behind the head of its first request: for tunnels. */
    ScriptedServer(Script script, boolean takesOver) throws IOException {
        this.takesOver = takesOver;
        this.script = script;
        this.listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
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
            InputStream in = takesOver
                    ? socket.getInputStream()
                    : new BufferedInputStream(socket.getInputStream(), 1 << 16);
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
                script.answer(new Exchange(nextRequest(), head.toString(), body, socket));
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
