package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads one event into an {@link EventScanner}'s fields by the full JSON parser, where the scanner could not. */
final class EventReader {
    private EventReader() {}

    /** False where the event is no JSON object. */
    static boolean read(byte[] data, int length, EventScanner into) {
        JsonValue.Obj event;
        try {
            event = Json.parse(new String(data, 0, length, StandardCharsets.UTF_8), "event").asObject();
            JsonValue.Obj usage = object(event.get("usage")).orElse(JsonValue.Obj.of(java.util.Map.of()));
            into.hasUsage = !usage.fields().isEmpty();
            into.promptTokens = count(usage, "prompt_tokens");
            into.completionTokens = count(usage, "completion_tokens");
            into.cachedTokens = object(usage.get("prompt_tokens_details")).map(d -> count(d, "cached_tokens"))
                    .orElse(-1L);
        } catch (AssayException e) {
            return false;
        }
        into.hasError = event.get("error").isPresent();
        into.hasChoice = false;
        into.hasText = false;
        into.textLength = 0;
        if (event.get("choices").orElse(JsonValue.of(0)) instanceof JsonValue.Arr choices) {
            for (JsonValue item : choices.items()) {
                object(Optional.of(item)).ifPresent(choice -> choice(choice, into));
            }
        }
        return true;
    }

    private static void choice(JsonValue.Obj choice, EventScanner into) {
        into.hasChoice = true;
        into.hasText |= filled(choice.get("text"));
        object(choice.get("delta")).ifPresent(delta -> into.hasText |= filled(delta.get("content"))
                || filled(delta.get("reasoning_content")) || filled(delta.get("reasoning"))
                || delta.get("tool_calls").orElse(JsonValue.of(0)) instanceof JsonValue.Arr calls
                        && !calls.items().isEmpty());
    }

    private static boolean filled(Optional<JsonValue> value) {
        return value.isPresent() && value.get() instanceof JsonValue.Str text && !text.value().isEmpty();
    }

    private static Optional<JsonValue.Obj> object(Optional<JsonValue> value) {
        return value.flatMap(v -> v instanceof JsonValue.Obj o ? Optional.of(o) : Optional.empty());
    }

    private static long count(JsonValue.Obj usage, String name) {
        return usage.get(name).map(v -> Math.round(v.asDouble())).orElse(-1L);
    }
}
