package dev.assay.engine;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reading and answering HTTP exchanges. */
final class Exchanges {
    /** Far above any prompt of any context length here, far below what would hurt. */
    static final int MAX_BODY_BYTES = 4 << 20;

    private Exchanges() {}

    static String body(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (bytes.length > MAX_BODY_BYTES) {
            throw ApiError.of(413, "request_too_large", "body: at most " + MAX_BODY_BYTES + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static void send(HttpExchange exchange, int status, String contentType, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    static void json(HttpExchange exchange, Object value) throws IOException {
        send(exchange, 200, "application/json", Json.canonical(value));
    }

    static void error(HttpExchange exchange, ApiError error) throws IOException {
        send(exchange, error.status(), "application/json", errorJson(error));
    }

    /** OpenAI's shape of an error. */
    static String errorJson(ApiError error) {
        JsonValue none = new JsonValue.Null(JsonValue.Position.NONE);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("message", error.getMessage() == null ? "" : error.getMessage());
        body.put("type", error.status() >= 500 ? "server_error" : "invalid_request_error");
        body.put("param", error.param().isEmpty() ? none : error.param());
        body.put("code", error.code().isEmpty() ? none : error.code());
        return Json.canonical(Map.of("error", body));
    }
}
