package dev.assay.cli;

import dev.assay.review.Lint;
import dev.assay.review.ReviewFiles;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Says what a proposal lacks before it may be sealed. */
@Command(name = "lint", description = "Say what is missing before the review may be sealed.", footer = {"",
        "Example:", "  assay lint reviews/batch-cap-32"})
final class LintCommand extends ReviewCommand {
    @Override
    public Integer call() {
        ReviewFiles files = files();
        boolean seeks = files.seeksLoadPoints();
        Lint.Result result = Lint.check(files.draft(),
                files.hasPrediction() && !seeks ? Optional.of(files.prediction()) : Optional.empty());
        if (json) {
            printJson(result);
        } else {
            result.refusals().forEach(r -> out().println("refused: " + r));
            result.remarks().forEach(r -> out().println("remark:  " + r));
            if (result.refusals().isEmpty()) {
                out().println(seeks
                        ? "ready to predict, which finds the load points first"
                        : "ready to predict and seal");
            }
        }
        return result.refusals().isEmpty() ? Exit.DONE : Exit.EVIDENCE;
    }
}
