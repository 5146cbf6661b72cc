package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.report.TerminalReport;
import dev.assay.review.ReviewFiles;
import dev.assay.review.ReviewView;
import dev.assay.review.Views;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints a review. */
@Command(name = "show", description = "Print a review as it stands.", footer = {"", "Example:",
        "  assay show reviews/batch-cap-32"})
final class ShowCommand extends ReviewCommand {
    @Option(names = "--width", description = "Columns to fill (default: the terminal's, else 80).")
    int width;

    @Option(names = "--write", description = "First write record.md and record.html anew from the evidence, as after an"
            + " upgrade of Assay.")
    boolean write;

    @Override
    public Integer call() {
        ReviewFiles files = files();
        if (write && !files.hasRecord()) {
            throw AssayException.evidence("there is no record to write anew: 'assay measure' writes it");
        }
        ReviewView view = write ? Records.write(files) : Views.of(files);
        if (json) {
            printJson(view);
        } else {
            Terminal terminal = Terminal.detect();
            out().print(TerminalReport.render(view, width > 0 ? width : terminal.width(), terminal.colour()));
        }
        return Exit.DONE;
    }
}
