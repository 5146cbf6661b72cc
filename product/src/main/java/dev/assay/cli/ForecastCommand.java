package dev.assay.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code assay forecast}: what a change will do, and how good such forecasts are. */
@Command(name = "forecast", mixinStandardHelpOptions = true, sortOptions = false, usageHelpWidth = 100, description = "Forecasts, and how good they are.", synopsisSubcommandLabel = "COMMAND", subcommands = {
        ForecastAccuracyCommand.class}, footer = {"", "Example:",
                "  assay forecast accuracy measured.csv"})
public final class ForecastCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command is given; expected accuracy");
    }
}
