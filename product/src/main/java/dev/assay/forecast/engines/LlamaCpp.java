package dev.assay.forecast.engines;

import dev.assay.AssayException;
import dev.assay.forecast.arith.Parallelism;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.forecast.engines.Options.Kind;
import dev.assay.forecast.engines.Options.Known;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code llama-server}, options and defaults as of 2026 ({@code tools/server/README.md}). */
final class LlamaCpp {
    private static final int SLOTS = 4;
    private static final int BATCH = 2048;
    private static final Map<String, Known> KNOWN = new HashMap<>();

    static {
        seen("model", "-m", "--model");
        seen("hf-repo", "-hf", "-hfr", "--hf-repo");
        seen("ctx-size", "-c", "--ctx-size");
        seen("batch-size", "-b", "--batch-size");
        seen("parallel", "-np", "--parallel");
        seen("cache-type-k", "-ctk", "--cache-type-k");
        seen("cache-type-v", "-ctv", "--cache-type-v");
        seen("gpu-layers", "-ngl", "--gpu-layers", "--n-gpu-layers");
        for (String name : List.of("--swa-full", "--no-cache-prompt")) {
            KNOWN.put(name, new Known(name.substring(2), false, Kind.SEEN));
        }
        for (String name : List.of("-cb", "--cont-batching", "-nocb", "--no-cont-batching", "-kvu",
                "--kv-unified", "--mlock", "--no-mmap", "-nkvo", "--no-kv-offload", "--no-op-offload",
                "--no-repack")) {
            KNOWN.put(name, new Known(name, false, Kind.BLIND));
        }
        for (String name : List.of("-t", "--threads", "-tb", "--threads-batch", "-ub", "--ubatch-size", "-fa",
                "--flash-attn", "-sm", "--split-mode", "-ts", "--tensor-split", "-md", "--model-draft",
                "--cache-reuse", "--numa", "-ot", "--override-tensor", "--n-cpu-moe", "-ncmoe", "-mg",
                "--main-gpu", "--draft-max")) {
            KNOWN.put(name, new Known(name, true, Kind.BLIND));
        }
        for (String name : List.of("--host", "--port", "--api-key", "-a", "--alias", "--chat-template", "-s",
                "--seed", "--temp", "--log-file", "-n", "--predict", "--timeout", "-to")) {
            KNOWN.put(name, new Known(name, true, Kind.HARMLESS));
        }
        for (String name : List.of("--metrics", "--jinja", "--slots", "--no-slots", "--no-webui", "-v",
                "--verbose", "--log-disable", "--offline")) {
            KNOWN.put(name, new Known(name, false, Kind.HARMLESS));
        }
    }

    private LlamaCpp() {}

    private static void seen(String canonical, String... names) {
        for (String name : names) {
            KNOWN.put(name, new Known(canonical, true, Kind.SEEN));
        }
    }

    static ArmSettings settings(List<String> words) {
        Options o = Options.of("llama-server", words, KNOWN);
        List<String> defaults = new ArrayList<>();
        int slots = Defaults.integer(o, "parallel", 1, SLOTS, defaults);
        int batch = Defaults.integer(o, "batch-size", 1, BATCH, defaults);
        if (batch < slots) {
            throw AssayException.misuse("llama-server: --batch-size is " + batch
                    + "; expected at least --parallel, " + slots);
        }
        OptionalInt context = o.integer("ctx-size", 0).stream().filter(c -> c > 0).findFirst();
        if (context.isPresent() && context.getAsInt() < slots) {
            throw o.fault("ctx-size", "at least one token for each of " + slots + " slots");
        }
        Optional<QuantFormat> k = Defaults.kv(o, "cache-type-k");
        Optional<QuantFormat> v = Defaults.kv(o, "cache-type-v");
        if (!k.equals(v)) {
            throw AssayException
                    .misuse("llama-server: --cache-type-k is " + k.map(QuantFormat::id).orElse("f16")
                            + " and --cache-type-v " + v.map(QuantFormat::id).orElse("f16")
                            + "; expected the same for both, the form that is modelled");
        }
        Optional<String> model = o.text("model").or(() -> o.text("hf-repo"));
        List<String> blind = new ArrayList<>(o.blind());
        o.text("gpu-layers").ifPresent(n -> blind.add("gpu-layers=" + n));
        OptionalInt longest = context.isPresent()
                ? OptionalInt.of(context.getAsInt() / slots)
                : OptionalInt.empty();
        return new ArmSettings("llama.cpp", model, model.flatMap(QuantFormat::hinted), k, slots, batch, 1, 1,
                context, longest, Parallelism.ONE, !o.flag("no-cache-prompt"), true, !o.flag("swa-full"), 0,
                defaults, blind);
    }
}
