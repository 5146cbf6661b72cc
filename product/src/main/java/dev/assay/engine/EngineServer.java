package dev.assay.engine;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.AssayException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The embedded inference server: a model, its engine and the HTTP API over it. It is ready when {@link #start} returns.
 */
public final class EngineServer implements AutoCloseable {
    /** Connections that may wait to be accepted, so that a burst of clients is not refused. */
    private static final int BACKLOG = 1024;

    private final HttpServer http;
    private final ExecutorService threads;
    private final Engine engine;

    private EngineServer(HttpServer http, ExecutorService threads, Engine engine) {
        this.http = http;
        this.threads = threads;
        this.engine = engine;
    }

    /**
     * Binds the port, loads the model and begins to serve.
     *
     * @throws AssayException if the port is taken or the model cannot be used
     */
    public static EngineServer start(EngineConfig config) {
        return start(config, () -> Decoder.load(config.model(), config.decoder()));
    }

    /** The same with a decoder that is made once the port is bound, so that a taken port costs no time. */
    static EngineServer start(EngineConfig config, Supplier<Decoder> loader) {
        HttpServer http = bind(config);
        try {
            Decoder decoder = loader.get();
            Engine engine = new Engine(decoder, config.scheduler(), System::nanoTime);
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            new Routes(config, decoder, engine).register(http);
            http.setExecutor(threads);
            engine.start();
            http.start();
            return new EngineServer(http, threads, engine);
        } catch (RuntimeException e) {
            http.stop(0);
            throw e;
        }
    }

    private static HttpServer bind(EngineConfig config) {
        serverProperties();
        String where = config.host() + ":" + config.port();
        try {
            return HttpServer.create(
                    new InetSocketAddress(InetAddress.getByName(config.host()), config.port()),
                    BACKLOG);
        } catch (UnknownHostException e) {
            throw AssayException
                    .misuse("--host " + config.host() + ": expected a name or address of this machine");
        } catch (BindException e) {
            throw AssayException.environment(where + ": cannot listen: " + e.getMessage(), e);
        } catch (IOException e) {
            throw AssayException.environment(where + ": cannot listen: " + e, e);
        }
    }

    /** Settings that the JDK's server reads once, when its class is loaded; the command line may override them. */
    private static void serverProperties() {
        // Without it small replies on a kept-alive connection wait for the client's delayed acknowledgement.
        setIfAbsent("sun.net.httpserver.nodelay", "true");
        // A client's pool must be able to hold idle connections longer than between two load points.
        setIfAbsent("sun.net.httpserver.idleInterval", "600");
        setIfAbsent("sun.net.httpserver.maxIdleConnections", "4096");
    }

    private static void setIfAbsent(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    /** The port that it listens on. */
    public int port() {
        return http.getAddress().getPort();
    }

    /** Where it listens, without a path. */
    public String url() {
        String host = http.getAddress().getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    /** Ends all requests, frees the port and the model. */
    @Override
    public void close() {
        engine.close();
        http.stop(0);
        threads.shutdownNow();
    }

    /** Answers one kind of request; what it throws becomes an error reply. */
    interface Handler {
        /** Answers the exchange. */
        void handle(HttpExchange exchange) throws IOException;
    }

    /** Wraps a handler so that every fault is an answer, and the exchange always ends. */
    static void answer(HttpExchange exchange, Handler handler) {
        try (exchange) {
            try {
                handler.handle(exchange);
            } catch (ApiError e) {
                Exchanges.error(exchange, e);
            } catch (AssayException | IllegalArgumentException e) {
                Exchanges.error(exchange, ApiError.of(400, "", String.valueOf(e.getMessage())));
            } catch (RuntimeException e) {
                Exchanges.error(exchange, ApiError.of(500, "internal", e.toString()));
            }
        } catch (IOException | UncheckedIOException e) {
            // The client went away: there is nobody left to tell.
            exchange.close();
        }
    }
}
