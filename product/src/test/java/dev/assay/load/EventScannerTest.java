package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.EventScanner.Found;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hand-written scanner against the full parser, on made-up events, on series of like ones and on damaged ones. */
class EventScannerTest {
    private static final List<String> KEYS = List.of("choices", "usage", "error", "text", "delta", "content",
            "token", "meta_info", "details", "timings", "stop", "generated_text", "special", "type",
            "reasoning_content", "reasoning", "tool_calls", "finish_reason", "prompt_tokens",
            "completion_tokens", "tokens_predicted", "tokens_evaluated", "generated_tokens", "input_length",
            "cache_n", "prompt_tokens_details", "cached_tokens", "id", "x\\\"y");
    private static final List<String> TEXTS = List.of("", " a", "é\"\\", "\n\t", "[DONE]", "}", "\u0001",
            "a text of more than eight bytes", "abort", "stop");

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
            String key = KEYS.get(r.nextInt(r.nextBoolean() ? 10 : KEYS.size()));
            fields.put(key, switch (key) {
                case "usage", "delta", "prompt_tokens_details", "token", "meta_info", "details", "timings" ->
                    object(r, depth + 1);
                case "text", "content", "reasoning_content", "reasoning" ->
                    r.nextBoolean() ? JsonValue.of(TEXTS.get(r.nextInt(TEXTS.size()))) : value(r, depth + 1);
                case "choices" -> JsonValue.Arr.of(List.of(object(r, depth + 1)));
                default -> key.matches(".*(_tokens|tokens_.*|_n|_length)")
                        ? JsonValue.of(r.nextInt(5000))
                        : value(r, depth + 1);
            });
        }
        return JsonValue.Obj.of(fields);
    }

    private static String seen(Found s) {
        return s.hasText + " " + s.hasAnswer + " " + s.mayCarry + " " + s.hasError + " " + s.ends + " "
                + s.special + " " + s.promptTokens + " " + s.completionTokens + " " + s.cachedTokens;
    }

    private static String text(byte[] bytes, Found s) {
        return Json
                .parse('"' + new String(bytes, s.textStart, s.textLength, StandardCharsets.UTF_8) + '"', "t")
                .asText();
    }

    @ParameterizedTest
    @EnumSource(Target.Api.class)
    void agreesWithTheParserOnWhatItReads(Target.Api api) {
        SplittableRandom random = new SplittableRandom(api.title().hashCode());
        EventScanner quick = new EventScanner(api.grammar());
        Found full = new Found();
        int texts = 0;
        for (int i = 0; i < 2500; i++) {
            JsonValue.Obj event = object(random, 0);
            byte[] bytes = (random.nextBoolean() ? Json.canonical(event) : Json.pretty(event))
                    .getBytes(StandardCharsets.UTF_8);
            EventReader.Reading reading = EventReader.read(bytes, 0, bytes.length, api.grammar(), full);
            assertThat(reading.read()).isTrue();
            assertThat(quick.scan(bytes, 0, bytes.length)).as(Json.canonical(event)).isTrue();
            assertThat(seen(quick.found)).as(Json.canonical(event)).isEqualTo(seen(full));
            texts += quick.found.textLength > 0 ? 1 : 0;
        }
        assertThat(texts).isGreaterThan(20);
    }

    /** The same event with other texts and numbers, as a stream brings it; the mould must not show. */
    private static JsonValue varied(JsonValue value, SplittableRandom r) {
        return switch (value) {
            case JsonValue.Obj o -> {
                Map<String, JsonValue> fields = new LinkedHashMap<>();
                o.fields().forEach((k, v) -> fields.put(k, varied(v, r)));
                yield JsonValue.Obj.of(fields);
            }
            case JsonValue.Arr a -> JsonValue.Arr.of(a.items().stream().map(v -> varied(v, r)).toList());
            case JsonValue.Str s -> r.nextInt(3) == 0 ? JsonValue.of(TEXTS.get(r.nextInt(TEXTS.size()))) : s;
            case JsonValue.Int _ -> r.nextInt(20) == 0 ? JsonValue.of(0.5) : JsonValue.of(r.nextInt(100000));
            case JsonValue.Real _ -> JsonValue.of(r.nextDouble() - 0.5);
            case JsonValue.Bool b -> r.nextInt(10) == 0 ? JsonValue.of(!b.value()) : b;
            case JsonValue.Null n -> n;
        };
    }

    @ParameterizedTest
    @EnumSource(Target.Api.class)
    void aSeriesOfLikeEventsReadsAsEachAlone(Target.Api api) {
        SplittableRandom random = new SplittableRandom(100 + api.title().hashCode());
        EventScanner warm = new EventScanner(api.grammar());
        Found full = new Found();
        for (int series = 0; series < 150; series++) {
            JsonValue event = object(random, 0);
            for (int i = 0; i < 20; i++) {
                event = varied(event, random);
                String json = Json.canonical(event);
                byte[] bytes = ("..." + json + "...").getBytes(StandardCharsets.UTF_8);
                String said = EventReader.read(bytes, 3, bytes.length - 6, api.grammar(), full).text();
                // What is no plain count goes to the parser; all else is read here.
                if (warm.scan(bytes, 3, bytes.length - 3)) {
                    assertThat(seen(warm.found)).as(json).isEqualTo(seen(full));
                    assertThat(said.isEmpty() || said.equals(text(bytes, warm.found))
                            || json.indexOf("choices") > 0)
                            .as(json).isTrue();
                }
            }
        }
    }

    private static Found found(Target.Api api, String... events) {
        EventScanner scanner = new EventScanner(api.grammar());
        for (String event : events) {
            byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
            assertThat(scanner.scan(bytes, 0, bytes.length)).as(event).isTrue();
        }
        return scanner.found;
    }

    /** The events are those that llama-server 11434 sent, shortened. */
    @Test
    void llamaCppEvents() {
        String first = "{\"index\":0,\"content\":\" a\",\"tokens\":[258],\"stop\":false,\"id_slot\":-1,"
                + "\"tokens_predicted\":1,\"tokens_evaluated\":6}";
        assertThat(seen(found(Target.Api.LLAMA_CPP, first)))
                .isEqualTo("true true true false false false 6 1 -1");
        String last = "{\"index\":0,\"content\":\"\",\"tokens\":[],\"stop\":true,\"tokens_predicted\":4,"
                + "\"tokens_evaluated\":6,\"generation_settings\":{\"stop\":[],\"stream\":true},\"tokens_cached\":9,"
                + "\"timings\":{\"cache_n\":5,\"prompt_n\":1,\"prompt_ms\":5.6}}";
        assertThat(seen(found(Target.Api.LLAMA_CPP, first, last)))
                .isEqualTo("false false true false true false 6 4 5");
    }

    @Test
    void sglangEvents() {
        String event = "{\"text\":\" a b\",\"output_ids\":[1,2],\"meta_info\":{\"id\":\"f\",\"finish_reason\":null,"
                + "\"prompt_tokens\":7,\"completion_tokens\":2,\"cached_tokens\":3,\"e2e_latency\":0.2}}";
        assertThat(seen(found(Target.Api.SGLANG, event))).isEqualTo("true true true false false false 7 2 3");
        assertThat(found(Target.Api.SGLANG,
                event.replace("null", "{\"type\":\"length\",\"length\":2}")).hasError)
                .isFalse();
        assertThat(found(Target.Api.SGLANG,
                event.replace("null", "{\"type\":\"abort\",\"message\":\"x\"}")).hasError)
                .isTrue();
    }

    @Test
    void tgiEvents() {
        String event = "{\"index\":1,\"token\":{\"id\":11,\"text\":\" a\",\"logprob\":-0.5,\"special\":false},"
                + "\"generated_text\":null,\"details\":null}";
        String blank = event.replace(" a", "");
        assertThat(seen(found(Target.Api.TGI, event))).isEqualTo("true true true false false false -1 -1 -1");
        assertThat(seen(found(Target.Api.TGI, event, blank)))
                .isEqualTo("true false true false false false -1 -1 -1");
        String last = "{\"index\":2,\"token\":{\"id\":2,\"text\":\"</s>\",\"logprob\":-0.1,\"special\":true},"
                + "\"generated_text\":\" a b\",\"details\":{\"finish_reason\":\"length\",\"generated_tokens\":3,"
                + "\"input_length\":5,\"seed\":null}}";
        assertThat(seen(found(Target.Api.TGI, event, last)))
                .isEqualTo("true true true false true true 5 3 -1");
        assertThat(found(Target.Api.TGI,
                "{\"error\":\"Request failed\",\"error_type\":\"generation\"}").hasError)
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void neverTakesWhatTheParserRefusesForItsStructure(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EventScanner scanner = new EventScanner(EventGrammar.OPENAI);
        int refused = 0;
        for (int i = 0; i < 1200; i++) {
            String text = Json.canonical(object(random, 0));
            byte[] whole = text.getBytes(StandardCharsets.UTF_8);
            // The whole event first, so that its mould is there for the cut one.
            scanner.scan(whole, 0, whole.length);
            String cut = text.substring(0, random.nextInt(text.length()));
            byte[] bytes = cut.getBytes(StandardCharsets.UTF_8);
            assertThat(scanner.scan(bytes, 0, bytes.length)).as(cut).isFalse();
            refused += parses(cut) ? 0 : 1;
        }
        assertThat(refused).isEqualTo(1200);
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
