package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.review.Proposal.ChangeKind;
import dev.assay.review.ReviewFiles;
import dev.assay.review.Starting;
import dev.assay.review.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Begins a review. */
@Command(name = "new", description = "Begin a review: a directory with a commented review.yaml to fill in.", footer = {
        "", "Examples:", "  assay new reviews/batch-cap-32 --template batch_cap",
        "  assay new reviews/q8 --template weight_quantization --model assay-18m \\",
        "      --baseline 'server --port {port}' --candidate 'server --port {port} --q8'"})
final class NewCommand extends ReviewCommand {
    @Option(names = "--template", paramLabel = "KIND", converter = Kind.class, description = "Kind of change: batch_cap (default),"
            + " token_budget, page_size, weight_quantization, kv_quantization, fused_epilogue, prefix_caching,"
            + " tensor_parallel, collective_path or speculative_decoding.")
    ChangeKind template = ChangeKind.BATCH_CAP;

    @Option(names = "--baseline", paramLabel = "CMD|URL", description = "Command with {port}, or URL, of the baseline.")
    Optional<String> baseline = Optional.empty();

    @Option(names = "--candidate", paramLabel = "CMD|URL", description = "The same of the candidate.")
    Optional<String> candidate = Optional.empty();

    @Option(names = "--model", description = "The model's name in requests.")
    Optional<String> model = Optional.empty();

    @Option(names = "--shape-from", paramLabel = "GGUF", description = "A GGUF file with the model's shape.")
    Optional<Path> shapeFrom = Optional.empty();

    @Option(names = "--from", paramLabel = "FILE", description = "A finished proposal to start from, instead of a"
            + " template.")
    Optional<Path> from = Optional.empty();

    /** Kinds by the names that review.yaml has; hyphens do as well. */
    static final class Kind implements ITypeConverter<ChangeKind> {
        @Override
        public ChangeKind convert(String name) {
            String key = name.toLowerCase(Locale.ROOT).replace('-', '_');
            return Arrays.stream(ChangeKind.values())
                    .filter(k -> k.name().toLowerCase(Locale.ROOT).equals(key))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + name + "' is none; expected one of "
                            + Arrays.stream(ChangeKind.values()).map(k -> k.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(", "))));
        }
    }

    @Override
    public Integer call() {
        String yaml = from.map(NewCommand::read).orElseGet(this::fromTemplate);
        ReviewFiles files = Starting.create(directory, yaml, directory.getFileName().toString(),
                UUID.randomUUID().toString(), Machine.describe(), InstantSource.system());
        TrustStore.remember(files);
        if (json) {
            printJson(Map.of("review", directory.toString()));
        } else {
            out().println(
                    "made " + directory.resolve(ReviewFiles.PROPOSAL) + "; next: assay lint " + directory);
        }
        return Exit.DONE;
    }

    /** A proposal that reads; its text is taken as it is, comments included. */
    private static String read(Path file) {
        ReviewFiles.draft(file);
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private String fromTemplate() {
        Template yaml = Template.of(template);
        if (baseline.isPresent() && candidate.isPresent()) {
            yaml.arms(baseline.get(), candidate.get());
        } else if (baseline.isPresent() || candidate.isPresent()) {
            throw AssayException.misuse("expected --baseline and --candidate together");
        }
        model.ifPresent(m -> yaml.text("model", m));
        shapeFrom.ifPresent(f -> yaml.text("shape_from", f.toString()));
        return yaml.render();
    }
}
