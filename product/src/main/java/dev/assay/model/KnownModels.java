package dev.assay.model;

import dev.assay.AssayException;
import dev.assay.Resources;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Shapes of published dense decoders by name ({@code known-models.tsv}). */
public final class KnownModels {
    private static final int COLUMNS = 13;
    /** Parts of a repository's name that change how weights are kept or trained, never their shape. */
    private static final String NO_SHAPE = "meta|instruct|chat|base|hf|it|fp8|fp4|nvfp4|mxfp4|bf16|fp16|awq|gptq|int4|int8|[48]bit"
            + "|w4a16|w8a8|w8a16|w4a4|g128|dynamic|static|kv|block|quantized(\\.w\\d+a\\d+)?|gguf|mlx|modelopt|marlin|2407|2501|2507";
    private static final Map<String, KnownModel> MODELS = read();

    private KnownModels() {}

    /**
     * A model whose shape is known.
     *
     * @param name such as {@code llama-3.1-8b}
     * @param source the repository whose {@code config.json} states the shape
     */
    public record KnownModel(String name, ModelShape shape, String source) {}

    /** All models, in the order of the table. */
    public static List<KnownModel> models() {
        return List.copyOf(MODELS.values());
    }

    /**
     * The model of a Hugging Face path such as {@code nvidia/Llama-3.1-8B-Instruct-FP8}, if its shape is known. Case,
     * organisation, and suffixes of tuning and quantization do not matter.
     */
    public static Optional<KnownModel> find(String path) {
        return Optional.ofNullable(MODELS.get(key(path)));
    }

    /** The model of a path; an unknown one is a fault that lists the known ones. */
    public static KnownModel named(String path) {
        return find(path).orElseThrow(() -> AssayException.misuse("model '" + path
                + "' is not in the table of known shapes; expected a config.json, or one of "
                + String.join(", ", MODELS.keySet())));
    }

    private static String key(String path) {
        String last = path.strip().toLowerCase(Locale.ROOT).replaceAll("/+$", "").replaceAll(".*/", "");
        return Arrays.stream(last.split("[-_]")).filter(part -> !part.isEmpty() && !part.matches(NO_SHAPE))
                .collect(Collectors.joining("-"));
    }

    private static Map<String, KnownModel> read() {
        Map<String, KnownModel> models = new LinkedHashMap<>();
        Resources.table(KnownModels.class, "known-models.tsv", COLUMNS).stream().map(KnownModels::row)
                .forEach(m -> models.put(m.name(), m));
        return models;
    }

    private static KnownModel row(String[] c) {
        int[] n = Arrays.stream(c, 1, 9).mapToInt(Integer::parseInt).toArray();
        return new KnownModel(c[0], new ModelShape(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7],
                Double.parseDouble(c[9]), Double.parseDouble(c[10]), c[11].equals("yes")), c[12]);
    }
}
