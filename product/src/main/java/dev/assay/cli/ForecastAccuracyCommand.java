package dev.assay.cli;

import dev.assay.forecast.silicon.Accuracy;
import dev.assay.forecast.silicon.AccuracyRun;
import dev.assay.forecast.silicon.SiliconFile;
import dev.assay.json.Json;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code assay forecast accuracy}: the calibrated step law on measured rows that it did not see. */
@Command(name = "accuracy", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, description = {
        "Calibrates the step law on four fifths of a file's families and scores it on the others, ten times over,"
                + " beside an uncalibrated roofline and a constant ratio.",
        "",
        "FILE is CSV with the columns backend, backend_version, model_path, system, precision, isl, osl,"
                + " gemm_quant_mode, batch_size, tp_size, silicon_ttft_ms, silicon_tpot_ms."}, footer = {"",
                        "Examples:", "  assay forecast accuracy measured.csv",
                        "  assay forecast accuracy measured.csv --json", "",
                        "Exit codes: 0 done, 2 misuse, 3 too few families to hold some out."})
final class ForecastAccuracyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Measured rows.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    private boolean json;

    @Override
    public Integer call() {
        Accuracy accuracy = AccuracyRun.of(SiliconFile.read(file));
        spec.commandLine().getOut().print(json ? Json.pretty(accuracy) : AccuracyText.of(accuracy));
        spec.commandLine().getOut().flush();
        return Exit.DONE;
    }
}
