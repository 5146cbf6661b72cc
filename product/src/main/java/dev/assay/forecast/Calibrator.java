package dev.assay.forecast;

import dev.assay.AssayException;
import dev.assay.model.ModelShape;
import dev.assay.stats.Quantiles;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Calibrates the forecast from slots of the baseline arm alone, whatever engine serves it: the client's token times
 * give the steps, the steps the constants, and a replay of the slots what is left.
 */
public final class Calibrator {
    /** Draws of the constants that are kept. */
    static final int DRAWS = 64;
    /** Stretches into which a slot is cut for the bootstrap. */
    static final int STRETCHES = 4;
    /** Fewer steps than this say nothing. */
    static final int MIN_STEPS = 30;
    /** A row count counts as seen from this many steps on. */
    static final int SEEN_STEPS = 20;
    /** The law is never taken to be better than this over rows. */
    static final double MISFIT_FLOOR = 0.02;
    private static final int JITTER_VALUES = 61;
    private static final double JITTER_TAIL = 0.01;
    private static final double LARGE_REPLAY_ERROR = 0.15;
    /** How well a server's own account of its step's stages is believed, either way. */
    private static final double STAGE_TOLERANCE = 0.15;
    /** Only decides which bootstrap weights are drawn; fixed, so that a calibration is a function of its slots. */
    private static final long SEED = 0x5EEDCA11B8A7EL;

    private final ModelShape shape;
    private final EngineSettings baseline;
    private final List<CalibrationRun> runs;
    private final Slo slo;
    private final StepArithmetic arithmetic;
    private final List<String> warnings = new ArrayList<>();
    private final List<StepTimeline.Step> steps = new ArrayList<>();
    private final List<StepFit.Bin> bins = new ArrayList<>();
    private final Optional<Evidence> evidence;
    private int stretches;

    private Calibrator(ModelShape shape, EngineSettings baseline, List<CalibrationRun> runs, Slo slo,
            Optional<Evidence> evidence) {
        this.evidence = evidence;
        this.shape = shape;
        this.baseline = baseline;
        this.runs = runs;
        this.slo = slo;
        this.arithmetic = new StepArithmetic(shape, baseline);
    }

    /** The calibration where no SLO is set: every completed request is good. */
    public static Calibration calibrate(ModelShape shape, EngineSettings baseline,
            List<CalibrationRun> runs) {
        return calibrate(shape, baseline, runs, Slo.none());
    }

    /**
     * The calibration of a baseline.
     *
     * @param slo under which goodput is compared between repeats of a slot
     * @throws AssayException if the slots hold too few steps to tell their cost
     */
    public static Calibration calibrate(ModelShape shape, EngineSettings baseline, List<CalibrationRun> runs,
            Slo slo) {
        return new Calibrator(shape, baseline, runs, slo, Optional.empty()).calibrate();
    }

    /**
     * The calibration from evidence of any kind: token times where a run has them, with the mean steps of all else beside
     * them; without a run, mean steps and a prior.
     *
     * @param hardware whose ceilings hold what mean steps leave open
     */
    public static Calibration calibrate(ModelShape shape, EngineSettings baseline, Evidence evidence,
            Optional<Hardware> hardware, Slo slo) {
        return evidence.runs().isEmpty()
                ? PointCalibrator.calibrate(shape, baseline, evidence, hardware)
                : new Calibrator(shape, baseline, evidence.runs(), slo, Optional.of(evidence)).calibrate();
    }

    private Calibration calibrate() {
        readSteps();
        StepFit fit = new StepFit(arithmetic, bins);
        StepFit.Fitted central = fit.central();
        OptionalDouble weightPart = weightPart(central);
        StepConstants constants = central.knee() > 0
                ? central.constants()
                : StepFit.splitConstant(central.constants(), weightPart.orElse(middleWeightPart()));
        List<StepConstants> draws = draws(fit, weightPart);
        List<Double> jitter = jitter(fit, constants);
        Replays replays = new Replays(shape, baseline, constants, runs);
        Replays.Overhead overhead = replays.ttftOverhead();
        Replays.Residuals residuals = replays.residuals(overhead.nanos(), jitter, slo);
        Map<String, Double> replayError = residuals.replayError();
        Calibration.Region region = region();
        warn(central, weightPart, region, replayError);
        double[][] covariance = covariance(draws);
        return new Calibration(baseline, constants, standardErrors(covariance), rows(covariance), draws,
                overhead.nanos(), overhead.se(), misfit(fit, constants), jitter, residuals.noise(),
                replayError,
                replays.lengths(), region, steps.size(),
                evidence.map(e -> "calibrated from " + e.words() + ": "
                        + e.region(baseline.maxNumSeqs()).words() + "; ").orElse("") + "token gaps of "
                        + runs.size() + " slots gathered into " + steps.size() + " steps and "
                        + bins.size() + " bins; " + (central.knee() > 0
                                ? "streaming overlaps compute up to " + central.knee() + " rows"
                                : "linear in rows")
                        + "; non-negative least squares on relative errors, Bayesian bootstrap over "
                        + stretches
                        + " stretches of time",
                warnings);
    }

    private void readSteps() {
        if (runs.isEmpty()) {
            throw AssayException.evidence("calibration: no slot of the baseline; expected at least one");
        }
        StepTimeline timeline = new StepTimeline(arithmetic, baseline);
        for (CalibrationRun run : runs) {
            List<StepTimeline.Step> ofRun = timeline.steps(run.outcomes());
            for (int part = 0; part < STRETCHES; part++) {
                int from = ofRun.size() * part / STRETCHES;
                int to = ofRun.size() * (part + 1) / STRETCHES;
                if (to > from) {
                    bins.addAll(StepFit.bins(stretches++, ofRun.subList(from, to)));
                }
            }
            steps.addAll(ofRun);
        }
        if (steps.size() < MIN_STEPS) {
            throw AssayException
                    .evidence("calibration: " + steps.size() + " steps could be read from the token gaps of "
                            + runs.size() + " slots; expected at least " + MIN_STEPS
                            + " (longer slots, or a server that streams one token an event)");
        }
        evidence.ifPresent(e -> {
            warnings.addAll(e.notes());
            e.summaries().forEach(p -> addMean(PointFeatures.of(p, arithmetic, baseline.maxNumSeqs()),
                    1e6 * p.tpotMs()));
            e.steps().forEach(s -> addMean(PointFeatures.of(s), s.nanos()));
        });
    }

    /** A mean step that somebody else measured counts as much as the fullest bin of steps seen. */
    private void addMean(PointFeatures f, double nanos) {
        bins.add(new StepFit.Bin(stretches++, nanos, f.rows(), f.prefillFlops(), f.kvTokens(),
                (int) StepFit.MAX_BIN_WEIGHT));
    }

    /** Where the server reports its stages, the part of the law's constant that is not overhead. */
    private OptionalDouble weightPart(StepFit.Fitted central) {
        double constant = central.constants().overheadNanos() + central.constants().weightNanos();
        double[] parts = runs.stream().map(CalibrationRun::telemetry)
                .filter(t -> t.containsKey(TelemetryNames.GEMM_SHARE)
                        && t.containsKey(TelemetryNames.ATTENTION_SHARE)
                        && t.containsKey(TelemetryNames.STEP_TIME))
                .mapToDouble(t -> {
                    double other = 1
                            - t.getOrDefault(TelemetryNames.GEMM_SHARE, 0.0) / arithmetic.blocksShare()
                            - t.getOrDefault(TelemetryNames.ATTENTION_SHARE, 0.0);
                    return 1 - other * t.getOrDefault(TelemetryNames.STEP_TIME, 0.0) * 1e6 / constant;
                }).sorted().toArray();
        return parts.length == 0 || constant == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.clamp(parts[parts.length / 2], StepFit.WEIGHT_PART_LOW, 1));
    }

    private static double middleWeightPart() {
        return (StepFit.WEIGHT_PART_LOW + StepFit.WEIGHT_PART_HIGH) / 2;
    }

    private List<StepConstants> draws(StepFit fit, OptionalDouble weightPart) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<StepConstants> draws = new ArrayList<>();
        for (int i = 0; i < DRAWS; i++) {
            StepConstants c = fit.draw(random, stretches);
            if (!c.overlapped() && weightPart.isPresent()) {
                double part = weightPart.getAsDouble() + STAGE_TOLERANCE * (2 * random.nextDouble() - 1);
                c = StepFit.splitConstant(c, Math.clamp(part, StepFit.WEIGHT_PART_LOW, 1));
            }
            draws.add(c);
        }
        return draws;
    }

    private List<Double> jitter(StepFit fit, StepConstants c) {
        double[] factors = steps.stream()
                .mapToDouble(s -> s.nanos()
                        / fit.nanos(c, s.decodeRows(), s.prefillFlops(), (double) s.kvTokens()))
                .toArray();
        List<Double> jitter = new ArrayList<>();
        for (int i = 0; i < JITTER_VALUES; i++) {
            double p = JITTER_TAIL + (1 - 2 * JITTER_TAIL) * i / (JITTER_VALUES - 1);
            jitter.add(Quantiles.type7(factors, p));
        }
        return jitter;
    }

    /** Root mean square over row counts of the mean relative error of their bins. */
    private double misfit(StepFit fit, StepConstants c) {
        Map<Double, List<StepFit.Bin>> byRows = new TreeMap<>();
        bins.forEach(b -> byRows.computeIfAbsent(b.rows(), _ -> new ArrayList<>()).add(b));
        double squares = 0;
        int rows = 0;
        for (List<StepFit.Bin> group : byRows.values()) {
            int count = group.stream().mapToInt(StepFit.Bin::count).sum();
            if (count >= SEEN_STEPS) {
                double mean = group.stream().mapToDouble(b -> b.count() * fit.relativeError(c, b)).sum()
                        / count;
                squares += mean * mean;
                rows++;
            }
        }
        return Math.max(MISFIT_FLOOR, rows == 0 ? 0 : Math.sqrt(squares / rows));
    }

    private Calibration.Region region() {
        Map<Integer, Integer> count = new TreeMap<>();
        steps.forEach(s -> count.merge(s.decodeRows(), 1, Integer::sum));
        int rows = count.entrySet().stream().filter(e -> e.getValue() >= SEEN_STEPS)
                .mapToInt(Map.Entry::getKey).max()
                .orElse(1);
        int prompt = 1;
        int total = 1;
        for (CalibrationRun run : runs) {
            for (RequestOutcome o : run.outcomes()) {
                prompt = Math.max(prompt, StepTimeline.promptTokens(o));
                total = Math.max(total, StepTimeline.promptTokens(o) + o.outputTokens());
            }
        }
        double least = runs.stream().mapToDouble(CalibrationRun::offeredRps).min().orElseThrow();
        double most = runs.stream().mapToDouble(CalibrationRun::offeredRps).max().orElseThrow();
        for (LoadPoint p : evidence.map(Evidence::summaries).orElse(List.of())) {
            least = Math.min(least, p.requestsPerS());
            most = Math.max(most, p.requestsPerS());
            prompt = Math.max(prompt, (int) Math.round(p.meanInput()));
            total = Math.max(total, (int) Math.round(p.meanInput() + p.meanOutput()));
        }
        double means = evidence.map(e -> e.region(baseline.maxNumSeqs()).maxRows()).orElse(1.0);
        return new Calibration.Region((int) Math.max(Math.max(1, rows), Math.round(means)), least, most,
                prompt, total);
    }

    private void warn(StepFit.Fitted central, OptionalDouble weightPart, Calibration.Region region,
            Map<String, Double> replayError) {
        if (region.maxDecodeRows() < 2) {
            warnings.add(
                    "the slots hold no steps with two rows or more: the cost of a further row is taken from the"
                            + " prompts' cost");
        }
        if (central.knee() == 0 && weightPart.isEmpty()) {
            warnings.add(
                    "streaming the weights and the overhead of a step cannot be told apart from the baseline"
                            + " alone: the weights' part of the constant is drawn between 10 and 100 %");
        }
        if (!Replays.Residuals.repeated(runs)) {
            warnings.add(
                    "no slot was repeated: the noise is taken from the scatter of the replay over the slots");
        }
        replayError.forEach((name, error) -> {
            if (error > LARGE_REPLAY_ERROR) {
                warnings.add("a replay of the calibration slots misses " + name + " by "
                        + Math.round(100 * error) + " %; intervals of this metric are widened by it");
            }
        });
        long failed = runs.stream().flatMap(r -> r.outcomes().stream()).filter(o -> !o.completed()).count();
        if (failed > 0) {
            warnings.add(failed + " requests of the calibration slots failed and are left out");
        }
    }

    static double[][] covariance(List<StepConstants> draws) {
        int k = StepConstants.COUNT;
        double[] mean = new double[k];
        draws.forEach(d -> {
            for (int i = 0; i < k; i++) {
                mean[i] += d.values()[i] / draws.size();
            }
        });
        double[][] covariance = new double[k][k];
        for (StepConstants d : draws) {
            for (int i = 0; i < k; i++) {
                for (int j = 0; j < k; j++) {
                    covariance[i][j] += (d.values()[i] - mean[i]) * (d.values()[j] - mean[j])
                            / (draws.size() - 1);
                }
            }
        }
        return covariance;
    }

    static Map<String, Double> standardErrors(double[][] covariance) {
        String[] names = {"overhead_nanos", "weight_nanos", "decode_nanos_per_flop", "prefill_nanos_per_flop",
                "kv_nanos_per_byte"};
        Map<String, Double> errors = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            errors.put(names[i], Math.sqrt(covariance[i][i]));
        }
        return errors;
    }

    static List<List<Double>> rows(double[][] matrix) {
        return java.util.Arrays.stream(matrix)
                .map(row -> java.util.Arrays.stream(row).boxed().toList()).toList();
    }
}
