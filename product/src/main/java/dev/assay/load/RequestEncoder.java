package dev.assay.load;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.workload.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the HTTP request of each {@link Request}; what all of them share is encoded once. */
final class RequestEncoder {
    private static final String ID = "Assay-Request";

    private final Target target;
    private final String head;
    private final String fields;

    RequestEncoder(Target target) {
        this.target = target;
        StringBuilder text = new StringBuilder("POST ").append(target.path()).append(" HTTP/1.1\r\nHost: ")
                .append(target.baseUrl().getHost()).append(':').append(target.port())
                .append("\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nUser-Agent: assay\r\n");
        target.apiKey().ifPresent(key -> text.append("Authorization: Bearer ").append(key).append("\r\n"));
        head = text.toString();
        String shared = Json.canonical(JsonValue.Obj.of(shared(target)));
        fields = shared.substring(1, shared.length() - 1);
    }

    ByteBuffer encode(Request request) {
        StringBuilder body = new StringBuilder(request.prompt().length() + fields.length() + 128).append('{')
                .append(fields);
        if (!target.extraBody().fields().containsKey("max_tokens")) {
            body.append(",\"max_tokens\":").append(request.outputTokens());
        }
        JsonValue prompt = JsonValue.of(request.prompt());
        switch (target.api()) {
            case COMPLETIONS -> body.append(",\"prompt\":").append(Json.canonical(prompt));
            case CHAT -> body.append(",\"messages\":").append(Json.canonical(JsonValue.Arr.of(
                    List.of(JsonValue.Obj.of(Map.of("role", JsonValue.of("user"), "content", prompt))))));
        }
        byte[] bytes = body.append('}').toString().getBytes(StandardCharsets.UTF_8);
        byte[] start = (head + "X-Request-Id: " + ID + "-" + request.id() + "\r\nContent-Length: "
                + bytes.length
                + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(start.length + bytes.length).put(start).put(bytes).flip();
    }

    private static Map<String, JsonValue> shared(Target target) {
        Map<String, JsonValue> fields = new TreeMap<>();
        fields.put("model", JsonValue.of(target.model()));
        fields.put("stream", JsonValue.of(true));
        fields.put("temperature", JsonValue.of(0));
        if (target.ignoreEos()) {
            fields.put("ignore_eos", JsonValue.of(true));
        }
        Map<String, JsonValue> options = new LinkedHashMap<>();
        switch (target.usage()) {
            case NONE -> {
            }
            case FINAL -> options.put("include_usage", JsonValue.of(true));
            case CONTINUOUS -> {
                options.put("include_usage", JsonValue.of(true));
                options.put("continuous_usage_stats", JsonValue.of(true));
            }
        }
        if (!options.isEmpty()) {
            fields.put("stream_options", JsonValue.Obj.of(options));
        }
        fields.putAll(target.extraBody().fields());
        return fields;
    }
}
