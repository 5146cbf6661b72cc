package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.arms.ArmPair;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arms.Surface;
import dev.assay.json.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code assay forecast surface}: where over load and prompt length a change helps, hurts, or cannot be told apart. */
@Command(name = "surface", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, description = "Draws over load and prompt length where the candidate helps (+), hurts (-) or cannot be told apart (.).")
final class ForecastSurfaceCommand implements Callable<Integer> {
    private static final int DRAWS = 40;
    private static final int ROWS = 12;
    private static final int MARGIN = 10;
    private static final double SMALLEST_INPUT = 64;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final ForecastOptions options = new ForecastOptions();

    @Override
    public Integer call() {
        return draw(options, spec.commandLine().getOut());
    }

    static int draw(ForecastOptions options, PrintWriter out) {
        Surface map = map(options, options.resolve());
        out.print(options.json() ? Json.pretty(map) : SurfaceText.of(map));
        out.flush();
        return Exit.DONE;
    }

    static Surface map(ForecastOptions options, ForecastOptions.Resolved r) {
        if (r.candidateCommand().isEmpty()) {
            throw AssayException.misuse("--candidate is missing; expected a second command line for a map");
        }
        int columns = options.width() - MARGIN;
        ArmPair pair = r.pair(r.lengths(), 1);
        double most = r.axis() == ArmPair.Axis.BATCH
                ? Math.max(2, 2 * Math.max(pair.baseline().cap(), pair.candidate().cap()))
                : Math.max(1.25 * last(r.loads()), 1.25 * r.loads().getFirst());
        double least = r.axis() == ArmPair.Axis.BATCH ? 1 : Math.min(r.loads().getFirst(), most / 100);
        double longest = ForecastStepCommand.longestInput(r);
        if (longest < SMALLEST_INPUT) {
            throw AssayException.misuse("the longest prompt beside the answer is " + (long) longest
                    + " tokens; expected room for at least " + (int) SMALLEST_INPUT);
        }
        List<Integer> inputs = Surface.scale(SMALLEST_INPUT, longest, ROWS).stream()
                .map(n -> (int) Math.round(n)).toList().reversed();
        int output = Math.max(1, (int) Math.round(r.lengths().meanOutput()));
        return Surface.of(r.axis(), options.metric(), options.limit(), Surface.scale(least, most, columns),
                inputs,
                n -> r.pair(LengthSample.constant(n, output), DRAWS));
    }

    private static double last(List<Double> loads) {
        return loads.stream().mapToDouble(x -> x).max().orElseThrow();
    }
}
