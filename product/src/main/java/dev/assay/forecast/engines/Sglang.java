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

/** {@code python -m sglang.launch_server}, options and defaults as of 0.5 ({@code server_args.py}). */
final class Sglang {
    private static final double GIB = 1L << 30;
    /** Pages that attention backends fix. */
    private static final Map<String, List<Integer>> FIXED_PAGES = Map.of("flashmla", List.of(64),
            "cutlass_mla",
            List.of(128), "trtllm_mla", List.of(32, 64), "trtllm_mha", List.of(16, 32, 64));
    private static final Map<String, Known> KNOWN = new HashMap<>();

    static {
        seen("model-path", "--model-path", "--model");
        seen("tp-size", "--tp-size", "--tp", "--tensor-parallel-size");
        seen("pp-size", "--pp-size", "--pp", "--pipeline-parallel-size");
        seen("dp-size", "--dp-size", "--dp", "--data-parallel-size");
        seen("ep-size", "--ep-size", "--ep", "--expert-parallel-size");
        seen("mem-fraction-static", "--mem-fraction-static");
        seen("page-size", "--page-size");
        seen("max-running-requests", "--max-running-requests");
        seen("max-total-tokens", "--max-total-tokens");
        seen("chunked-prefill-size", "--chunked-prefill-size");
        seen("context-length", "--context-length");
        seen("kv-cache-dtype", "--kv-cache-dtype");
        seen("quantization", "--quantization");
        seen("attention-backend", "--attention-backend");
        seen("speculative-num-draft-tokens", "--speculative-num-draft-tokens");
        seen("speculative-algorithm", "--speculative-algorithm", "--speculative-algo");
        for (String name : List.of("disable-radix-cache", "enable-mixed-chunk", "enable-dp-attention")) {
            KNOWN.put("--" + name, new Known(name, false, Kind.SEEN));
        }
        for (String name : List.of("--disable-cuda-graph", "--enable-torch-compile",
                "--disable-overlap-schedule",
                "--disable-custom-all-reduce", "--enable-hierarchical-cache", "--enable-two-batch-overlap",
                "--enable-eplb", "--disable-hybrid-swa-memory")) {
            KNOWN.put(name, new Known(name, false, Kind.BLIND));
        }
        for (String name : List.of("--schedule-policy", "--schedule-conservativeness", "--cuda-graph-max-bs",
                "--max-prefill-tokens", "--cpu-offload-gb", "--hicache-ratio",
                "--num-continuous-decode-steps",
                "--speculative-num-steps", "--speculative-eagle-topk", "--speculative-draft-model-path",
                "--sampling-backend", "--moe-a2a-backend", "--decode-attention-backend",
                "--prefill-attention-backend")) {
            KNOWN.put(name, new Known(name, true, Kind.BLIND));
        }
        for (String name : List.of("--host", "--port", "--served-model-name", "--api-key", "--tokenizer-path",
                "--random-seed", "--log-level", "--chat-template", "--tool-call-parser", "--reasoning-parser",
                "--dtype", "--load-format", "--watchdog-timeout")) {
            KNOWN.put(name, new Known(name, true, Kind.HARMLESS));
        }
        for (String name : List.of("--trust-remote-code", "--enable-metrics", "--skip-server-warmup",
                "--log-requests")) {
            KNOWN.put(name, new Known(name, false, Kind.HARMLESS));
        }
    }

    private Sglang() {}

    private static void seen(String canonical, String... names) {
        for (String name : names) {
            KNOWN.put(name, new Known(canonical, true, Kind.SEEN));
        }
    }

    static ArmSettings settings(List<String> words, double memoryBytes) {
        Options o = Options.of("sglang", words, KNOWN);
        List<String> defaults = new ArrayList<>();
        int chunk = Defaults.integer(o, "chunked-prefill-size", -1, chunkDefault(memoryBytes), defaults);
        int page = Defaults.integer(o, "page-size", 1, 1, defaults);
        List<Integer> fixed = o.text("attention-backend").map(b -> FIXED_PAGES.getOrDefault(b, List.of()))
                .orElse(List.of());
        if (!fixed.isEmpty() && !fixed.contains(page)) {
            if (o.text("page-size").isPresent()) {
                throw o.fault("page-size", "a page size that attention backend "
                        + o.text("attention-backend").orElseThrow() + " supports, one of " + fixed);
            }
            page = fixed.getLast();
        }
        if (chunk == 0 || (chunk > 0 && chunk % page != 0)) {
            throw AssayException.misuse("sglang: --chunked-prefill-size is " + chunk
                    + "; expected -1 or a multiple of --page-size, " + page);
        }
        int tp = o.integer("tp-size", 1, 1);
        Parallelism parallel = parallel(o, tp);
        double share = o.share("mem-fraction-static", 0.88);
        if (o.text("mem-fraction-static").isEmpty()) {
            defaults.add("mem-fraction-static=0.88 (the engine derives it from the memory)");
        }
        int seqs = Defaults.integer(o, "max-running-requests", 1, 2048, defaults);
        Optional<String> model = o.text("model-path").or(() -> o.plain().stream().findFirst());
        int draft = o.text("speculative-algorithm").isPresent()
                ? o.integer("speculative-num-draft-tokens", 1, 4)
                : 0;
        return new ArmSettings("sglang", model, weights(o, model), Defaults.kv(o, "kv-cache-dtype"), seqs,
                chunk < 0 ? Integer.MAX_VALUE / 2 : chunk, page, share, o.integer("max-total-tokens", 1),
                o.integer("context-length", 1), parallel, !o.flag("disable-radix-cache"),
                o.flag("enable-mixed-chunk"), true, draft, defaults, blind(o));
    }

    /** The backend is seen for its page size only. */
    private static List<String> blind(Options o) {
        List<String> blind = new ArrayList<>(o.blind());
        o.text("attention-backend").ifPresent(b -> blind.add("attention-backend=" + b));
        return blind;
    }

    private static int chunkDefault(double memoryBytes) {
        if (memoryBytes < 35 * GIB) {
            return 2048;
        }
        if (memoryBytes < 60 * GIB) {
            return 4096;
        }
        return memoryBytes < 160 * GIB ? 8192 : 16384;
    }

    /** With attention spread by requests the copies lie within the tensor parallel devices; else they are replicas. */
    private static Parallelism parallel(Options o, int tp) {
        int dp = o.integer("dp-size", 1, 1);
        int ep = o.integer("ep-size", 1, 1);
        int pp = o.integer("pp-size", 1, 1);
        if (o.flag("enable-dp-attention")) {
            if (tp % dp != 0) {
                throw AssayException.misuse("sglang: --dp-size is " + dp
                        + "; expected a divisor of --tp-size, " + tp + ", with --enable-dp-attention");
            }
            return new Parallelism(tp / dp, pp, dp, ep);
        }
        return new Parallelism(tp, pp, dp, ep);
    }

    private static Optional<QuantFormat> weights(Options o, Optional<String> model) {
        Optional<String> method = o.text("quantization");
        if (method.isEmpty()) {
            return model.flatMap(QuantFormat::hinted);
        }
        return Optional.of(switch (method.get()) {
            case "fp8", "w8a8_fp8", "modelopt", "modelopt_fp8" -> QuantFormat.FP8;
            case "w8a8_int8" -> QuantFormat.INT8;
            case "awq", "awq_marlin" -> QuantFormat.INT4_G128_ZERO;
            case "gptq", "gptq_marlin" -> QuantFormat.INT4_G128;
            case "modelopt_fp4" -> QuantFormat.NVFP4;
            case "mxfp4" -> QuantFormat.MXFP4;
            default ->
                throw o.fault("quantization", "fp8, w8a8_fp8, w8a8_int8, awq, awq_marlin, gptq, gptq_marlin,"
                        + " modelopt_fp4 or mxfp4");
        });
    }
}
