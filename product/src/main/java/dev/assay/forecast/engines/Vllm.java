package dev.assay.forecast.engines;

import dev.assay.AssayException;
import dev.assay.forecast.arith.Parallelism;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.forecast.engines.Options.Kind;
import dev.assay.forecast.engines.Options.Known;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code vllm serve}, options and defaults as of 0.19 ({@code vllm/config}, {@code EngineArgs}). */
final class Vllm {
    /** The default of {@code gpu_memory_utilization}; 0.9 in older versions. */
    static final double MEMORY_SHARE = 0.92;
    private static final List<Integer> BLOCK_SIZES = List.of(1, 8, 16, 32, 64, 128, 256);
    private static final double LARGE_MEMORY = 70.0 * (1L << 30);
    private static final Map<String, Known> KNOWN = new HashMap<>();

    static {
        seen("model", "--model");
        seen("tensor-parallel-size", "--tensor-parallel-size", "-tp");
        seen("pipeline-parallel-size", "--pipeline-parallel-size", "-pp");
        seen("data-parallel-size", "--data-parallel-size", "-dp");
        seen("gpu-memory-utilization", "--gpu-memory-utilization");
        seen("block-size", "--block-size");
        seen("max-num-seqs", "--max-num-seqs");
        seen("max-num-batched-tokens", "--max-num-batched-tokens");
        seen("max-model-len", "--max-model-len");
        seen("kv-cache-dtype", "--kv-cache-dtype");
        seen("quantization", "--quantization", "-q");
        seen("dtype", "--dtype");
        seen("num-gpu-blocks-override", "--num-gpu-blocks-override");
        seen("speculative-config", "--speculative-config", "-sc");
        flag("enable-expert-parallel", "--enable-expert-parallel", "-ep");
        flag("enable-prefix-caching", "--enable-prefix-caching");
        flag("no-enable-prefix-caching", "--no-enable-prefix-caching");
        flag("enable-chunked-prefill", "--enable-chunked-prefill");
        flag("no-enable-chunked-prefill", "--no-enable-chunked-prefill");
        flag("disable-hybrid-kv-cache-manager", "--disable-hybrid-kv-cache-manager");
        for (String name : List.of("--enforce-eager", "--async-scheduling", "--no-async-scheduling",
                "--disable-custom-all-reduce", "--enable-dbo", "--enable-eplb",
                "--disable-cascade-attn", "--enable-lora", "--disable-log-stats")) {
            KNOWN.put(name, new Known(name, false, name.contains("log") ? Kind.HARMLESS : Kind.BLIND));
        }
        for (String name : List.of("--swap-space", "--cpu-offload-gb", "--compilation-config", "-cc", "-O",
                "--optimization-level", "--attention-backend", "--scheduling-policy",
                "--kv-cache-memory-bytes",
                "--max-num-partial-prefills", "--long-prefill-token-threshold",
                "--distributed-executor-backend",
                "--kv-transfer-config", "--hf-overrides", "--all2all-backend", "--max-loras")) {
            KNOWN.put(name, new Known(name, true, Kind.BLIND));
        }
        for (String name : List.of("--host", "--port", "--served-model-name", "--api-key", "--tokenizer",
                "--seed",
                "--download-dir", "--chat-template", "--tool-call-parser", "--reasoning-parser", "--revision",
                "--uvicorn-log-level", "--max-log-len", "--load-format", "--tokenizer-mode", "--root-path")) {
            KNOWN.put(name, new Known(name, true, Kind.HARMLESS));
        }
        for (String name : List.of("--trust-remote-code", "--enable-auto-tool-choice",
                "--disable-log-requests",
                "--no-enable-log-requests", "--enable-log-requests", "--enable-mfu-metrics",
                "--disable-uvicorn-access-log")) {
            KNOWN.put(name, new Known(name, false, Kind.HARMLESS));
        }
    }

    private Vllm() {}

    private static void seen(String canonical, String... names) {
        for (String name : names) {
            KNOWN.put(name, new Known(canonical, true, Kind.SEEN));
        }
    }

    private static void flag(String canonical, String... names) {
        for (String name : names) {
            KNOWN.put(name, new Known(canonical, false, Kind.SEEN));
        }
    }

    static ArmSettings settings(List<String> words, double memoryBytes) {
        Options o = Options.of("vllm serve", words, KNOWN);
        List<String> defaults = new ArrayList<>();
        boolean large = memoryBytes >= LARGE_MEMORY;
        int seqs = Defaults.integer(o, "max-num-seqs", 1, large ? 1024 : 256, defaults);
        int budget = Defaults.integer(o, "max-num-batched-tokens", 1, large ? 8192 : 2048, defaults);
        OptionalInt longest = o.integer("max-model-len", 1);
        boolean chunked = !o.flag("no-enable-chunked-prefill");
        if (chunked && budget < seqs) {
            throw AssayException.misuse("vllm serve: --max-num-batched-tokens is " + budget
                    + "; expected at least --max-num-seqs, " + seqs);
        }
        if (!chunked && longest.isPresent() && budget < longest.getAsInt()) {
            throw AssayException.misuse("vllm serve: --max-num-batched-tokens is " + budget
                    + "; expected at least --max-model-len, " + longest.getAsInt()
                    + ", without chunked prefill");
        }
        int block = Defaults.integer(o, "block-size", 1, 16, defaults);
        if (!BLOCK_SIZES.contains(block)) {
            throw o.fault("block-size", "a page size that vLLM supports, one of " + BLOCK_SIZES);
        }
        double share = o.share("gpu-memory-utilization", MEMORY_SHARE);
        if (o.text("gpu-memory-utilization").isEmpty()) {
            defaults.add("gpu-memory-utilization=" + MEMORY_SHARE);
        }
        int tp = o.integer("tensor-parallel-size", 1, 1);
        int dp = o.integer("data-parallel-size", 1, 1);
        Parallelism parallel = new Parallelism(tp, o.integer("pipeline-parallel-size", 1, 1), dp,
                o.flag("enable-expert-parallel") ? tp * dp : 1);
        OptionalInt blocks = o.integer("num-gpu-blocks-override", 2);
        Optional<String> model = o.text("model").or(() -> o.plain().stream().findFirst());
        return new ArmSettings("vllm", model, weights(o, model), Defaults.kv(o, "kv-cache-dtype"), seqs,
                budget,
                block, share,
                blocks.isPresent()
                        ? OptionalInt.of(Math.multiplyExact(blocks.getAsInt() - 1, block))
                        : OptionalInt.empty(),
                longest, parallel, !o.flag("no-enable-prefix-caching"), chunked,
                !o.flag("disable-hybrid-kv-cache-manager"), speculative(o), defaults, o.blind());
    }

    private static Optional<QuantFormat> weights(Options o, Optional<String> model) {
        Optional<String> method = o.text("quantization");
        if (method.isEmpty()) {
            Optional<QuantFormat> typed = o.text("dtype").flatMap(d -> switch (d) {
                case "bfloat16" -> Optional.of(QuantFormat.BF16);
                case "float16", "half" -> Optional.of(QuantFormat.F16);
                case "float32", "float" -> Optional.of(QuantFormat.F32);
                default -> Optional.empty();
            });
            return model.flatMap(QuantFormat::hinted).or(() -> typed);
        }
        return Optional.of(switch (method.get()) {
            case "fp8", "fbgemm_fp8", "ptpc_fp8" -> QuantFormat.FP8;
            case "awq", "awq_marlin" -> QuantFormat.INT4_G128_ZERO;
            case "gptq", "gptq_marlin" -> QuantFormat.INT4_G128;
            case "modelopt_fp4" -> QuantFormat.NVFP4;
            case "modelopt" -> QuantFormat.FP8;
            case "mxfp4" -> QuantFormat.MXFP4;
            case "compressed-tensors", "gguf" -> model.flatMap(QuantFormat::hinted)
                    .orElseThrow(() -> o.fault("quantization",
                            "a model whose name tells the format, such as ...-FP8 or ...-w4a16"));
            default ->
                throw o.fault("quantization", "fp8, fbgemm_fp8, ptpc_fp8, awq, awq_marlin, gptq, gptq_marlin,"
                        + " modelopt, modelopt_fp4, mxfp4, compressed-tensors or gguf");
        });
    }

    private static int speculative(Options o) {
        Optional<String> text = o.text("speculative-config");
        if (text.isEmpty()) {
            return 0;
        }
        JsonValue.Obj config = Json.parse(text.get(), "vllm serve: --speculative-config").asObject();
        long tokens = config.require("num_speculative_tokens").asLong();
        if (tokens < 1 || tokens > 64) {
            throw AssayException.misuse("vllm serve: --speculative-config: field 'num_speculative_tokens' is "
                    + tokens + "; expected 1 to 64");
        }
        return (int) tokens;
    }
}
