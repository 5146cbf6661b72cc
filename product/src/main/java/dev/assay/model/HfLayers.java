package dev.assay.model;

import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The layers of a {@code config.json}, gathered by kind. */
final class HfLayers {
    /** More layers than any model has. */
    private static final int MOST_LAYERS = 10_000;

    private HfLayers() {}

    private record Kind(OptionalInt window, FeedForward feedForward) {}

    static List<LayerRun> of(HfConfig.Family family, ConfigFields f) {
        int layers = f.integer("num_hidden_layers");
        if (layers > MOST_LAYERS) {
            throw f.fault("num_hidden_layers", "is " + layers + "; expected at most " + MOST_LAYERS);
        }
        List<OptionalInt> windows = HfWindows.of(family, f, layers);
        Set<Integer> dense = denseLayers(family, f, layers);
        Map<Kind, Integer> counts = new LinkedHashMap<>();
        FeedForward plain = dense.isEmpty()
                ? mixture(family, f)
                : new FeedForward.Dense(f.integer("intermediate_size"));
        FeedForward mixture = dense.size() == layers ? plain : mixture(family, f);
        for (int i = 0; i < layers; i++) {
            counts.merge(new Kind(windows.get(i), dense.contains(i) ? plain : mixture), 1, Integer::sum);
        }
        boolean gemma = family == HfConfig.Family.GEMMA2 || family == HfConfig.Family.GEMMA3_TEXT;
        List<LayerRun> runs = new ArrayList<>();
        counts.forEach((kind, count) -> runs.add(new LayerRun(count,
                HfConfig.attention(family, f, kind.window()), kind.feedForward(), gemma ? 4 : 2)));
        return runs;
    }

    /** Indices of the layers without experts. */
    private static Set<Integer> denseLayers(HfConfig.Family family, ConfigFields f, int layers) {
        Set<Integer> dense = new HashSet<>();
        switch (family) {
            case LLAMA, MISTRAL, QWEN2, QWEN3, GEMMA2, GEMMA3_TEXT, PHI3 -> {
                for (int i = 0; i < layers; i++) {
                    dense.add(i);
                }
            }
            case QWEN2_MOE, QWEN3_MOE -> {
                int step = f.integer("decoder_sparse_step", 1, 1);
                for (int i = 0; i < layers; i++) {
                    if ((i + 1) % step != 0) {
                        dense.add(i);
                    }
                }
                for (JsonValue v : f.list("mlp_only_layers")) {
                    if (v.asLong() < 0 || v.asLong() >= layers) {
                        throw f.fault("mlp_only_layers", "has " + v.asLong() + "; expected 0 to "
                                + (layers - 1));
                    }
                    dense.add((int) v.asLong());
                }
            }
            case DEEPSEEK_V2, DEEPSEEK_V3 -> {
                int first = f.integer("first_k_dense_replace", 0, 0);
                if (first > layers) {
                    throw f.fault("first_k_dense_replace",
                            "is " + first + "; expected at most num_hidden_layers, " + layers);
                }
                int every = f.integer("moe_layer_freq", 1, 1);
                for (int i = 0; i < layers; i++) {
                    if (i < first || i % every != 0) {
                        dense.add(i);
                    }
                }
            }
            case MIXTRAL, GPT_OSS -> {
                // Every layer has experts.
            }
        }
        return dense;
    }

    private static FeedForward.Mixture mixture(HfConfig.Family family, ConfigFields f) {
        return switch (family) {
            case MIXTRAL -> new FeedForward.Mixture(f.integer("num_local_experts"),
                    f.integer("num_experts_per_tok"), f.integer("intermediate_size"), 0, false, false);
            case GPT_OSS -> new FeedForward.Mixture(f.either("num_local_experts", "num_experts"),
                    f.either("num_experts_per_tok", "experts_per_token"), f.integer("intermediate_size"), 0,
                    true, false);
            case QWEN2_MOE -> new FeedForward.Mixture(f.integer("num_experts"),
                    f.integer("num_experts_per_tok"), f.integer("moe_intermediate_size"),
                    f.integer("shared_expert_intermediate_size", 0, 0), false, true);
            case QWEN3_MOE -> new FeedForward.Mixture(f.integer("num_experts"),
                    f.integer("num_experts_per_tok"), f.integer("moe_intermediate_size"), 0, false, false);
            case DEEPSEEK_V2, DEEPSEEK_V3 -> new FeedForward.Mixture(f.integer("n_routed_experts"),
                    f.integer("num_experts_per_tok"), f.integer("moe_intermediate_size"),
                    Math.multiplyExact(f.integer("n_shared_experts", 0, 0),
                            f.integer("moe_intermediate_size")),
                    false, false);
            case LLAMA, MISTRAL, QWEN2, QWEN3, GEMMA2, GEMMA3_TEXT, PHI3 -> throw new IllegalStateException(
                    family + " has no experts");
        };
    }
}
