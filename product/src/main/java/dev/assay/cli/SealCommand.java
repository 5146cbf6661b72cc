package dev.assay.cli;

import dev.assay.review.Seal;
import dev.assay.review.Sealing;
import java.time.InstantSource;
import picocli.CommandLine.Command;

/** Freezes a prediction. */
@Command(name = "seal", description = "Freeze proposal, prediction, configurations and workload; measuring needs it.", footer = {
        "", "Example:", "  assay seal reviews/batch-cap-32"})
final class SealCommand extends ReviewCommand {
    @Override
    public Integer call() {
        Seal seal = Sealing.seal(files(), InstantSource.system());
        if (json) {
            printJson(seal);
        } else {
            out().println("sealed " + seal.sha256());
        }
        return Exit.DONE;
    }
}
