package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.PrefixGroups;
import dev.assay.workload.RequestClass;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import dev.assay.workload.WorkloadSpec.Content;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is sent, whenever it is: lengths, shared prefixes or a workload, the seed of it all, and what makes it good. */
final class ContentOptions {
    private static final String INPUT = "64";
    private static final String OUTPUT = "32";

    @Option(names = "--input-tokens", paramLabel = "DIST", description = "N, uniform:MIN,MAX or lognormal:MEDIAN,SIGMA,MIN,MAX (default 64).")
    private @Nullable String inputTokens;

    @Option(names = "--output-tokens", paramLabel = "DIST", description = "As above (default 32).")
    private @Nullable String outputTokens;

    @Option(names = "--prefix-groups", paramLabel = "N", description = "Prompts begin with the text of one of N groups.")
    private @Nullable Integer prefixGroups;

    @Option(names = "--prefix-tokens", paramLabel = "DIST", description = "How long that text is, before the prompt's own.")
    private @Nullable String prefixTokens;

    @Option(names = "--workload", paramLabel = "PRESET|FILE", description = "A preset (chat, code, chat-small, code-small), a workload file (YAML, JSON) or a trace (Azure, Mooncake, BurstGPT, Qwen-Bailian, ServeGen, ShareGPT).")
    private @Nullable String workload;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of arrivals, lengths and prompts (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--slo", paramLabel = "LIST", description = "Bounds in ms that make a request good: ttft:250,tpot:12,e2e:4000.")
    private @Nullable String slo;

    /** The seed of the run. */
    long seed() {
        return seed;
    }

    /** The objective of classes that have none of their own, where one is given. */
    Optional<Slo> slo() {
        return Optional.ofNullable(slo).map(Slo::parse);
    }

    /** What is sent, with its shared prefixes. */
    WorkloadSpec spec() {
        if (workload == null) {
            return prefixed(
                    WorkloadSpec.of(LengthDistribution.parse(inputTokens == null ? INPUT : inputTokens),
                            LengthDistribution.parse(outputTokens == null ? OUTPUT : outputTokens)));
        }
        if (inputTokens != null || outputTokens != null) {
            throw AssayException.misuse(
                    "--workload gives the lengths; expected no --input-tokens and --output-tokens beside it");
        }
        return prefixed(WorkloadSpec.presetOrFile(workload));
    }

    private WorkloadSpec prefixed(WorkloadSpec spec) {
        if (prefixGroups == null && prefixTokens == null) {
            return spec;
        }
        if (prefixGroups == null || prefixTokens == null || !(spec.content() instanceof Content.Mix mix)) {
            throw AssayException.misuse(
                    "--prefix-groups and --prefix-tokens: expected both, with lengths that are drawn");
        }
        int groups = prefixGroups;
        LengthDistribution tokens = LengthDistribution.parse(prefixTokens);
        return misuse("--prefix-groups", () -> {
            List<RequestClass> classes = mix.classes().stream()
                    .map(c -> c.withPrefix(new PrefixGroups("prefix", groups, tokens))).toList();
            return spec.withContent(new Content.Mix(classes));
        });
    }

    /** The value, or a fault of the caller that names the option. */
    static <T> T misuse(String option, Supplier<T> make) {
        try {
            return make.get();
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse(option + ": " + e.getMessage());
        }
    }
}
