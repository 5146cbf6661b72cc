package dev.assay.engine;

import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Map;

/** Refuses fields that would change the output and are not implemented, unless their value changes nothing. */
final class Unsupported {
    /** Fields with the one value that leaves the output as it is. */
    private static final Map<String, Double> NEUTRAL = Map.of("n", 1.0, "best_of", 1.0, "presence_penalty",
            0.0,
            "frequency_penalty", 0.0, "repetition_penalty", 1.0);
    /** The same, for fields that cut the distribution's tail and so cannot change a greedy choice. */
    private static final Map<String, Double> NEUTRAL_UNLESS_SAMPLED = Map.of("top_p", 1.0, "top_k", -1.0,
            "min_p", 0.0);
    private static final List<String> ABSENT = List.of("suffix", "logit_bias", "tools", "functions",
            "guided_json",
            "guided_regex", "stop_token_ids", "use_beam_search", "bad_words", "prompt_logprobs",
            "structured_outputs");

    private Unsupported() {}

    static void refuse(Fields fields) {
        NEUTRAL.forEach((name, neutral) -> refuse(fields, name, neutral));
        if (fields.number("temperature", 0, 100, 1) > 0) {
            NEUTRAL_UNLESS_SAMPLED.forEach((name, neutral) -> refuse(fields, name, neutral));
        }
        for (String name : ABSENT) {
            if (fields.get(name).filter(value -> !isEmpty(value)).isPresent()) {
                throw ApiError.field(name, "is not supported");
            }
        }
        fields.object("response_format").flatMap(format -> format.text("type")).ifPresent(type -> {
            if (!type.equals("text")) {
                throw ApiError.field("response_format.type", "only text is supported, was " + type);
            }
        });
    }

    private static void refuse(Fields fields, String name, double neutral) {
        double value = fields.number(name, -Double.MAX_VALUE, Double.MAX_VALUE, neutral);
        boolean off = value == neutral || name.equals("top_k") && value == 0;
        if (!off) {
            throw ApiError.field(name, "only " + MetricsText.number(neutral) + " is supported, was "
                    + MetricsText.number(value));
        }
    }

    private static boolean isEmpty(JsonValue value) {
        return switch (value) {
            case JsonValue.Str s -> s.value().isEmpty();
            case JsonValue.Arr a -> a.items().isEmpty();
            case JsonValue.Obj o -> o.fields().isEmpty();
            case JsonValue.Bool b -> !b.value();
            case JsonValue.Null _ -> true;
            case JsonValue.Int _,JsonValue.Real _ -> false;
        };
    }
}
