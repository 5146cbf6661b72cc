package dev.assay.engine;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The paths of the server and what each answers. */
final class Routes {
    private final EngineConfig config;
    private final Decoder decoder;
    private final Engine engine;
    private final RequestReader reader;
    private final CompletionHandler completions;
    private final long startedSeconds = System.currentTimeMillis() / 1000;
    private final Supplier<List<String>> digests;

    Routes(EngineConfig config, Decoder decoder, Engine engine) {
        this.config = config;
        this.decoder = decoder;
        this.engine = engine;
        AtomicLong seeds = new AtomicLong(System.nanoTime());
        reader = new RequestReader(config, decoder.tokenizer(), seeds::incrementAndGet);
        completions = new CompletionHandler(engine, decoder.tokenizer(), config.servedModelName(),
                System::nanoTime,
                () -> System.currentTimeMillis() / 1000);
        // Hashing the model takes as long as loading it, so it waits until somebody asks.
        digests = new Memo<>(() -> List.of(Digests.file(config.model()), Digests.kernels()));
    }

    void register(HttpServer http) {
        post(http, "/v1/completions", e -> completions.serve(e, reader.completion(Exchanges.body(e))));
        post(http, "/v1/chat/completions", e -> completions.serve(e, reader.chat(Exchanges.body(e))));
        post(http, "/tokenize", this::tokenize);
        post(http, "/reset_prefix_cache", e -> {
            engine.resetPrefixCache();
            Exchanges.send(e, 200, "application/json", "{}");
        });
        get(http, "/v1/models", e -> Exchanges.json(e, models()));
        get(http, "/health", this::health);
        get(http, "/metrics",
                e -> Exchanges.send(e, 200, "text/plain; version=0.0.4; charset=utf-8", metrics()));
        get(http, "/debug/steps", this::steps);
        get(http, "/debug/config", e -> Exchanges.json(e, echo()));
        http.createContext("/", e -> EngineServer.answer(e, x -> {
            throw ApiError.of(404, "not_found", x.getRequestURI().getPath() + ": no such path");
        }));
    }

    private static void post(HttpServer http, String path, EngineServer.Handler handler) {
        route(http, "POST", path, handler);
    }

    private static void get(HttpServer http, String path, EngineServer.Handler handler) {
        route(http, "GET", path, handler);
    }

    private static void route(HttpServer http, String method, String path, EngineServer.Handler handler) {
        http.createContext(path, e -> EngineServer.answer(e, x -> {
            // A context also gets all paths below its own.
            if (!x.getRequestURI().getPath().equals(path)) {
                throw ApiError.of(404, "not_found", x.getRequestURI().getPath() + ": no such path");
            }
            if (!x.getRequestMethod().equals(method)) {
                x.getResponseHeaders().set("Allow", method);
                throw ApiError.of(405, "method_not_allowed", path + ": expected " + method);
            }
            handler.handle(x);
        }));
    }

    private void health(HttpExchange exchange) throws IOException {
        if (!engine.failure().isEmpty()) {
            throw ApiError.of(503, "engine_failed", "the step loop ended: " + engine.failure());
        }
        Exchanges.send(exchange, 200, "application/json", "{}");
    }

    private void tokenize(HttpExchange exchange) throws IOException {
        Fields fields = RequestReader.fields(Exchanges.body(exchange));
        int[] ids = fields.text("prompt").map(decoder.tokenizer()::encode)
                .orElseThrow(() -> ApiError.field("prompt", "is missing: expected a text"));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("count", ids.length);
        answer.put("max_model_len", config.maxModelLen());
        answer.put("tokens", Arrays.stream(ids).boxed().toList());
        Exchanges.json(exchange, answer);
    }

    private Map<String, Object> models() {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("id", config.servedModelName());
        model.put("object", "model");
        model.put("created", startedSeconds);
        model.put("owned_by", "assay");
        model.put("root", String.valueOf(config.model().getFileName()));
        model.put("max_model_len", config.maxModelLen());
        model.put("meta", Map.of("n_params", decoder.shape().parameters(), "size", decoder.weightBytes(),
                "max_model_len", config.maxModelLen(), "n_vocab", decoder.shape().vocab()));
        return Map.of("object", "list", "data", List.of(model));
    }

    private void steps(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        long since = 0;
        if (query != null && !query.isEmpty()) {
            try {
                since = Long
                        .parseLong(query.startsWith("since=") ? query.substring("since=".length()) : query);
            } catch (NumberFormatException e) {
                throw ApiError.field("since", "expected a step number, found '" + query + "'");
            }
        }
        StringBuilder lines = new StringBuilder();
        engine.log().since(since).forEach(step -> step.appendJson(lines));
        Exchanges.send(exchange, 200, "application/jsonl", lines.toString());
    }

    private String metrics() {
        MetricsText out = new MetricsText(config.servedModelName());
        engine.metrics().write(out);
        out.gauge("resident_weight_bytes", "Bytes of weights in memory.", (double) decoder.weightBytes());
        long gcMillis = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
        out.counter("gc_seconds_total", "Time in garbage collection.", gcMillis / 1e3);
        long cpuNanos = ManagementFactory.getThreadMXBean().getThreadCpuTime(engine.threadId());
        out.counter("engine_cpu_seconds_total", "CPU time of the step loop's thread.",
                Math.max(0, cpuNanos) / 1e9);
        out.type("config_info", "gauge", "The settings, as labels.");
        out.sample("config_info", echo().labels(), 1);
        return out.toString();
    }

    private ConfigEcho echo() {
        var scheduler = config.scheduler();
        String dtype = switch (config.weights()) {
            case F32 -> "float32";
            case BF16 -> "bfloat16";
            case F16 -> "float16";
            case Q8_0 -> "float32";
        };
        boolean quantized = config.weights() == dev.assay.model.WeightFormat.Q8_0;
        return new ConfigEcho(config.servedModelName(), String.valueOf(config.model().getFileName()),
                digests.get().get(0), digests.get().get(1), dtype, quantized ? "q8_0" : "none",
                scheduler.blockSize(),
                scheduler.numBlocks(), scheduler.maxNumSeqs(), scheduler.maxNumBatchedTokens(),
                config.maxModelLen(),
                config.threads(), scheduler.watermark(), scheduler.prefixCaching(), decoder.weightBytes(),
                decoder.shape().parameters(), decoder.shape(), Runtime.version().toString(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(), System.nanoTime(), System.currentTimeMillis());
    }

    /** A value made at its first use, once. */
    private static final class Memo<T> implements Supplier<T> {
        private final Supplier<T> maker;
        private volatile boolean made;
        private java.util.Optional<T> value = java.util.Optional.empty();

        Memo(Supplier<T> maker) {
            this.maker = maker;
        }

        @Override
        public T get() {
            if (!made) {
                make();
            }
            return value.orElseThrow();
        }

        private synchronized void make() {
            if (!made) {
                value = java.util.Optional.of(maker.get());
                made = true;
            }
        }
    }
}
