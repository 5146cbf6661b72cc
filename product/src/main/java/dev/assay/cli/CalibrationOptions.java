package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.Evidence;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a forecast is calibrated from. */
final class CalibrationOptions {
    @Option(names = "--calibrate", paramLabel = "PATH,...", description = "Fit the constants to measurements of the baseline: directories of 'assay load --out' or 'assay curve --out', results that 'assay compare' reads, Kineto profiles. Kinds may be mixed; the content tells them apart.")
    private @Nullable String calibrate;

    @Option(names = "--profile-batch", paramLabel = "N", description = "Sequences in the steps of a profile that does not tell.")
    private @Nullable Integer profileBatch;

    @Option(names = "--profile-context", paramLabel = "N", description = "Tokens that each of them attends, where the profile does not tell.")
    private @Nullable Integer profileContext;

    boolean given() {
        return calibrate != null;
    }

    /** Everything that was named, read. */
    Optional<Evidence> evidence() {
        if (calibrate == null) {
            if (profileBatch != null || profileContext != null) {
                throw AssayException
                        .misuse("--profile-batch and --profile-context say what a profile lacks; expected them"
                                + " beside --calibrate");
            }
            return Optional.empty();
        }
        CalibrationSources sources = new CalibrationSources(atLeastOne("--profile-batch", profileBatch),
                atLeastOne("--profile-context", profileContext));
        return Arrays.stream(calibrate.split(",")).map(String::strip).filter(p -> !p.isEmpty())
                .map(p -> sources.read(Path.of(p))).reduce(Evidence::and)
                .or(() -> {
                    throw AssayException.misuse("--calibrate names nothing; expected files or directories");
                });
    }

    private static Optional<Integer> atLeastOne(String option, @Nullable Integer value) {
        if (value != null && (value < 1 || value > 10_000_000)) {
            throw AssayException.misuse(option + " is " + value + "; expected 1 to 10,000,000");
        }
        return Optional.ofNullable(value);
    }
}
