package dev.assay.model;

import dev.assay.AssayException;
import dev.assay.Resources;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds a {@link DecoderSpec} by what a user has: a {@code config.json} or its directory, a GGUF file, or the name of a
 * published model ({@link KnownModels} for plain ones, {@code known-decoders.json} for those with experts, latent
 * attention or windows).
 */
public final class Decoders {
    private Decoders() {}

    /** Loaded only where a name is looked up. */
    private static final class Known {
        static final Map<String, JsonValue> BY_NAME = Json
                .parse(Resources.text(Decoders.class, "known-decoders.json"), "known-decoders.json")
                .asObject()
                .fields();
    }

    /** The model of a file, a directory or a name. */
    public static DecoderSpec resolve(String model) {
        Optional<DecoderSpec> file = ofFile(model);
        return file.isPresent()
                ? file.get()
                : named(model)
                        .orElseThrow(() -> AssayException.misuse("model '" + model
                                + "' is no file and no known name; expected a config.json, a GGUF file or one of "
                                + String.join(", ", names())));
    }

    /** The model of a file or directory, if there is one of that name. */
    public static Optional<DecoderSpec> ofFile(String model) {
        Path path;
        try {
            path = Path.of(model);
        } catch (java.nio.file.InvalidPathException e) {
            return Optional.empty();
        }
        if (Files.isDirectory(path)) {
            return Optional.of(HfConfig.read(path.resolve("config.json")));
        }
        String lower = model.toLowerCase(Locale.ROOT);
        if (!Files.exists(path) && !lower.endsWith(".json") && !lower.endsWith(".gguf")) {
            return Optional.empty();
        }
        return Optional.of(lower.endsWith(".gguf") ? GgufSpec.read(path) : HfConfig.read(path));
    }

    /** The published model of a name; organisation, case and suffixes do not matter. */
    public static Optional<DecoderSpec> named(String model) {
        Optional<KnownModels.KnownModel> plain = KnownModels.find(model);
        if (plain.isPresent()) {
            return Optional.of(of(plain.get().name(), plain.get().shape()));
        }
        String last = model.strip().toLowerCase(Locale.ROOT).replaceAll("/+$", "").replaceAll(".*/", "");
        return Known.BY_NAME.keySet().stream()
                .filter(k -> last.equals(k) || last.startsWith(k + "-") || last.startsWith(k + "."))
                .max(Comparator.comparingInt(String::length))
                .map(k -> HfConfig.of(
                        java.util.Objects.requireNonNull(Known.BY_NAME.get(k)).asObject(), k,
                        "known-decoders.json: " + k));
    }

    /** All known names. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(
                KnownModels.models().stream().map(KnownModels.KnownModel::name).toList());
        names.addAll(Known.BY_NAME.keySet());
        return names;
    }

    /** A plain decoder. */
    public static DecoderSpec of(String name, ModelShape s) {
        boolean bias = name.startsWith("qwen2") || name.startsWith("qwq");
        AttentionSpec attention = new AttentionSpec.Grouped(s.queryHeads(), s.kvHeads(), s.headDim(), bias,
                name.startsWith("qwen3"), OptionalInt.empty());
        return new DecoderSpec(name, "llama", s.hidden(), s.vocab(), s.contextLength(), s.tiedEmbeddings(),
                List.of(new LayerRun(s.layers(), attention, new FeedForward.Dense(s.ffn()), 2)), "bf16",
                Map.of());
    }
}
