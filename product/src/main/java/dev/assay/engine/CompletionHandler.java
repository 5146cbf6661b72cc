package dev.assay.engine;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Serves one request for tokens: submits it, waits for its events and writes them. A failed write, which is how a client
 * that went away shows, cancels the request.
 */
final class CompletionHandler {
    private final Engine engine;
    private final Tokenizer tokenizer;
    private final String model;
    private final LongSupplier clock;
    private final LongSupplier unixSeconds;
    private final AtomicLong ids = new AtomicLong();

    CompletionHandler(Engine engine, Tokenizer tokenizer, String model, LongSupplier clock,
            LongSupplier unixSeconds) {
        this.engine = engine;
        this.tokenizer = tokenizer;
        this.model = model;
        this.clock = clock;
        this.unixSeconds = unixSeconds;
    }

    void serve(HttpExchange exchange, CompletionRequest request) throws IOException {
        Generation generation = new Generation(ids.incrementAndGet(), request.prompt(), request.params(),
                clock.getAsLong());
        Reply reply = new Reply(request, tokenizer, model, generation.sequence().id(),
                unixSeconds.getAsLong());
        engine.submit(generation);
        boolean ended = false;
        try {
            if (request.stream()) {
                stream(exchange, request, generation, reply);
            } else {
                whole(exchange, request, generation, reply);
            }
            ended = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!ended) {
                engine.cancel(generation);
            }
        }
    }

    private void whole(HttpExchange exchange, CompletionRequest request, Generation generation, Reply reply)
            throws IOException, InterruptedException {
        List<TokenEvent> events = new ArrayList<>();
        StringBuilder text = new StringBuilder(request.echo() ? tokenizer.decode(request.prompt()) : "");
        while (events.isEmpty() || events.getLast().finish().isEmpty()) {
            TokenEvent event = generation.take();
            refuseAborted(event);
            events.add(event);
            text.append(event.text());
            reply.count(event, generation.sequence().hitTokens());
        }
        Exchanges.send(exchange, 200, "application/json", reply.whole(events, text.toString()));
    }

    private void stream(HttpExchange exchange, CompletionRequest request, Generation generation, Reply reply)
            throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        boolean first = true;
        boolean last = false;
        while (!last) {
            TokenEvent event = generation.take();
            try {
                refuseAborted(event);
            } catch (ApiError e) {
                write(out, Exchanges.errorJson(e));
                exchange.close();
                throw e;
            }
            reply.count(event, generation.sequence().hitTokens());
            String before = first && request.echo() ? tokenizer.decode(request.prompt()) : "";
            String start = first && request.chat() ? frame(reply.roleChunk()) : "";
            last = event.finish().isPresent();
            String end = last
                    ? (request.includeUsage() ? frame(reply.usageChunk()) : "") + frame("[DONE]")
                    : "";
            String chunk = frame(reply.tokenChunk(event, before + event.text(), first));
            out.write((start + chunk + end).getBytes(StandardCharsets.UTF_8));
            out.flush();
            first = false;
        }
        exchange.close();
    }

    private static void refuseAborted(TokenEvent event) {
        if (event.finish().filter(reason -> reason == FinishReason.ABORT).isPresent()) {
            throw ApiError.of(503, "server_stopping", "the engine stopped before the request ended");
        }
    }

    private static String frame(String data) {
        return "data: " + data + "\n\n";
    }

    private static void write(OutputStream out, String data) throws IOException {
        out.write(frame(data).getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
