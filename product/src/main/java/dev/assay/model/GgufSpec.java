package dev.assay.model;

import dev.assay.AssayException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads the header of a GGUF file of any format of weights as a {@link DecoderSpec}. Bits per weight are those of the
 * tensors listed, so that mixed formats (Q4_K_M) are exact. Only the header has to be there: a file cut after the tensor
 * directory is read alike.
 */
public final class GgufSpec {
    private static final Set<String> KNOWN = Set.of("llama", "qwen2", "qwen3", "qwen2moe", "qwen3moe",
            "gemma2",
            "gemma3", "phi3", "deepseek2", "gpt-oss");
    private static final Set<String> HEAD_NORMS = Set.of("qwen3", "qwen3moe", "gemma3");

    private final String file;
    private final Map<String, Object> metadata;
    private final List<GgufReader.Listed> tensors;
    private final String architecture;

    private GgufSpec(String file, GgufReader.Listing listing) {
        this.file = file;
        metadata = listing.metadata();
        tensors = listing.tensors();
        if (!(metadata.get("general.architecture") instanceof String name)) {
            throw AssayException.misuse(file + ": general.architecture is missing: expected a text");
        }
        if (!KNOWN.contains(name)) {
            throw AssayException.misuse(file + ": general.architecture is " + name + ": expected one of "
                    + String.join(", ", KNOWN.stream().sorted().toList()));
        }
        architecture = name;
    }

    /** The model in a file. */
    public static DecoderSpec read(Path path) {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            GgufReader reader = new GgufReader(
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena), path.toString());
            return new GgufSpec(path.toString(), reader.list()).spec();
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(path + ": no such file: expected a GGUF model");
        } catch (IOException e) {
            throw AssayException.environment(path + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private DecoderSpec spec() {
        GgufReader.Listed embedding = tensors.stream().filter(t -> t.name().equals("token_embd.weight"))
                .findFirst()
                .orElseThrow(() -> AssayException.misuse(file + ": tensor token_embd.weight is missing"));
        if (embedding.sizes().size() != 2) {
            throw AssayException.misuse(file + ": tensor token_embd.weight has " + embedding.sizes().size()
                    + " dimensions: expected 2");
        }
        boolean tied = tensors.stream().noneMatch(t -> t.name().equals("output.weight"));
        String name = metadata.get("general.name") instanceof String s ? s : architecture;
        try {
            return new DecoderSpec(name, architecture, integer("embedding_length"),
                    Math.toIntExact(embedding.sizes().get(1)), integer("context_length"), tied, layers(),
                    "gguf",
                    storedBits(tied));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw AssayException.misuse(file + ": " + e.getMessage());
        }
    }

    private List<LayerRun> layers() {
        int layers = integer("block_count");
        OptionalInt window = optional("attention.sliding_window").stream().filter(w -> w > 0)
                .mapToInt(w -> w).findFirst();
        int full = window.isEmpty() ? layers : fullLayers(layers);
        int experts = optional("expert_count").orElse(0);
        int dense = experts == 0 ? layers : Math.min(layers, optional("leading_dense_block_count").orElse(0));
        List<LayerRun> runs = new ArrayList<>();
        // Where windows and leading dense layers meet (no such model is known) all dense layers count as full ones.
        add(runs, Math.min(dense, full), OptionalInt.empty(), false);
        add(runs, full - Math.min(dense, full), OptionalInt.empty(), true);
        add(runs, Math.max(0, dense - full), window, false);
        add(runs, layers - full - Math.max(0, dense - full), window, true);
        return runs;
    }

    /** How many layers see everything; the files do not list them, the architectures fix it. */
    private int fullLayers(int layers) {
        return switch (architecture) {
            case "gemma2", "gpt-oss" -> layers / 2;
            case "gemma3" -> layers / 6;
            default -> 0;
        };
    }

    private void add(List<LayerRun> runs, int count, OptionalInt window, boolean mixture) {
        if (count > 0) {
            FeedForward ffn = mixture ? mixture() : new FeedForward.Dense(integer("feed_forward_length"));
            runs.add(new LayerRun(count, attention(window), ffn, architecture.startsWith("gemma") ? 4 : 2));
        }
    }

    private FeedForward mixture() {
        int inner = optional("expert_feed_forward_length").orElseGet(() -> integer("feed_forward_length"));
        int shared = optional("expert_shared_feed_forward_length")
                .orElse(Math.multiplyExact(optional("expert_shared_count").orElse(0), inner));
        return new FeedForward.Mixture(integer("expert_count"), integer("expert_used_count"), inner, shared,
                architecture.equals("gpt-oss"), architecture.equals("qwen2moe"));
    }

    private AttentionSpec attention(OptionalInt window) {
        int heads = integer("attention.head_count");
        int hidden = integer("embedding_length");
        if (has("attention.kv_lora_rank")) {
            int rope = integer("rope.dimension_count");
            // Newer files give the compressed widths as key_length, and the heads' own under other names.
            int key = optional("attention.key_length_mla").orElseGet(() -> integer("attention.key_length"));
            int value = optional("attention.value_length_mla")
                    .orElseGet(() -> integer("attention.value_length"));
            return new AttentionSpec.Latent(heads, optional("attention.q_lora_rank").orElse(0),
                    integer("attention.kv_lora_rank"), rope, key - rope, value);
        }
        int dim = optional("attention.key_length").orElseGet(() -> {
            if (hidden % Math.max(1, heads) != 0) {
                throw new IllegalArgumentException(architecture + ".attention.head_count is " + heads
                        + "; expected a divisor of embedding_length, " + hidden);
            }
            return hidden / Math.max(1, heads);
        });
        boolean bias = architecture.equals("qwen2") || architecture.equals("qwen2moe")
                || architecture.equals("gpt-oss");
        return new AttentionSpec.Grouped(heads, optional("attention.head_count_kv").orElse(heads), dim, bias,
                HEAD_NORMS.contains(architecture), window);
    }

    /** Bits per weight of the listed tensors, by what they are for. */
    private Map<Matrix.Role, Double> storedBits(boolean tied) {
        Map<Matrix.Role, double[]> sums = new EnumMap<>(Matrix.Role.class);
        for (GgufReader.Listed t : tensors) {
            double weights = t.sizes().stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
            double bits = weights * GgmlType.of(t.type(), file + ": tensor " + t.name()).bits();
            double[] sum = sums.computeIfAbsent(role(t, tied), r -> new double[2]);
            sum[0] += bits;
            sum[1] += weights;
        }
        Map<Matrix.Role, Double> bits = new EnumMap<>(Matrix.Role.class);
        sums.forEach((role, sum) -> bits.put(role, sum[0] / sum[1]));
        return bits;
    }

    private static Matrix.Role role(GgufReader.Listed t, boolean tied) {
        String name = t.name();
        if (t.sizes().size() == 1) {
            return Matrix.Role.VECTOR;
        }
        if (name.equals("token_embd.weight")) {
            return tied ? Matrix.Role.HEAD : Matrix.Role.EMBEDDING;
        }
        if (name.equals("output.weight")) {
            return Matrix.Role.HEAD;
        }
        if (name.contains(".ffn_gate_inp")) {
            return Matrix.Role.ROUTER;
        }
        if (name.contains("_exps")) {
            return Matrix.Role.EXPERT;
        }
        if (name.contains("_shexp")) {
            return Matrix.Role.SHARED_EXPERT;
        }
        return name.contains(".attn_") ? Matrix.Role.ATTENTION : Matrix.Role.DENSE;
    }

    private boolean has(String key) {
        return metadata.containsKey(architecture + "." + key);
    }

    private int integer(String key) {
        return optional(key).orElseThrow(() -> AssayException.misuse(
                file + ": " + architecture + "." + key + " is missing: expected an integer"));
    }

    /** A number, or the first of a list of equal ones (some files repeat a value for each layer). */
    private Optional<Integer> optional(String key) {
        String name = architecture + "." + key;
        Object value = metadata.get(name);
        if (value instanceof List<?> list && !list.isEmpty()) {
            if (list.stream().distinct().count() > 1) {
                throw AssayException.misuse(file + ": " + name
                        + " differs by layer: expected one value, the form that is modelled");
            }
            value = list.getFirst();
        }
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof Long n) || n < 0 || n > ConfigFields.MOST) {
            throw AssayException.misuse(file + ": " + name + ": expected an integer of 0 to "
                    + ConfigFields.MOST);
        }
        return Optional.of(n.intValue());
    }
}
