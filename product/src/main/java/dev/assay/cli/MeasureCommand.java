package dev.assay.cli;

import dev.assay.review.Analysis;
import dev.assay.review.Journal;
import dev.assay.review.Measuring;
import dev.assay.review.Outputs;
import dev.assay.review.Progress;
import dev.assay.review.Recommendation;
import dev.assay.review.ReviewFiles;
import dev.assay.review.State;
import dev.assay.review.Verdict;
import java.time.InstantSource;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Measures a sealed review and computes its verdicts. */
@Command(name = "measure", description = {
        "Compare the outputs, run the slots of a sealed review, compute the verdicts, write the record.",
        "Goes on where it stopped, whatever stopped it."}, footer = {"", "Example:",
                "  assay measure reviews/batch-cap-32"})
final class MeasureCommand extends ReviewCommand {
    @Mixin
    TrustOption trust = new TrustOption();

    @Override
    public Integer call() {
        ReviewFiles files = files();
        trust.check(files, err());
        Analysis analysis = measure(files, progress());
        if (json) {
            printJson(analysis);
        } else {
            print(analysis, files);
        }
        return exitCode(analysis.recommendation());
    }

    /** All of it, for this command and the demo. */
    static Analysis measure(ReviewFiles files, Progress progress) {
        InstantSource clock = InstantSource.system();
        Measuring.recover(files, clock);
        if (State.of(Journal.read(files.directory())).quality().isEmpty()) {
            Outputs.compare(files, clock, progress);
        }
        Measuring.measure(files, clock, progress);
        Analysis analysis = Measuring.conclude(files, clock);
        Records.write(files);
        return analysis;
    }

    private void print(Analysis analysis, ReviewFiles files) {
        Recommendation recommendation = analysis.recommendation();
        out().println(recommendation.decision().name() + ": " + recommendation.meaning());
        recommendation.reasons().forEach(r -> say("    ", "  " + r));
        analysis.warnings().forEach(w -> say("    ", "  warning: " + w));
        out().println("record: " + files.directory().resolve(ReviewFiles.RECORD_MD));
    }

    /** Against the change, not decided, or for it. */
    static int exitCode(Recommendation recommendation) {
        return switch (recommendation.decision()) {
            case SHIP -> Exit.DONE;
            case REJECT -> Exit.AGAINST;
            case HOLD -> Exit.EVIDENCE;
        };
    }

    /** How many claims of an analysis have each verdict, in words. */
    static String tally(Analysis analysis) {
        return analysis.claims().stream().map(c -> c.verdict())
                .collect(java.util.stream.Collectors.groupingBy(Verdict::word, java.util.TreeMap::new,
                        java.util.stream.Collectors.counting()))
                .entrySet().stream().map(e -> e.getValue() + " " + e.getKey().toLowerCase(Locale.ROOT))
                .collect(java.util.stream.Collectors.joining(", "));
    }
}
