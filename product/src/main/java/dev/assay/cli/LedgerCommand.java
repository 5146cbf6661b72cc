package dev.assay.cli;

import dev.assay.json.Json;
import dev.assay.report.LedgerReport;
import dev.assay.review.ledger.Ledger;
import dev.assay.review.ledger.LedgerSummary;
import dev.assay.review.ledger.LevelGoals;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Scores the sealed forecasts of many reviews. */
@Command(name = "ledger", mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = {
        "Score the sealed forecasts of many reviews against what was measured: coverage, bias, interval score,",
        "skill, limiters, levels, and the width that the next forecast's intervals get."}, footer = {"",
                "Example:", "  assay ledger reviews",
                "  assay ledger docs/examples --levels --goal tpot_p50_ms=0.15"})
final class LedgerCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", arity = "0..*", description = "Reviews, or directories that are searched for some"
            + " (default: .).")
    List<Path> directories = List.of(Path.of("."));

    @Option(names = "--levels", description = "Only how near the forecast levels of TPOT, TTFT and goodput came, by"
            + " kind of change and arm.")
    boolean levels;

    @Option(names = "--goal", paramLabel = "METRIC=SHARE", description = "How near the median level is meant to come"
            + " (default: tpot_p50_ms=0.1, goodput_rps=0.1, ttft_p50_ms=0.2).")
    Map<String, Double> goals = new LinkedHashMap<>();

    @Option(names = "--strict", description = "Exit with 1 unless the median of each metric, over both arms and all"
            + " changes, is within its goal.")
    boolean strict;

    @Option(names = "--width", description = "Columns to fill (default: the terminal's, else 80).")
    int width;

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    boolean json;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        LevelGoals wanted = LevelGoals.DEFAULT.with(goals);
        LedgerSummary summary = LedgerSummary.of(Ledger.read(directories, Ledger.DEPTH), wanted,
                InstantSource.system().instant());
        if (json) {
            spec.commandLine().getOut().print(Json.pretty(summary));
        } else {
            Terminal terminal = Terminal.detect();
            int columns = Math.max(60, width > 0 ? width : terminal.width());
            spec.commandLine().getOut().print(levels
                    ? LedgerReport.renderLevels(summary, columns, terminal.colour())
                    : LedgerReport.render(summary, columns, terminal.colour()));
        }
        spec.commandLine().getOut().flush();
        if (summary.reviews().isEmpty()) {
            return Exit.EVIDENCE;
        }
        return strict && !summary.met() ? Exit.AGAINST : Exit.DONE;
    }
}
