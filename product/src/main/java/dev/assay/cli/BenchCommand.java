package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.engine.EngineBench;
import dev.assay.json.Json;
import dev.assay.model.Gguf;
import dev.assay.model.WeightFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the embedded engine's compute core: {@code assay bench}. */
@Command(name = "bench", mixinStandardHelpOptions = true, sortOptions = false, description = "Measure the embedded engine's speed, beside what one core can read and compute at most.", footer = {
        "", "Examples:", "  assay bench", "  assay bench --quantization q8_0 --json",
        "  assay bench --model FILE --dtype bfloat16 --threads 2"})
public final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--model", paramLabel = "FILE", description = "GGUF file (default: the shipped model).")
    private Optional<Path> model = Optional.empty();

    @Option(names = "--dtype", paramLabel = "TYPE", defaultValue = "float32", description = "Weights in memory: float32, bfloat16, float16 (default: ${DEFAULT-VALUE}).")
    private String dtype = "float32";

    @Option(names = "--quantization", paramLabel = "TYPE", description = "Quantize the weights: q8_0.")
    private Optional<String> quantization = Optional.empty();

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1", description = "Compute threads (default: ${DEFAULT-VALUE}).")
    private int threads = 1;

    @Option(names = "--repeats", paramLabel = "N", defaultValue = "3", description = "Runs of each batch, of which the fastest counts (default: ${DEFAULT-VALUE}).")
    private int repeats = 3;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Override
    public Integer call() {
        Path file = model.orElseGet(BenchCommand::shipped);
        PrintWriter out = spec.commandLine().getOut();
        EngineBench.Report report;
        try {
            report = EngineBench.run(file, format(), threads, repeats);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse(String.valueOf(e.getMessage()));
        }
        if (json) {
            out.println(Json.canonical(report));
        } else {
            print(report, out);
        }
        out.flush();
        return 0;
    }

    private static Path shipped() {
        return Path.of(System.getProperty("assay.home", "."), "model", "assay-18m-bf16.gguf");
    }

    private WeightFormat format() {
        if (quantization.isPresent()) {
            return WeightFormat.ofName(quantization.get());
        }
        return switch (dtype) {
            case "float32" -> WeightFormat.F32;
            case "bfloat16" -> WeightFormat.BF16;
            case "float16" -> WeightFormat.F16;
            case "auto" -> fileFormat();
            default -> WeightFormat.ofName(dtype);
        };
    }

    private WeightFormat fileFormat() {
        try (Gguf gguf = Gguf.open(model.orElseGet(BenchCommand::shipped))) {
            return gguf.format();
        }
    }

    private static void print(EngineBench.Report r, PrintWriter out) {
        out.printf(Locale.ROOT, "%s kernels, %s, %d thread(s), weights %.1f MB, loaded in %.0f ms%n",
                r.kernels(),
                r.format(), r.threads(), r.weightBytes() / 1e6, r.loadMs());
        out.printf(Locale.ROOT,
                "one core: reads %.1f GB/s at the model's size, %.1f GB/s of DRAM; %.1f GFLOP/s peak%n%n",
                r.readGigabytesPerSecond(), r.dramGigabytesPerSecond(), r.peakGigaflops());
        out.println(
                "batch  prefill tok/s  decode tok/s  step ms  gemm ms  attention ms  MB/step   GB/s  of read"
                        + "  GFLOP/s  of peak");
        for (EngineBench.Row row : r.rows()) {
            out.printf(Locale.ROOT,
                    "%5d  %13.0f  %12.0f  %7.2f  %7.2f  %12.2f  %7.1f  %5.1f  %6.0f%%  %7.1f  %6.0f%%%n",
                    row.batch(), row.prefillTokensPerSecond(), row.decodeTokensPerSecond(), row.stepMs(),
                    row.gemmMs(),
                    row.attentionMs(), row.bytesPerStep() / 1e6, row.gigabytesPerSecond(),
                    row.bandwidthShare() * 100,
                    row.gigaflopsPerSecond(), row.peakShare() * 100);
        }
    }
}
