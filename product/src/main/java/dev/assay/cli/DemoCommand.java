package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.report.ForecastReport;
import dev.assay.review.Analysis;
import dev.assay.review.Deciding;
import dev.assay.review.Measuring;
import dev.assay.review.Predicting;
import dev.assay.review.Progress;
import dev.assay.review.Recommendation;
import dev.assay.review.ReviewFiles;
import dev.assay.review.ReviewView;
import dev.assay.review.Sealing;
import dev.assay.review.Starting;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reviews a change of the embedded engine from the first step to the last. */
@Command(name = "demo", mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = {
        "Review a change of the embedded engine: calibrate, predict, seal, measure, decide.",
        "Changes: batch-cap-8-to-32 (default), batch-cap-2-to-8, weights-q8, page-size-16-to-32, page-size-16-to-64.",
        "Exits with 0 when the review was carried out, whatever its verdict."}, footer = {"", "Examples:",
                "  assay demo --quick", "  assay demo --change weights-q8 --out reviews/q8"})
final class DemoCommand implements Callable<Integer> {
    private static final int MOST_BLOCKS = 100;

    @Option(names = "--change", paramLabel = "NAME", description = "Which change (default: batch-cap-8-to-32).")
    String change = DemoChange.DEFAULT.id();

    @Option(names = "--quick", description = "Two minutes: two short blocks, in which no claim about a ratio can be"
            + " decided.")
    boolean quick;

    @Option(names = "--blocks", paramLabel = "N", description = "Blocks of four sessions (default: 6, the fewest that can"
            + " decide a ratio; 2 with --quick).")
    Optional<Integer> blocks = Optional.empty();

    @Option(names = "--out", paramLabel = "DIR", description = "Where the review is written (default:"
            + " reviews/demo-NAME, numbered).")
    Optional<Path> out = Optional.empty();

    @Option(names = "--seed", description = "Of blocks, load order, arrivals and prompts (default: 1).")
    long seed = 1;

    @Option(names = "--no-open", description = "Do not open the record, even where there is a desktop.")
    boolean noOpen;

    @Option(names = "--json", description = "Print one JSON document at the end, nothing else on stdout.")
    boolean json;

    @Mixin
    LedgerOption ledger = new LedgerOption();

    @Spec
    CommandSpec spec = CommandSpec.create();

    /** What {@code --json} prints. */
    record Result(String review, String recommendation, String meaning, List<String> reasons,
            List<String> warnings) {}

    @Override
    public Integer call() {
        DemoChange chosen = DemoChange.named(change);
        if (blocks.isPresent() && (blocks.get() < 1 || blocks.get() > MOST_BLOCKS)) {
            throw AssayException.misuse("--blocks is " + blocks.get() + "; expected 1 to " + MOST_BLOCKS);
        }
        PrintWriter stdout = spec.commandLine().getOut();
        PrintWriter stderr = spec.commandLine().getErr();
        Path directory = out
                .orElseGet(() -> free(Path.of("reviews", "demo-" + chosen.id() + (quick ? "-quick" : ""))));
        if (Files.exists(directory.resolve(ReviewFiles.PROPOSAL))) {
            throw AssayException
                    .misuse("--out " + directory + ": there is a review already; expected a new directory");
        }
        Progress progress = ProgressLine.on(stderr);
        InstantSource clock = InstantSource.system();
        progress.step("looking for the load points that matter on this machine");
        DemoPilot.Figures figures = DemoPilot.run(chosen, quick);
        String yaml = DemoProposal.render(chosen, figures, quick, blocks, seed);
        ReviewFiles files = Starting.create(directory, yaml, chosen.id(), UUID.randomUUID().toString(),
                Machine.describe(), clock);
        TrustStore.remember(files);
        progress.step("proposal: " + directory.resolve(ReviewFiles.PROPOSAL)
                + "; the whole review takes about "
                + ProgressLine.time(
                        Predicting.estimateSeconds(files.proposal()) + Measuring.estimateSeconds(files)));
        Predicting.predict(files, clock, Roots.of(files), ledger.correction(files, clock.instant(), progress),
                progress);
        progress.step("sealed " + Sealing.seal(files, clock).sha256());
        Analysis analysis = MeasureCommand.measure(files, progress);
        Recommendation recommendation = analysis.recommendation();
        Deciding.decide(files,
                new Deciding.Request(recommendation.decision(), "assay demo, as recommended", List.of(),
                        "", List.of(), false),
                clock);
        ReviewView view = Records.write(files);
        if (json) {
            stdout.print(Json.pretty(new Result(directory.toString(),
                    recommendation.decision().name().toLowerCase(Locale.ROOT), recommendation.meaning(),
                    recommendation.reasons(), analysis.warnings())));
        } else {
            print(stdout, analysis);
            Terminal terminal = Terminal.detect();
            stdout.print(ForecastReport.render(view, terminal.width(), terminal.colour()));
            next(stdout, files);
        }
        stdout.flush();
        if (!noOpen && !json) {
            Desktop.open(directory.resolve(ReviewFiles.RECORD_HTML));
        }
        return Exit.DONE;
    }

    private static void print(PrintWriter stdout, Analysis analysis) {
        Recommendation recommendation = analysis.recommendation();
        stdout.println();
        stdout.println(recommendation.decision().name() + " (" + recommendation.meaning() + ")");
        recommendation.reasons()
                .forEach(r -> Wrapped.lines("    ", "  " + r).forEach(stdout::println));
        stdout.println("claims: " + MeasureCommand.tally(analysis));
        analysis.warnings().forEach(w -> Wrapped.lines("  ", "warning: " + w).forEach(stdout::println));
        stdout.println();
    }

    private static void next(PrintWriter stdout, ReviewFiles files) {
        stdout.println();
        Map<String, String> next = new java.util.LinkedHashMap<>();
        next.put("read", files.directory().resolve(ReviewFiles.RECORD_HTML).toString());
        next.put("verify", "assay verify " + files.directory());
        next.forEach((what, how) -> stdout.println(String.format(Locale.ROOT, "%-7s %s", what, how)));
        stdout.println(files.directory());
    }

    private static Path free(Path wanted) {
        Path free = wanted;
        for (int i = 2; Files.exists(free); i++) {
            free = wanted.resolveSibling(wanted.getFileName() + "-" + i);
        }
        return free;
    }
}
