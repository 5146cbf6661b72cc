package dev.assay.cli;

import dev.assay.AssayException;
import dev.assay.forecast.Evidence;
import dev.assay.forecast.EvidenceRegion;
import dev.assay.forecast.Hardware;
import dev.assay.forecast.HardwareTable;
import dev.assay.forecast.arms.ArmInputs;
import dev.assay.forecast.arms.ArmModel;
import dev.assay.forecast.arms.ArmPair;
import dev.assay.forecast.arith.KvMemory;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arms.Outcome;
import dev.assay.forecast.arms.TheoryCalibration;
import dev.assay.forecast.arms.TheoryCalibrator;
import dev.assay.forecast.arith.Routing;
import dev.assay.forecast.engines.ArmSettings;
import dev.assay.model.DecoderSpec;
import dev.assay.model.Decoders;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Trace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that forecast from first principles, and what they stand for. */
final class ForecastOptions {
    private static final double MOST_LOAD = 1e6;

    private static final double GIB = 1L << 30;
    private static final int MOST_DRAWS = 10_000;

    @Option(names = "--model", paramLabel = "MODEL", description = "A config.json, its directory, a GGUF file or a known name; without it the models that the commands name.")
    private @Nullable String model;

    @Option(names = "--hardware", paramLabel = "NAME", description = "Such as h100_sxm, a100_sxm, rtx_4090.")
    private @Nullable String hardware;

    @Option(names = "--baseline", paramLabel = "COMMAND", description = "The engine's command line: vllm serve ..., python -m sglang.launch_server ..., llama-server ...")
    private @Nullable String baseline;

    @Option(names = "--candidate", paramLabel = "COMMAND", description = "The changed command line.")
    private @Nullable String candidate;

    @Option(names = "--input-tokens", paramLabel = "DIST", description = "N, uniform:MIN,MAX or lognormal:MEDIAN,SIGMA,MIN,MAX (default 1024).")
    private @Nullable String input;

    @Option(names = "--output-tokens", paramLabel = "DIST", description = "As above (default 256).")
    private @Nullable String output;

    @Option(names = "--trace", paramLabel = "FILE", description = "Lengths of a trace in place of distributions.")
    private @Nullable Path trace;

    @Option(names = "--batch", paramLabel = "LIST", description = "Requests that clients keep in the system (default 1,8,32,128).")
    private @Nullable String batch;

    @Option(names = "--rate", paramLabel = "LIST", description = "Requests in a second, at random, in place of --batch.")
    private @Nullable String rate;

    @Option(names = "--metric", paramLabel = "NAME", defaultValue = "throughput", description = "Of the map and the flips: tpot, ttft or throughput (default ${DEFAULT-VALUE}).")
    private Outcome metric = Outcome.THROUGHPUT;

    @Option(names = "--detectable", paramLabel = "PERCENT", defaultValue = "1", description = "Smaller effects cannot be told apart (default ${DEFAULT-VALUE}).")
    private double detectable = 1;

    @Option(names = "--shared-prefix", paramLabel = "N", defaultValue = "0", description = "Tokens with which every prompt begins (default ${DEFAULT-VALUE}).")
    private int sharedPrefix;

    @Option(names = "--routing-skew", paramLabel = "A", defaultValue = "0", description = "Exponent of the power law by which experts are chosen; 0 is uniform (default ${DEFAULT-VALUE}).")
    private double skew;

    @Option(names = "--acceptance", paramLabel = "P", description = "Probability that a drafted token is accepted.")
    private @Nullable Double acceptance;

    @Option(names = "--draft-cost", paramLabel = "C", defaultValue = "0", description = "Time to draft a token, over a step of the model (default ${DEFAULT-VALUE}).")
    private double draftCost;

    @Option(names = "--activation-gib", paramLabel = "G", description = "Measured peak of activations; without it an estimate.")
    private @Nullable Double activationGib;

    @Option(names = "--other-gib", paramLabel = "G", description = "Measured memory outside of tensors (default 0.13).")
    private @Nullable Double otherGib;

    @Option(names = "--draws", paramLabel = "N", defaultValue = "200", description = "Draws behind each interval (default ${DEFAULT-VALUE}).")
    private int draws = 200;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed of the draws (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--width", paramLabel = "COLUMNS", description = "Width of the text (default: the terminal's, at least 80).")
    private @Nullable Integer width;

    @Mixin
    private final CalibrationOptions calibration = new CalibrationOptions();

    @Option(names = "--json", description = "Print one JSON document instead of text.")
    private boolean json;

    boolean json() {
        return json;
    }

    boolean given() {
        return baseline != null;
    }

    int width() {
        int columns = width == null ? Terminal.detect().width() : width;
        if (columns < 60 || columns > 400) {
            throw AssayException.misuse("--width is " + columns + "; expected 60 to 400");
        }
        return columns;
    }

    Outcome metric() {
        return metric;
    }

    double limit() {
        if (!(detectable >= 0) || detectable > 50) {
            throw AssayException.misuse("--detectable is " + detectable + "; expected 0 to 50 %");
        }
        return detectable / 100;
    }

    /** Everything resolved. */
    record Resolved(Hardware hardware, String baselineCommand, Optional<String> candidateCommand,
            DecoderSpec baselineModel, DecoderSpec candidateModel, ArmSettings baseline,
            ArmSettings candidate,
            LengthSample lengths, ArmInputs inputs, ArmPair.Axis axis, List<Double> loads,
            TheoryCalibration calibration, List<String> warnings) {
        ArmPair pair(LengthSample of, int count) {
            ArmModel b = new ArmModel(baselineModel, baseline, hardware, of, inputs);
            return new ArmPair(b,
                    candidateCommand.isEmpty()
                            ? b
                            : new ArmModel(candidateModel, candidate, hardware, of, inputs),
                    calibration.first(count));
        }

        ArmPair pair() {
            return pair(lengths, calibration.draws().size());
        }

        Resolved at(List<Double> points, List<String> remarks) {
            return new Resolved(hardware, baselineCommand, candidateCommand, baselineModel, candidateModel,
                    baseline, candidate, lengths, inputs, axis, points, calibration, remarks);
        }
    }

    Resolved resolve() {
        if (hardware == null || baseline == null) {
            throw AssayException.misuse((hardware == null ? "--hardware" : "--baseline")
                    + " is missing; expected --hardware NAME and --baseline COMMAND");
        }
        if (draws < 1 || draws > MOST_DRAWS) {
            throw AssayException.misuse("--draws is " + draws + "; expected 1 to " + MOST_DRAWS);
        }
        Optional<Evidence> evidence = calibration.evidence();
        Hardware machine = HardwareTable.named(hardware);
        ArmSettings b = settings("--baseline", baseline, machine);
        Optional<String> changed = Optional.ofNullable(candidate);
        ArmSettings c = changed.isPresent() ? settings("--candidate", changed.get(), machine) : b;
        refuseBlind(b, c);
        DecoderSpec own = model(b, "--baseline");
        DecoderSpec other = changed.isEmpty() || (model == null && b.model().equals(c.model()))
                ? own
                : model(c, "--candidate");
        LengthSample lengths = lengths();
        ArmInputs with = inputs();
        TheoryCalibration constants = evidence
                .map(e -> TheoryCalibrator.calibrate(e, of -> new ArmModel(own, b, machine, of, with),
                        new ArmModel(own, b, machine, lengths, with), draws, seed))
                .orElseGet(() -> TheoryCalibration.uncalibrated(draws, seed));
        Resolved all = new Resolved(machine, baseline, changed, own, other, b, c, lengths, with,
                rate == null ? ArmPair.Axis.BATCH : ArmPair.Axis.RATE, loads(), constants,
                constants.warnings());
        return constants.region().isEmpty() ? all : within(all);
    }

    /** The loads that the calibration can speak of; one that was asked for and lies far outside is refused. */
    private Resolved within(Resolved all) {
        ArmPair pair = all.pair(all.lengths(), 0);
        EvidenceRegion region = all.calibration().region().orElseThrow();
        List<Double> near = new ArrayList<>();
        List<String> warnings = new ArrayList<>(all.warnings());
        for (double load : all.loads()) {
            OptionalDouble far = pair.far(all.axis(), load);
            String name = all.axis().name().toLowerCase(Locale.ROOT) + " " + ForecastText.plain(load);
            if (far.isPresent() && (batch != null || rate != null)) {
                throw AssayException.evidence(String.format(Locale.ROOT, "%s: %.0f sequences run at once;"
                        + " expected at most %.0f times the %.3g that the calibration saw, or a calibration at a"
                        + " higher load", name, far.getAsDouble(), EvidenceRegion.FAR, region.maxRows()));
            }
            if (far.isPresent()) {
                warnings.add(name + " is left out: the calibration saw " + region.words());
                continue;
            }
            near.add(load);
            outside(name, pair.rowsOutside(all.axis(), load), region, warnings);
        }
        outside(String.format(Locale.ROOT, "a context of %.0f tokens", pair.meanContext()),
                pair.contextOutside(), region, warnings);
        return all.at(near.isEmpty() ? List.of(1.0) : near, warnings);
    }

    private static void outside(String what, double octaves, EvidenceRegion region, List<String> warnings) {
        if (octaves > 0) {
            warnings.add(String.format(Locale.ROOT, "%s lies outside of what was calibrated (%s) by %.1f"
                    + " doublings beyond the half that is within reach: intervals are widened", what,
                    region.words(), octaves));
        }
    }

    private static ArmSettings settings(String option, String command, Hardware machine) {
        try {
            return ArmSettings.of(command, machine.memoryBytes());
        } catch (AssayException e) {
            throw AssayException.misuse(option + ": " + e.getMessage());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw AssayException.misuse(option + ": " + e.getMessage());
        }
    }

    private static void refuseBlind(ArmSettings b, ArmSettings c) {
        List<String> blind = ArmSettings.blindDifferences(b, c);
        if (!blind.isEmpty()) {
            throw AssayException.misuse("the arms differ in " + String.join(", ", blind)
                    + ", which the forecast ignores; expected the same in both, or a calibrated measurement");
        }
        if (!b.engine().equals(c.engine())) {
            throw AssayException.misuse("the arms run " + b.engine() + " and " + c.engine()
                    + "; expected one engine, as the constants that differ between engines are not modelled");
        }
    }

    private DecoderSpec model(ArmSettings arm, String option) {
        if (model != null) {
            return Decoders.resolve(model);
        }
        return Decoders.resolve(arm.model().orElseThrow(() -> AssayException
                .misuse(option + " names no model; expected one in it, or --model")));
    }

    private LengthSample lengths() {
        if (trace != null) {
            if (input != null || output != null) {
                throw AssayException.misuse(
                        "--trace stands beside --input-tokens or --output-tokens; expected one source of lengths");
            }
            return LengthSample.of(Trace.read(trace));
        }
        return LengthSample.of(LengthDistribution.parse(input == null ? "1024" : input), outputs(), seed);
    }

    LengthDistribution outputs() {
        return LengthDistribution.parse(output == null ? "256" : output);
    }

    private ArmInputs inputs() {
        try {
            return new ArmInputs(
                    activationGib == null
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(positive("--activation-gib", activationGib) * GIB),
                    otherGib == null ? KvMemory.OTHER_BYTES : positive("--other-gib", otherGib) * GIB,
                    new Routing(skew), sharedPrefix,
                    acceptance == null ? OptionalDouble.empty() : OptionalDouble.of(acceptance), draftCost);
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse(String.valueOf(e.getMessage()));
        }
    }

    private static double positive(String option, double value) {
        if (!(value >= 0) || value > 1e4) {
            throw AssayException.misuse(option + " is " + value + "; expected 0 to 10000");
        }
        return value;
    }

    private List<Double> loads() {
        if (batch != null && rate != null) {
            throw AssayException.misuse("--batch and --rate are both given; expected one of them");
        }
        return rate != null
                ? NumberList.of("--rate", rate, MOST_LOAD)
                : NumberList.of("--batch", batch == null ? "1,8,32,128" : batch, MOST_LOAD);
    }
}
