package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.WidthCorrection;
import dev.assay.review.Progress;
import dev.assay.review.ReviewFiles;
import dev.assay.review.ledger.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which past reviews make the intervals of a forecast wider. */
final class LedgerOption {
    private static final String NONE = "none";

    @Option(names = "--ledger", paramLabel = "DIR", description = "Where the reviews are whose forecasts decide how wide"
            + " this one's intervals are (default: those beside the review); 'none' for the model's own width.")
    Optional<String> ledger = Optional.empty();

    /** The correction from the reviews that were decided before {@code now}; faults of single reviews count for nothing. */
    Optional<WidthCorrection> correction(ReviewFiles files, Instant now, Progress progress) {
        if (ledger.filter(NONE::equals).isPresent()) {
            return Optional.empty();
        }
        if (ledger.filter(d -> !Files.isDirectory(Path.of(d))).isPresent()) {
            throw AssayException.misuse(
                    "--ledger " + ledger.get() + ": expected a directory that holds reviews, or 'none'");
        }
        Path beside = Optional.ofNullable(files.directory().toAbsolutePath().normalize().getParent())
                .orElse(files.directory());
        Ledger past = Ledger
                .read(List.of(ledger.map(Path::of).orElse(beside)), ledger.isPresent() ? Ledger.DEPTH : 1)
                .decidedBefore(now);
        Optional<WidthCorrection> correction = past.correction(files.draft().change());
        correction.ifPresent(w -> progress.step("ledger: " + w.words()));
        return correction;
    }
}
