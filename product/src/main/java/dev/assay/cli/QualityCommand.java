package dev.assay.cli;

import dev.assay.quality.QualityReport;
import dev.assay.review.Outputs;
import dev.assay.review.ReviewFiles;
import java.time.InstantSource;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Compares the outputs of both arms. */
@Command(name = "quality", description = "Compare the greedy outputs of both arms, and their likelihoods where they may"
        + " differ.", footer = {"", "Example:", "  assay quality reviews/weights-q8"})
final class QualityCommand extends ReviewCommand {
    @Mixin
    TrustOption trust = new TrustOption();

    @Override
    public Integer call() {
        ReviewFiles files = files();
        trust.check(files, err());
        QualityReport report = Outputs.compare(files, InstantSource.system(), progress());
        if (json) {
            printJson(report);
            return Exit.DONE;
        }
        out().println(report.greedy().identical() + " of " + report.greedy().prompts().size()
                + " prompts gave the same greedy output");
        report.likelihood().meanDifference().ifPresent(d -> out().println(String.format(Locale.ROOT,
                "likelihood of the baseline's text: %+.4f nats per token over %d positions", d,
                report.likelihood().positions())));
        return Exit.DONE;
    }
}
