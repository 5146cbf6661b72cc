package dev.assay.model;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Reads a Hugging Face {@code config.json} as a {@link DecoderSpec}. The architecture is {@code model_type}; one that is
 * not in {@link Family} is refused, since its layers would be guessed.
 */
public final class HfConfig {
    /** The architectures that are read. */
    enum Family {
        LLAMA, MISTRAL, QWEN2, QWEN3, QWEN2_MOE, QWEN3_MOE, MIXTRAL, DEEPSEEK_V2, DEEPSEEK_V3, GEMMA2, GEMMA3_TEXT, GPT_OSS, PHI3;

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private HfConfig() {}

    /** The model in a file. */
    public static DecoderSpec read(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        String name = parent == null || parent.getFileName() == null
                ? "model"
                : parent.getFileName().toString();
        return of(Json.parseFile(file).asObject(), name, String.valueOf(file.getFileName()));
    }

    /**
     * The model in a document.
     *
     * @param name for reports
     * @param where the file's name for messages
     */
    public static DecoderSpec of(JsonValue.Obj document, String name, String where) {
        ConfigFields outer = new ConfigFields(document, where);
        String type = outer.text("model_type")
                .orElseThrow(() -> outer.missing("model_type", "one of " + known()));
        // Models with vision keep the decoder's fields apart.
        ConfigFields f = outer.nested("text_config");
        Family family = family(type.equals("gemma3") ? "gemma3_text" : type, outer);
        try {
            return spec(family, f, outer, name);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw AssayException.misuse(where + ": " + e.getMessage());
        }
    }

    private static Family family(String type, ConfigFields outer) {
        return Arrays.stream(Family.values()).filter(v -> v.id().equals(type)).findFirst()
                .orElseThrow(() -> outer.fault("model_type",
                        "is '" + type + "'; expected one of " + known()));
    }

    private static String known() {
        return Arrays.stream(Family.values()).map(Family::id).collect(Collectors.joining(", "));
    }

    private static DecoderSpec spec(Family family, ConfigFields f, ConfigFields outer, String name) {
        boolean tied = outer.flag("tie_word_embeddings",
                f.flag("tie_word_embeddings", family == Family.GEMMA2 || family == Family.GEMMA3_TEXT));
        int vocab = family == Family.GEMMA3_TEXT && !f.has("vocab_size")
                ? 262_208
                : f.integer("vocab_size");
        int context = f.optional("max_position_embeddings", 1)
                .orElseGet(() -> family == Family.GEMMA3_TEXT
                        ? 131_072
                        : f.integer("max_position_embeddings"));
        return new DecoderSpec(name, family.id(), f.integer("hidden_size"), vocab, context, tied,
                HfLayers.of(family, f), HfFormats.stored(outer, f), Map.of());
    }

    /** Grouped attention; the window is given by layer. */
    static AttentionSpec attention(Family family, ConfigFields f, OptionalInt window) {
        if (family == Family.DEEPSEEK_V2 || family == Family.DEEPSEEK_V3) {
            return new AttentionSpec.Latent(f.integer("num_attention_heads"),
                    f.integer("q_lora_rank", 1, 0), f.integer("kv_lora_rank"),
                    f.integer("qk_rope_head_dim"), f.integer("qk_nope_head_dim"), f.integer("v_head_dim"));
        }
        boolean gemma = family == Family.GEMMA2 || family == Family.GEMMA3_TEXT;
        int heads = gemma && !f.has("num_attention_heads") ? 8 : f.integer("num_attention_heads");
        int kvHeads = f.optional("num_key_value_heads", 1).orElse(gemma ? 4 : heads);
        boolean bias = switch (family) {
            case QWEN2, QWEN2_MOE -> f.flag("attention_bias", true);
            case GPT_OSS -> f.flag("attention_bias", true);
            case LLAMA, MISTRAL, QWEN3, QWEN3_MOE, MIXTRAL, DEEPSEEK_V2, DEEPSEEK_V3, GEMMA2, GEMMA3_TEXT,
                    PHI3 ->
                f.flag("attention_bias", false);
        };
        boolean norms = family == Family.QWEN3 || family == Family.QWEN3_MOE || family == Family.GEMMA3_TEXT;
        return new AttentionSpec.Grouped(heads, kvHeads, headDim(family, f, heads), bias, norms, window);
    }

    private static int headDim(Family family, ConfigFields f, int heads) {
        OptionalInt stated = f.optional("head_dim", 1);
        if (stated.isPresent()) {
            return stated.getAsInt();
        }
        return switch (family) {
            case QWEN3, QWEN3_MOE -> 128;
            case GEMMA2, GEMMA3_TEXT -> 256;
            case GPT_OSS -> 64;
            case LLAMA, MISTRAL, QWEN2, QWEN2_MOE, MIXTRAL, DEEPSEEK_V2, DEEPSEEK_V3, PHI3 ->
                evenly(f, heads);
        };
    }

    private static int evenly(ConfigFields f, int heads) {
        int hidden = f.integer("hidden_size");
        if (hidden % heads != 0) {
            throw f.fault("num_attention_heads", "is " + heads + "; expected a divisor of hidden_size, "
                    + hidden + ", where head_dim is not given");
        }
        return hidden / heads;
    }
}
