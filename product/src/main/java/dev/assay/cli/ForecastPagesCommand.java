package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arith.PageStudy;
import dev.assay.json.Json;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Trace;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay forecast pages}: exact arithmetic of a paged KV cache for a trace or distributions of lengths. */
@Command(name = "pages", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, description = "Computes what each KV page size wastes, admits and costs for given lengths, exactly.", footer = {
        "", "Examples:", "  assay forecast pages --trace trace.csv",
        "  assay forecast pages --input-tokens uniform:20,100 \\",
        "      --output-tokens 36 --block-size 8,16"})
final class ForecastPagesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--trace", paramLabel = "FILE", description = "A trace of Azure, BurstGPT, Mooncake or Qwen-Bailian.")
    private @Nullable Path trace;

    @Option(names = "--input-tokens", paramLabel = "DIST", description = "Lengths in place of a trace: N, uniform:MIN,MAX or lognormal:MEDIAN,SIGMA,MIN,MAX.")
    private @Nullable String input;

    @Option(names = "--output-tokens", paramLabel = "DIST", description = "As above.")
    private @Nullable String output;

    @Option(names = "--block-size", split = ",", paramLabel = "LIST", defaultValue = "8,16,32,64,128", description = "Page sizes, tokens (default ${DEFAULT-VALUE}).")
    private List<Integer> blockSizes = List.of();

    @Option(names = "--max-num-seqs", paramLabel = "N", defaultValue = "256", description = "Rows of the page tables (default ${DEFAULT-VALUE}).")
    private int maxNumSeqs = 256;

    @Option(names = "--max-model-len", paramLabel = "N", defaultValue = "131072", description = "Longest sequence of the page tables (default ${DEFAULT-VALUE}).")
    private int maxModelLen = 131_072;

    @Option(names = "--shared-prefix", paramLabel = "N", description = "Tokens with which every prompt begins.")
    private @Nullable Integer sharedPrefix;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of drawn lengths (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    private boolean json;

    /** The document of {@code --json}; shares are fractions. */
    private record Document(String lengths, int requests, double meanInput, double meanOutput, int maxNumSeqs,
            int maxModelLen, Optional<PageStudy.Shape> trace, Optional<Double> infiniteCacheHitShare,
            List<PageStudy.Row> pages) {}

    @Override
    public Integer call() {
        if ((trace == null) == (input == null || output == null)) {
            throw AssayException.misuse(
                    "give --trace FILE, or --input-tokens and --output-tokens; expected one source of lengths");
        }
        for (int size : blockSizes) {
            if (size < 1 || size > 1 << 20) {
                throw AssayException.misuse("--block-size has " + size + "; expected 1 to 1048576");
            }
        }
        if (maxNumSeqs < 1 || maxModelLen < 1 || sharedPrefix != null && sharedPrefix < 0) {
            throw AssayException.misuse("--max-num-seqs is " + maxNumSeqs + ", --max-model-len " + maxModelLen
                    + ", --shared-prefix " + sharedPrefix + "; expected at least 1, 1 and 0");
        }
        Optional<Trace> read = Optional.ofNullable(trace).map(Trace::read);
        LengthSample lengths = read.map(LengthSample::of).orElseGet(() -> LengthSample.of(
                LengthDistribution.parse(String.valueOf(input)),
                LengthDistribution.parse(String.valueOf(output)),
                seed));
        Document d = new Document(lengths.name(), lengths.size(), lengths.meanInput(), lengths.meanOutput(),
                maxNumSeqs, maxModelLen, read.map(PageStudy::shape),
                read.flatMap(PageStudy::infiniteCacheHitShare),
                PageStudy.of(lengths, blockSizes, maxNumSeqs, maxModelLen,
                        Optional.ofNullable(sharedPrefix)));
        spec.commandLine().getOut().print(json ? Json.pretty(d) : text(d));
        spec.commandLine().getOut().flush();
        return Exit.DONE;
    }

    private static String text(Document d) {
        StringBuilder out = new StringBuilder();
        out.append(line("%s: %,d requests, mean %.2f tokens in, %.2f out", d.lengths(), d.requests(),
                d.meanInput(), d.meanOutput()));
        d.trace().ifPresent(t -> out.append(line(
                "  median %,d in, %,d out; longest %,d and %,d; gaps: longest %.0f s, variation %.2f",
                t.medianInput(), t.medianOutput(), t.maxInput(), t.maxOutput(), t.maxGapSeconds(),
                t.gapVariation())));
        d.infiniteCacheHitShare().ifPresent(h -> out.append(line(
                "  a prefix cache without end would hit %.1f %% of the prompt blocks of the trace",
                100 * h)));
        out.append(line(""));
        out.append(line("%5s %9s %10s %11s %11s %15s %11s %9s", "page", "waste %", "at end %", "admits",
                "slots/seq",
                "halving saves", "tables MiB", "hashes"));
        for (PageStudy.Row r : d.pages()) {
            out.append(line("%5d %9.2f %10.2f %11.5f %11.2f %15s %11.2f %9.1f", r.blockSize(),
                    100 * r.wasteShare(),
                    100 * r.completionWasteShare(), r.admissibleFactor(), r.meanWasteTokens(),
                    r.halvingSavesTokens().isPresent()
                            ? String.format(Locale.ROOT, "%.2f in %.0f%%", r.halvingSavesTokens().get(),
                                    100 * r.halvingProbability().orElse(0.0))
                            : "-",
                    r.tableBytes() / 1048576.0, r.hashesPerRequest()));
        }
        if (d.pages().stream().anyMatch(r -> r.meanHitTokens().isPresent())) {
            d.pages().forEach(r -> out.append(line("  page %d: %.2f cached tokens found by a mean prompt",
                    r.blockSize(), r.meanHitTokens().orElse(0.0))));
        }
        out.append(line(""));
        out.append(line(
                "waste: empty slots over allocated ones while sequences decode (at end: when they finish)."));
        out.append(line(
                "admits: tokens of a pool that hold something. halving saves: slots of a finished sequence."));
        return out.toString();
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values) + "\n";
    }
}
