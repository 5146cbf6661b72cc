package dev.assay.cli;

import dev.assay.forecast.arms.ArmPair;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arms.Surface;
import dev.assay.json.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay forecast step}: both arms at given loads, what limits them, and where the effect flips. */
@Command(name = "step", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true, description = "Forecasts TPOT, TTFT, throughput and memory of one or two engine settings, names what limits them and where the sign of the effect flips.", footer = {
        "", "Examples:",
        "  assay forecast step --hardware h100_sxm \\",
        "      --baseline 'vllm serve meta-llama/Llama-3.1-8B-Instruct'",
        "  assay forecast step --hardware a100_sxm --model config.json \\",
        "      --baseline 'vllm serve m' --candidate 'vllm serve m -q awq' \\",
        "      --input-tokens 512 --batch 1,16,128 --surface",
        "  assay forecast step --hardware h100_sxm --model llama-3.1-8b \\",
        "      --baseline 'vllm serve m' --calibrate bench.json,curve1,trace.json.gz --batch 4,16", "",
        "Exit codes: 0 done, 2 misuse (contradictory settings, a model that does not fit, ignored options),"
                + " 3 measurements that cannot calibrate this."})
final class ForecastStepCommand implements Callable<Integer> {
    private static final int FLIP_DRAWS = 60;
    private static final double SMALLEST_INPUT = 16;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final ForecastOptions options = new ForecastOptions();

    @Option(names = "--surface", description = "Also draw the map over load and prompt length.")
    private boolean surface;

    @Override
    public Integer call() {
        return print(options, surface, spec.commandLine().getOut());
    }

    static int print(ForecastOptions options, boolean surface, PrintWriter out) {
        ForecastOptions.Resolved r = options.resolve();
        ArmPair pair = r.pair();
        List<ArmPair.PairPoint> points = r.loads().stream().map(l -> pair.at(r.axis(), l)).toList();
        Optional<Surface> map = surface
                ? Optional.of(ForecastSurfaceCommand.map(options, r))
                : Optional.empty();
        ForecastDocument document = ForecastDocument.of(r, pair, points, flips(options, r), map);
        out.print(options.json() ? Json.pretty(document) : ForecastText.of(document, options.width()));
        out.flush();
        return Exit.DONE;
    }

    private static List<ForecastDocument.FlipAt> flips(ForecastOptions options, ForecastOptions.Resolved r) {
        if (r.candidateCommand().isEmpty()) {
            return List.of();
        }
        ArmPair pair = r.pair(r.lengths(), FLIP_DRAWS);
        double cap = Math.max(2, Math.max(pair.baseline().cap(), pair.candidate().cap()));
        List<ForecastDocument.FlipAt> flips = new ArrayList<>();
        String metric = options.metric().id();
        flips.add(new ForecastDocument.FlipAt("batch", metric, 1, cap,
                pair.flip(ArmPair.Axis.BATCH, 1, cap, options.metric(), options.limit())));
        double middle = r.loads().get(r.loads().size() / 2);
        double most = Math.min(longestInput(r), 1 << 20);
        if (most > SMALLEST_INPUT) {
            int output = Math.max(1, (int) Math.round(r.lengths().meanOutput()));
            flips.add(new ForecastDocument.FlipAt("prompt length", metric, SMALLEST_INPUT, most,
                    ArmPair.flipOver(SMALLEST_INPUT, most, r.axis(), middle, options.metric(),
                            options.limit(),
                            n -> r.pair(LengthSample.constant((int) Math.round(n), output), FLIP_DRAWS))));
        }
        if (r.axis() == ArmPair.Axis.RATE) {
            double low = r.loads().stream().mapToDouble(x -> x).min().orElseThrow();
            double high = Math.max(low * 2, r.loads().stream().mapToDouble(x -> x).max().orElseThrow());
            flips.add(new ForecastDocument.FlipAt("load", metric, low, high,
                    pair.flip(ArmPair.Axis.RATE, low, high, options.metric(), options.limit())));
        }
        return flips;
    }

    /** The longest prompt that both arms serve beside a mean answer. */
    static double longestInput(ForecastOptions.Resolved r) {
        double longest = Math.min(
                Math.min(r.baselineModel().contextLength(), r.baseline().longest().orElse(Integer.MAX_VALUE)),
                Math.min(r.candidateModel().contextLength(),
                        r.candidate().longest().orElse(Integer.MAX_VALUE)));
        ArmPair pair = r.pair(r.lengths(), 1);
        double pool = Math.min(pair.baseline().memory().tokens(), pair.candidate().memory().tokens());
        return Math.floor(Math.min(longest, pool) * 0.9 - r.lengths().meanOutput() - 1);
    }
}
