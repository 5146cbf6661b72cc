package dev.assay.model;

import dev.assay.json.JsonValue;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Which layers of a {@code config.json} look back only so far. */
final class HfWindows {
    private HfWindows() {}

    static List<OptionalInt> of(HfConfig.Family family, ConfigFields f, int layers) {
        List<JsonValue> types = f.list("layer_types");
        if (!types.isEmpty()) {
            return byType(f, types, layers);
        }
        OptionalInt window = f.optional("sliding_window", 1);
        return IntStream.range(0, layers).mapToObj(i -> slides(family, f, i) ? window : OptionalInt.empty())
                .toList();
    }

    /** Where the layers are not listed, each architecture has its own rule. */
    private static boolean slides(HfConfig.Family family, ConfigFields f, int layer) {
        return switch (family) {
            case MISTRAL, MIXTRAL, PHI3 -> true;
            case QWEN2, QWEN3, QWEN2_MOE, QWEN3_MOE -> f.flag("use_sliding_window", false)
                    && layer >= f.integer("max_window_layers", 0, 28);
            case GEMMA2, GPT_OSS -> layer % 2 == 0;
            case GEMMA3_TEXT -> (layer + 1) % f.integer("sliding_window_pattern", 1, 6) != 0;
            case LLAMA, DEEPSEEK_V2, DEEPSEEK_V3 -> false;
        };
    }

    private static List<OptionalInt> byType(ConfigFields f, List<JsonValue> types, int layers) {
        if (types.size() != layers) {
            throw f.fault("layer_types", "has " + types.size() + " entries; expected num_hidden_layers, "
                    + layers);
        }
        return types.stream().map(t -> switch (t.asText()) {
            case "full_attention" -> OptionalInt.empty();
            case "sliding_attention" -> OptionalInt.of(f.integer("sliding_window"));
            default -> throw f.fault("layer_types",
                    "has '" + t.asText() + "'; expected full_attention or sliding_attention");
        }).toList();
    }
}
