package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.engine.EngineConfig;
import dev.assay.engine.EngineServer;
import dev.assay.model.Gguf;
import dev.assay.model.ModelShape;
import dev.assay.model.WeightFormat;
import dev.assay.scheduler.SchedulerConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay engine}: serves a model over the OpenAI HTTP API until it is told to stop. */
@Command(name = "engine", mixinStandardHelpOptions = true, description = "Serves a GGUF model over the OpenAI HTTP API.", footerHeading = "%nExamples:%n", footer = {
        "  assay engine --port 8000",
        "  assay engine --model tiny.gguf --quantization q8_0 --max-num-seqs 32",
        "  curl -s localhost:8000/v1/completions -d '{\"prompt\": \"In the beginning\", \"temperature\": 0}'"})
public final class EngineCommand implements Callable<Integer> {
    /** The default pool holds as many tokens of every sequence. */
    private static final int POOL_TOKENS_PER_SEQUENCE = 2048;
    /** The default pool takes no more memory than this. */
    private static final long POOL_BYTES = 1L << 30;

    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--model", paramLabel = "FILE", description = "GGUF file of a Llama-architecture model (default: the shipped one).")
    private Optional<Path> model = Optional.empty();

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host = "127.0.0.1";

    @Option(names = "--port", defaultValue = "8000", description = "Port; 0 for any free one, which is printed (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--block-size", defaultValue = "16", description = "Tokens of one KV page, a multiple of 16 (default: ${DEFAULT-VALUE}).")
    private int blockSize;

    @Option(names = "--num-blocks", description = "KV pages in the pool (default: 2048 tokens for each sequence, at most 1 GiB).")
    private Optional<Integer> numBlocks = Optional.empty();

    @Option(names = "--max-num-seqs", defaultValue = "8", description = "The most sequences in one step (default: ${DEFAULT-VALUE}).")
    private int maxNumSeqs;

    @Option(names = "--max-num-batched-tokens", defaultValue = "256", description = "The most tokens computed in one step (default: ${DEFAULT-VALUE}).")
    private int maxNumBatchedTokens;

    @Option(names = "--max-model-len", description = "The most tokens of prompt and output together (default: the model's context length).")
    private Optional<Integer> maxModelLen = Optional.empty();

    @Option(names = "--threads", description = "Compute threads (default: cores less one, at least 1).")
    private Optional<Integer> threads = Optional.empty();

    @Option(names = "--dtype", defaultValue = "float32", description = "Format of the weights in memory: float32, bfloat16 or float16 (default: ${DEFAULT-VALUE}).")
    private String dtype = "float32";

    @Option(names = "--quantization", defaultValue = "none", description = "none, or q8_0: weights in 8 bits with a scale for each 32 (default: ${DEFAULT-VALUE}).")
    private String quantization = "none";

    @Option(names = "--served-model-name", paramLabel = "NAME", description = "The model's name in the API (default: assay-18m, or the file's name).")
    private Optional<String> servedModelName = Optional.empty();

    @Option(names = "--enable-prefix-caching", negatable = true, defaultValue = "true", fallbackValue = "true", description = "Share the pages of equal prefixes (default: on).")
    private boolean prefixCaching;

    @Option(names = "--watermark", defaultValue = "0.01", description = "Share of the pool that an admission must leave free (default: ${DEFAULT-VALUE}).")
    private double watermark;

    @Override
    public Integer call() throws InterruptedException {
        EngineConfig config = config();
        // One carrier for all connections: the cores belong to the step loop.
        if (System.getProperty(CARRIERS) == null) {
            System.setProperty(CARRIERS, "1");
        }
        EngineServer server = EngineServer.start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "assay-engine-stop"));
        PrintWriter err = Objects.requireNonNull(spec, "picocli sets it").commandLine().getErr();
        err.println("listening on " + server.url());
        err.flush();
        // Until a signal: its shutdown hook ends the requests and frees the port.
        new CountDownLatch(1).await();
        return 0;
    }

    /** The settings of these options; a wrong one is misuse that names the option. */
    EngineConfig config() {
        Path file = model.orElseGet(EngineCommand::shippedModel);
        ModelShape shape;
        try (Gguf gguf = Gguf.open(file)) {
            shape = gguf.shape();
        }
        if (maxModelLen.isPresent() && maxModelLen.get() > shape.contextLength()) {
            throw AssayException
                    .misuse("--max-model-len " + maxModelLen.get() + ": the model's context length is "
                            + shape.contextLength());
        }
        try {
            int length = maxModelLen.orElse(shape.contextLength());
            int blocks = numBlocks.orElseGet(() -> defaultBlocks(shape, length));
            return new EngineConfig(file, servedModelName.orElseGet(() -> nameOf(file)), host, port,
                    new SchedulerConfig(maxNumSeqs, maxNumBatchedTokens, blockSize, blocks, watermark,
                            prefixCaching),
                    length, format(),
                    threads.orElse(Math.max(1, Runtime.getRuntime().availableProcessors() - 1)));
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse("engine: " + e.getMessage());
        }
    }

    private WeightFormat format() {
        WeightFormat plain = switch (dtype) {
            case "float32" -> WeightFormat.F32;
            case "bfloat16" -> WeightFormat.BF16;
            case "float16" -> WeightFormat.F16;
            default ->
                throw AssayException.misuse("--dtype " + dtype + ": expected float32, bfloat16 or float16");
        };
        return switch (quantization) {
            case "none" -> plain;
            case "q8_0" -> WeightFormat.Q8_0;
            default ->
                throw AssayException.misuse("--quantization " + quantization + ": expected none or q8_0");
        };
    }

    private int defaultBlocks(ModelShape shape, int length) {
        long perSequence = Math.min(length, POOL_TOKENS_PER_SEQUENCE);
        long affordable = Math.min(POOL_BYTES, Runtime.getRuntime().maxMemory() / 2)
                / shape.kvBytesPerToken(4);
        long tokens = Math.max(length, Math.min(maxNumSeqs * perSequence, affordable));
        return Math.toIntExact(Math.ceilDiv(tokens, Math.max(1, blockSize)));
    }

    private static Path shippedModel() {
        return Path.of(System.getProperty("assay.home", "."), "model", "assay-18m-bf16.gguf");
    }

    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith("assay-18m") ? "assay-18m" : name.replaceFirst("\\.gguf$", "");
    }
}
