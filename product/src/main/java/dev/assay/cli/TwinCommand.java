package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.Calibration;
import dev.assay.forecast.Calibrator;
import dev.assay.forecast.EngineSettings;
import dev.assay.forecast.Evidence;
import dev.assay.forecast.EvidenceRegion;
import dev.assay.forecast.FirstPrinciples;
import dev.assay.forecast.Hardware;
import dev.assay.forecast.HardwareTable;
import dev.assay.forecast.LocalMeasurements;
import dev.assay.forecast.TwinStudy;
import dev.assay.json.Json;
import dev.assay.model.Gguf;
import dev.assay.model.KnownModels;
import dev.assay.model.ModelShape;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.review.Prediction;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewFiles;
import dev.assay.workload.Slo;
import dev.assay.workload.TraceStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay twin}: replays a trace through the scheduler under the cost model. */
@Command(name = "twin", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, description = "Replays a whole trace through the engine's own scheduler under a cost model and a virtual clock, for one arm or two.", footer = {
        "", "Examples:", "  assay twin --trace conv.csv --rate 5,10,20 --slo ttft:500,tpot:30",
        "  assay twin --trace conv.csv --model llama-3.1-70b \\",
        "      --hardware h200_sxm --candidate max_num_seqs=64",
        "  assay twin --trace conv.csv --review reviews/batch-cap-32",
        "  assay twin --slots reviews/batch-cap-32,reviews/q8",
        "  assay twin --trace conv.csv --calibrate run-2,run-6 \\",
        "      --model my.gguf --max-num-seqs 8 --weights f32",
        "  assay twin --trace conv.csv --calibrate curve1,bench.json,trace.json.gz \\",
        "      --hardware h200_sxm",
        "",
        "Without --review or --calibrate nothing was measured: the constants come from the hardware's ceilings, and"
                + " the intervals are wide. With --review the model, both arms, the SLO and the calibration are the review's.",
        "",
        "Exit codes: 0 done, 2 misuse, 3 measurements that cannot calibrate this, 4 environment fault."})
final class TwinCommand implements Callable<Integer> {
    private static final String DEFAULT_HARDWARE = "h100_sxm";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--trace", paramLabel = "FILE", description = "Azure, Mooncake, BurstGPT or Qwen-Bailian trace.")
    private @Nullable Path traceFile;

    @Option(names = "--slots", paramLabel = "DIR,...", description = "Instead of a trace: replay the slots of measured reviews, each with its own arrivals, and hold the twin against what was observed.")
    private @Nullable String slots;

    @Option(names = "--review", paramLabel = "DIR", description = "Take model, arms, SLO and calibration from a review that was predicted.")
    private @Nullable Path review;

    @Mixin
    private final CalibrationOptions calibration = new CalibrationOptions();

    @Option(names = "--model", paramLabel = "NAME|GGUF", defaultValue = "llama-3.1-8b", description = "A published model, or a GGUF file with its shape (default ${DEFAULT-VALUE}).")
    private String model = "llama-3.1-8b";

    @Option(names = "--hardware", paramLabel = "NAME", description = "A row of the hardware table (default h100_sxm; beside --calibrate none).")
    private @Nullable String hardware;

    @Option(names = "--max-num-seqs", paramLabel = "N", defaultValue = "256", description = "Batch cap (default ${DEFAULT-VALUE}).")
    private int maxNumSeqs = 256;

    @Option(names = "--max-num-batched-tokens", paramLabel = "N", defaultValue = "8192", description = "Token budget of a step (default ${DEFAULT-VALUE}).")
    private int maxNumBatchedTokens = 8192;

    @Option(names = "--block-size", paramLabel = "N", defaultValue = "16", description = "Tokens of a KV page (default ${DEFAULT-VALUE}).")
    private int blockSize = 16;

    @Option(names = "--num-blocks", paramLabel = "N", description = "Pages of the KV pool (default: what the hardware's memory leaves).")
    private Optional<Integer> numBlocks = Optional.empty();

    @Option(names = "--weights", paramLabel = "FORMAT", defaultValue = "bf16", description = "Such as bf16, f16, fp8, int4_g128, nvfp4, q8_0, q4_k (default ${DEFAULT-VALUE}).")
    private String weights = "bf16";

    @Option(names = "--kv", paramLabel = "FORMAT", defaultValue = "bf16", description = "The same of keys and values (default ${DEFAULT-VALUE}).")
    private String kv = "bf16";

    @Option(names = "--prefix-caching", description = "Share pages of equal prefixes, by the trace's hashed blocks.")
    private boolean prefixCaching;

    @Option(names = "--candidate", paramLabel = "KEY=N,...", description = "A second arm that differs in these: max_num_seqs, max_num_batched_tokens, block_size, num_blocks, weights, kv, enable_prefix_caching.")
    private @Nullable String candidate;

    @Option(names = "--rate", paramLabel = "LIST", description = "Load points in requests/s: the trace's times are stretched to them.")
    private @Nullable String rate;

    @Option(names = "--speed", paramLabel = "LIST", description = "Load points as multiples of the trace's own speed (default 1).")
    private @Nullable String speed;

    @Option(names = "--slo", paramLabel = "LIST", description = "Bounds in ms that make a request good: ttft:250,tpot:12,e2e:4000.")
    private @Nullable String slo;

    @Option(names = "--draws", paramLabel = "N", defaultValue = "19", description = "Replays for the intervals, beside the one for the estimate (default ${DEFAULT-VALUE}).")
    private int draws = 19;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of all draws (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    /**
     * The document of {@code --json}.
     *
     * @param calibration how the constants were found
     * @param calibrated what {@code --calibrate} spans
     * @param simulatedRequestsPerS of all replays together, reading the trace included, on one core
     */
    record Document(String trace, String model, String calibration, Optional<EvidenceRegion> calibrated,
            EngineSettings baseline,
            Optional<EngineSettings> candidate, Slo slo, double simulatedRequestsPerS, double wallS,
            TwinStudy.Result result) {}

    /** What both ways of naming a model lead to. */
    private record Subject(String model, ModelShape shape, Calibration calibration,
            Optional<EngineSettings> candidate,
            Slo slo, Optional<EvidenceRegion> region) {}

    @Override
    public Integer call() {
        if (slots != null) {
            return TwinSlotsText.print(slots, json, out());
        }
        if (traceFile == null) {
            throw AssayException
                    .misuse("--trace is missing; expected a trace, or --slots with measured reviews");
        }
        Path trace = traceFile;
        TraceStream.Facts facts = TraceStream.facts(trace);
        Subject subject;
        TwinStudy.Settings settings;
        try {
            subject = subject();
            settings = new TwinStudy.Settings(subject.shape(), subject.calibration(), subject.candidate(),
                    LocalMeasurements.NONE, subject.slo(), speeds(facts), draws, seed);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse(String.valueOf(e.getMessage()));
        }
        long began = System.nanoTime();
        TwinStudy.Result result;
        try (TraceStream rows = TraceStream.open(trace)) {
            result = TwinStudy.run(settings, facts, rows);
        }
        double wall = (System.nanoTime() - began) / 1e9;
        if (subject.region().isPresent()) {
            result = TwinRegion.checked(result, subject.region().get());
        }
        Document document = new Document(trace.toString(), subject.model(), subject.calibration().method(),
                subject.region(), subject.calibration().baseline(), subject.candidate(), subject.slo(),
                result.simulatedRequests() / wall, wall, result);
        if (json) {
            out().println(Json.pretty(document));
        } else {
            TwinText.print(document, out());
        }
        return Exit.DONE;
    }

    private Subject subject() {
        if (review != null && calibration.given()) {
            throw AssayException.misuse("--review and --calibrate are both given; expected one of them");
        }
        if (review != null) {
            return reviewed(review);
        }
        return calibration.evidence().map(this::calibrated).orElseGet(this::stated);
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    private List<Double> speeds(TraceStream.Facts facts) {
        if (rate != null && speed != null) {
            throw AssayException.misuse("--rate and --speed are both given; expected one of them");
        }
        if (rate == null) {
            return NumberList.of("--speed", speed == null ? "1" : speed, Double.MAX_VALUE);
        }
        if (!(facts.rps() > 0)) {
            throw AssayException
                    .misuse("--rate: the trace's requests all arrive at once; expected times that differ");
        }
        return NumberList.of("--rate", rate, Double.MAX_VALUE).stream().map(r -> r / facts.rps()).toList();
    }

    private Subject reviewed(Path directory) {
        ReviewFiles files = new ReviewFiles(directory);
        Proposal proposal = files.proposal();
        Prediction prediction = files.prediction();
        return new Subject(proposal.model().name(), prediction.shape(), prediction.calibration(),
                Optional.of(proposal.arms().candidate().settings()),
                slo == null ? proposal.slo() : Slo.parse(slo), Optional.empty());
    }

    /** The baseline as its own measurements show it; a pool binds that is stated, or follows from stated hardware. */
    private Subject calibrated(Evidence evidence) {
        ModelShape shape = shape();
        Slo bounds = slo == null ? Slo.none() : Slo.parse(slo);
        Optional<Hardware> machine = Optional.ofNullable(hardware).map(HardwareTable::named);
        UnaryOperator<EngineSettings> pool = s -> machine.map(m -> withPool(s, shape, m)).orElse(s);
        EngineSettings baseline = pool.apply(arm(Map.of()));
        return new Subject(model, shape,
                Calibrator.calibrate(shape, baseline, evidence, machine, bounds),
                candidate == null ? Optional.empty() : Optional.of(pool.apply(arm(pairs(candidate)))), bounds,
                Optional.of(evidence.region(maxNumSeqs)));
    }

    private Subject stated() {
        Hardware machine = HardwareTable.named(hardware == null ? DEFAULT_HARDWARE : hardware);
        ModelShape shape = shape();
        EngineSettings baseline = withPool(arm(Map.of()), shape, machine);
        Optional<EngineSettings> other = candidate == null
                ? Optional.empty()
                : Optional.of(withPool(arm(pairs(candidate)), shape, machine));
        return new Subject(model, shape, FirstPrinciples.calibration(shape, baseline, machine), other,
                slo == null ? Slo.none() : Slo.parse(slo), Optional.empty());
    }

    private static EngineSettings withPool(EngineSettings s, ModelShape shape, Hardware machine) {
        return s.numBlocks().isPresent()
                ? s
                : s.withBlocks(FirstPrinciples.kvBlocks(shape, s, machine));
    }

    private ModelShape shape() {
        if (Files.isRegularFile(Path.of(model))) {
            try (Gguf gguf = Gguf.open(Path.of(model))) {
                return gguf.shape();
            }
        }
        return KnownModels.named(model).shape();
    }

    private EngineSettings arm(Map<String, String> over) {
        Optional<Integer> blocks = over.containsKey("num_blocks")
                ? Optional.of(whole(over, "num_blocks", 0))
                : numBlocks;
        boolean caching = Boolean
                .parseBoolean(over.getOrDefault("enable_prefix_caching", "" + prefixCaching));
        return new EngineSettings(whole(over, "max_num_seqs", maxNumSeqs),
                whole(over, "max_num_batched_tokens", maxNumBatchedTokens),
                whole(over, "block_size", blockSize),
                blocks, QuantFormat.named(over.getOrDefault("weights", weights), "weights"),
                QuantFormat.named(over.getOrDefault("kv", kv), "kv"),
                caching ? Optional.of(true) : Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(),
                Optional.empty(), Optional.empty());
    }

    private static int whole(Map<String, String> over, String key, int otherwise) {
        String text = over.getOrDefault(key, "" + otherwise);
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw AssayException
                    .misuse("--candidate: " + key + " is '" + text + "'; expected a whole number");
        }
    }

    private static final List<String> KEYS = List.of("max_num_seqs", "max_num_batched_tokens", "block_size",
            "num_blocks", "weights", "kv", "enable_prefix_caching");

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String part : text.split(",")) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length < 2 || !KEYS.contains(pair[0])) {
                throw AssayException
                        .misuse("--candidate has '" + part + "'; expected KEY=VALUE with a key of "
                                + String.join(", ", KEYS));
            }
            pairs.put(pair[0], pair[1]);
        }
        return pairs;
    }
}
