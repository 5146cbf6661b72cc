package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hand-written scanner against the full parser, on made-up events and on damaged ones. */
class EventScannerTest {
    private static final List<String> KEYS = List.of("choices", "usage", "error", "text", "delta", "content",
            "reasoning_content", "reasoning", "tool_calls", "finish_reason", "prompt_tokens",
            "completion_tokens",
            "prompt_tokens_details", "cached_tokens", "id", "x\\\"y");
    private static final List<String> TEXTS = List.of("", " a", "é\"\\", "\n\t", "[DONE]", "}", "\u0001");

    private static JsonValue value(SplittableRandom r, int depth) {
        return switch (r.nextInt(depth > 4 ? 5 : 8)) {
            case 0 -> new JsonValue.Null(JsonValue.Position.NONE);
            case 1 -> JsonValue.of(r.nextBoolean());
            case 2 -> JsonValue.of(r.nextInt(1000));
            case 3 -> JsonValue.of(r.nextDouble() * 1e-9);
            case 4 -> JsonValue.of(TEXTS.get(r.nextInt(TEXTS.size())));
            case 5 -> {
                List<JsonValue> items = new ArrayList<>();
                for (int i = r.nextInt(3); i > 0; i--) {
                    items.add(value(r, depth + 1));
                }
                yield JsonValue.Arr.of(items);
            }
            default -> object(r, depth + 1);
        };
    }

    private static JsonValue.Obj object(SplittableRandom r, int depth) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        for (int i = r.nextInt(Math.max(1, 7 - depth)); i > 0; i--) {
            // The first names are those that matter; drawing them more often makes most events real ones.
            String key = KEYS.get(r.nextInt(r.nextBoolean() ? 6 : KEYS.size()));
            fields.put(key, switch (key) {
                case "usage", "delta", "prompt_tokens_details" -> object(r, depth + 1);
                case "text", "content", "reasoning_content", "reasoning" ->
                    r.nextBoolean() ? JsonValue.of(TEXTS.get(r.nextInt(TEXTS.size()))) : value(r, depth + 1);
                case "choices" -> JsonValue.Arr.of(List.of(object(r, depth + 1)));
                default -> key.endsWith("_tokens") ? JsonValue.of(r.nextInt(5000)) : value(r, depth + 1);
            });
        }
        return JsonValue.Obj.of(fields);
    }

    private static String seen(EventScanner s) {
        return s.hasText + " " + s.hasChoice + " " + s.hasError + " " + s.promptTokens + " "
                + s.completionTokens + " " + s.cachedTokens;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void agreesWithTheParserOnWhatItReads(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EventScanner quick = new EventScanner();
        EventScanner full = new EventScanner();
        int texts = 0;
        for (int i = 0; i < 5000; i++) {
            JsonValue.Obj event = object(random, 0);
            byte[] bytes = (random.nextBoolean() ? Json.canonical(event) : Json.pretty(event))
                    .getBytes(StandardCharsets.UTF_8);
            assertThat(EventReader.read(bytes, bytes.length, full)).isTrue();
            assertThat(quick.scan(bytes, 0, bytes.length)).as(Json.canonical(event)).isTrue();
            assertThat(seen(quick)).as(Json.canonical(event)).isEqualTo(seen(full));
            texts += quick.hasText ? 1 : 0;
        }
        assertThat(texts).isGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void neverTakesWhatTheParserRefusesForItsStructure(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EventScanner scanner = new EventScanner();
        int refused = 0;
        for (int i = 0; i < 5000; i++) {
            String text = Json.canonical(object(random, 0));
            String cut = text.substring(0, random.nextInt(text.length()));
            byte[] bytes = cut.getBytes(StandardCharsets.UTF_8);
            assertThat(scanner.scan(bytes, 0, bytes.length)).as(cut).isFalse();
            refused += parses(cut) ? 0 : 1;
        }
        assertThat(refused).isEqualTo(5000);
    }

    private static boolean parses(String text) {
        try {
            Json.parse(text, "t");
            return true;
        } catch (AssayException e) {
            return false;
        }
    }
}
