package dev.assay.cli;

import dev.assay.review.Claim;
import dev.assay.review.Event;
import dev.assay.review.Journal;
import dev.assay.review.Prediction;
import dev.assay.review.Predicting;
import dev.assay.review.Progress;
import dev.assay.review.ReviewFiles;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Calibrates on the baseline and forecasts the change. */
@Command(name = "predict", description = "Measure the baseline's operating curve, forecast both arms, write the claims.", footer = {
        "", "Example:", "  assay predict reviews/batch-cap-32"})
final class PredictCommand extends ReviewCommand {
    @Mixin
    TrustOption trust = new TrustOption();

    @Mixin
    LedgerOption ledger = new LedgerOption();

    @Override
    public Integer call() {
        ReviewFiles files = files();
        trust.check(files, err());
        boolean seeks = files.seeksLoadPoints();
        InstantSource clock = InstantSource.system();
        Progress progress = progress();
        Prediction prediction = Predicting.predict(files, clock, Roots.of(files),
                ledger.correction(files, clock.instant(), progress), progress);
        if (json) {
            printJson(prediction);
        } else {
            if (seeks) {
                Journal.read(files.directory()).stream().map(Journal.Entry::event)
                        .filter(e -> e instanceof Event.EvidenceAttached)
                        .map(e -> ((Event.EvidenceAttached) e).note())
                        .reduce((_, last) -> last).ifPresent(out()::println);
            }
            for (Claim claim : prediction.claims()) {
                say("    ", claim.id() + ": " + claim.statement());
                PredictionText.bands(claim).forEach(out()::println);
            }
            PredictionText.lines(files.proposal(), prediction).forEach(out()::println);
            prediction.width().ifPresent(w -> say("  ", "ledger: " + w.words()));
            say("  ",
                    "written to " + files.directory().resolve(ReviewFiles.PREDICTION) + "; next: assay seal "
                            + files.directory());
        }
        return Exit.DONE;
    }
}
