package dev.assay.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay forecast}: what can be said about a change before anything is measured. */
@Command(name = "forecast", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, header = "States what a change will do, from first principles.", synopsisSubcommandLabel = "[COMMAND]", subcommands = {
        ForecastStepCommand.class, ForecastSurfaceCommand.class, ForecastPagesCommand.class,
        ForecastAccuracyCommand.class}, footer = {"", "Examples:",
                "  assay forecast step --hardware h100_sxm \\",
                "      --baseline 'vllm serve meta-llama/Llama-3.1-8B'",
                "  assay forecast pages --trace trace.csv", "  assay forecast accuracy measured.csv"})
final class ForecastCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final ForecastOptions options = new ForecastOptions();

    @Option(names = "--surface", description = "Draw the map over load and prompt length.")
    private boolean surface;

    @Override
    public Integer call() {
        if (!options.given()) {
            spec.commandLine().usage(spec.commandLine().getOut(), CommandLine.Help.Ansi.OFF);
            return Exit.DONE;
        }
        return surface
                ? ForecastSurfaceCommand.draw(options, spec.commandLine().getOut())
                : ForecastStepCommand.print(options, false, spec.commandLine().getOut());
    }
}
