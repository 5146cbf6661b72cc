package dev.assay.forecast;

import dev.assay.model.ModelShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Calibrates the twin from load points that are known by their summaries and from profiled steps: the same step law as of
 * token times, fitted to mean steps, with first principles for what they cannot tell.
 */
public final class PointCalibrator {
    /** Replays after which the fit is made again. */
    private static final int ROUNDS = 3;
    /** A constant whose logarithm has a larger deviation than this is open. */
    private static final double OPEN = 0.2;
    private static final double Z90 = 1.6448536269514722;
    /** A first token at rates up to this multiple of the lowest has waited for nobody. */
    private static final double LOW_RATE_FACTOR = 1.5;
    private static final double TTFT_SD = 0.15;
    /** Streaming that overlaps compute is believed this much beforehand. */
    private static final double OVERLAP_PRIOR = 0.3;
    private static final double FAR_ERROR = 0.15;
    private static final long SEED = 0x5EEDCA11B8A7EL;

    private final ModelShape shape;
    private final EngineSettings settings;
    private final Evidence evidence;
    private final ConstantsPrior prior;
    private final StepArithmetic arithmetic;
    private final List<PointFeatures> features = new ArrayList<>();
    private final double[] nanos;
    private final double[] sd;
    private final double[] correction;
    private final Optional<LoadPoint> first;
    private double firstCorrection = 1;

    private PointCalibrator(ModelShape shape, EngineSettings settings, Evidence evidence,
            Optional<Hardware> hardware) {
        this.shape = shape;
        this.settings = settings;
        this.evidence = evidence;
        this.prior = ConstantsPrior.of(shape, settings, hardware);
        this.arithmetic = new StepArithmetic(shape, settings);
        evidence.points().forEach(p -> features.add(PointFeatures.of(p, arithmetic, settings.maxNumSeqs())));
        evidence.steps().forEach(s -> features.add(PointFeatures.of(s)));
        nanos = new double[features.size()];
        sd = new double[features.size()];
        correction = new double[features.size()];
        Arrays.fill(correction, 1);
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = evidence.nanos(i);
            sd[i] = evidence.relativeSd(i);
        }
        first = evidence.points().stream().filter(p -> p.ttftMs().isPresent())
                .filter(p -> p.rows(settings.maxNumSeqs()) <= Math.max(1.5, settings.maxNumSeqs() / 2.0))
                .min(java.util.Comparator.comparingDouble(LoadPoint::requestsPerS));
    }

    /**
     * The calibration.
     *
     * @param hardware a row of the table, whose ceilings hold what the evidence leaves open
     */
    public static Calibration calibrate(ModelShape shape, EngineSettings settings, Evidence evidence,
            Optional<Hardware> hardware) {
        return new PointCalibrator(shape, settings, evidence, hardware).calibrate(hardware);
    }

    /** One form of the law, fitted. */
    private record Form(boolean overlapped, PriorFit fit, PriorFit.Law law, PriorFit.Solution middle) {
        /** Logarithm of how probable the form is, but for what all forms have in common. */
        double logWeight() {
            return Math.log(overlapped ? OVERLAP_PRIOR : 1 - OVERLAP_PRIOR) - middle.cost() / 2
                    - fit.size() * Math.log(fit.scale());
        }
    }

    /** Both forms, fitted to the same. */
    private record Forms(Form summed, Form overlapped) {
        Form best() {
            return overlapped.logWeight() > summed.logWeight() ? overlapped : summed;
        }

        double overlappedShare() {
            return 1 / (1 + Math.exp(summed.logWeight() - overlapped.logWeight()));
        }
    }

    private Calibration calibrate(Optional<Hardware> hardware) {
        Forms forms = forms();
        for (int round = 0; round < ROUNDS && !evidence.points().isEmpty(); round++) {
            correct(forms.best());
            forms = forms();
        }
        Form best = forms.best();
        StepConstants constants = constants(best, best.middle().parameters());
        List<StepConstants> draws = draws(forms);
        double[][] covariance = Calibrator.covariance(draws);
        double[] logs = residuals(best);
        double misfit = Math.max(Calibrator.MISFIT_FLOOR,
                Math.sqrt(Arrays.stream(logs).map(e -> e * e).sum() / logs.length));
        Replays.Overhead overhead = overhead(constants);
        List<String> warnings = warnings(draws, hardware, logs, best);
        EvidenceRegion region = evidence.region(settings.maxNumSeqs());
        double longest = evidence.points().stream().mapToDouble(p -> p.meanInput() + p.meanOutput()).max()
                .orElse(region.maxContext());
        return new Calibration(settings, constants, Calibrator.standardErrors(covariance),
                Calibrator.rows(covariance), draws, overhead.nanos(), overhead.se(), misfit, List.of(),
                Map.of(), Map.of(MetricNames.TPOT_P50, misfit), new Calibration.Lengths(0, 1),
                new Calibration.Region((int) Math.max(1, Math.round(region.maxRows())), region.minRps(),
                        region.maxRps() == 0 ? Double.MAX_VALUE : region.maxRps(),
                        (int) Math.max(1, Math.round(region.maxPrompt())),
                        (int) Math.max(1, Math.round(longest))),
                evidence.size(), method(region, hardware, best), warnings);
    }

    private String method(EvidenceRegion region, Optional<Hardware> hardware, Form best) {
        return "calibrated from " + evidence.words() + ": " + region.words() + "; "
                + (best.overlapped() ? "streaming overlaps compute" : "linear in rows")
                + "; logarithms fitted with a prior by "
                + hardware.map(h -> "first principles on " + h.name()).orElse("no stated hardware");
    }

    private Forms forms() {
        return new Forms(form(false), form(true));
    }

    private Form form(boolean overlapped) {
        int n = features.size();
        int all = n + (first.isPresent() ? 1 : 0);
        double[] y = new double[all];
        double[] s = Arrays.copyOf(sd, all);
        for (int i = 0; i < n; i++) {
            y[i] = Math.log(nanos[i] / correction[i]);
        }
        first.ifPresent(p -> {
            y[n] = Math.log(1e6 * p.ttftMs().orElseThrow());
            s[n] = TTFT_SD;
        });
        PriorFit fit = new PriorFit(y, s, prior.deviations());
        PriorFit.Law law = p -> logs(p, overlapped, all);
        return new Form(overlapped, fit, law, fit.middle(law, new double[prior.sd().size()]));
    }

    private double[] logs(double[] p, boolean overlapped, int all) {
        StepConstants c = prior.at(p, overlapped);
        double[] logs = new double[all];
        for (int i = 0; i < features.size(); i++) {
            logs[i] = Math.log(law(c, features.get(i)));
        }
        first.ifPresent(f -> logs[features.size()] = Math.log(firstCorrection * firstToken(c, f)
                + prior.outsideNanos() * Math.exp(p[ConstantsPrior.OUTSIDE])));
        return logs;
    }

    /** The steps until a first token: the prompt's own, and half of one where a step is under way. */
    private double firstToken(StepConstants c, LoadPoint p) {
        PointFeatures at = PointFeatures.of(p, arithmetic, settings.maxNumSeqs());
        double rows = Math.min(at.rows(), p.decoding());
        double prompt = arithmetic.prefillFlops(0, Math.max(1, Math.round(p.meanInput())));
        return 0.5 * Math.min(1, p.decoding()) * law(c, at)
                + law(c, new PointFeatures(rows, prompt, rows * p.context()));
    }

    private double law(StepConstants c, PointFeatures f) {
        double compute = f.rows() * arithmetic.decodeFlops() * c.decodeNanosPerFlop()
                + f.prefillFlops() * c.prefillNanosPerFlop();
        return c.overheadNanos() + c.combine(c.weightNanos(), compute)
                + f.kvTokens() * arithmetic.kvBytesPerToken() * c.kvNanosPerByte();
    }

    /** What the twin shows at each load point over the law's mean step there. */
    private void correct(Form form) {
        StepConstants c = constants(form, form.middle().parameters());
        CostModel cost = CostModel.calibrated(shape, settings, c);
        for (int i = 0; i < evidence.points().size(); i++) {
            LoadPoint p = evidence.points().get(i);
            if (p.concurrency().isEmpty()) {
                PointFeatures.Replayed replayed = PointFeatures.replayed(p, settings, cost);
                correction[i] = replayed.tpotNanos() / law(c, features.get(i));
                if (first.isPresent() && first.get().equals(p) && replayed.ttftNanos().isPresent()) {
                    firstCorrection = replayed.ttftNanos().getAsDouble() / firstToken(c, p);
                }
            }
        }
    }

    private StepConstants constants(Form form, double[] parameters) {
        return prior.at(parameters, form.overlapped());
    }

    private List<StepConstants> draws(Forms forms) {
        SplittableRandom random = new SplittableRandom(SEED);
        double share = forms.overlappedShare();
        List<StepConstants> draws = new ArrayList<>();
        for (int i = 0; i < Calibrator.DRAWS; i++) {
            Form form = i < share * Calibrator.DRAWS ? forms.overlapped() : forms.summed();
            draws.add(constants(form, form.fit().draw(form.law(), prior.draw(random),
                    form.middle().parameters(), random).parameters()));
        }
        return shuffled(draws, random);
    }

    /** Draws are taken from the front: both forms must be among any number of them. */
    private static List<StepConstants> shuffled(List<StepConstants> draws, SplittableRandom random) {
        for (int i = draws.size() - 1; i > 0; i--) {
            java.util.Collections.swap(draws, i, random.nextInt(i + 1));
        }
        return draws;
    }

    private double[] residuals(Form form) {
        double[] f = form.law().logs(form.middle().parameters());
        double[] r = new double[nanos.length];
        for (int i = 0; i < r.length; i++) {
            r[i] = Math.log(nanos[i] / correction[i]) - f[i];
        }
        return r;
    }

    /** What first tokens at low load take beyond a replay of their load point. */
    private Replays.Overhead overhead(StepConstants c) {
        CostModel cost = CostModel.calibrated(shape, settings, c);
        List<Double> over = new ArrayList<>();
        double usual = 0;
        double most = LOW_RATE_FACTOR * first.map(LoadPoint::requestsPerS).orElse(0.0);
        for (LoadPoint p : evidence.points()) {
            if (p.ttftMs().isPresent() && p.requestsPerS() <= most) {
                double replay = PointFeatures.replayed(p, settings, cost).ttftNanos().orElse(0);
                over.add(1e6 * p.ttftMs().getAsDouble() - replay);
                usual += 1e6 * p.ttftMs().getAsDouble();
            }
        }
        if (over.isEmpty()) {
            return new Replays.Overhead(0, 0);
        }
        double mean = over.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double squares = over.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
        double scatter = over.size() > 1
                ? Math.sqrt(squares / (over.size() - 1) / over.size())
                : 0;
        return new Replays.Overhead(Math.max(0, mean),
                Math.max(scatter, TTFT_SD * usual / over.size() / Math.sqrt(over.size())));
    }

    private List<String> warnings(List<StepConstants> draws, Optional<Hardware> hardware, double[] logs,
            Form best) {
        List<String> warnings = new ArrayList<>(evidence.notes());
        List<String> open = open(draws);
        if (!open.isEmpty()) {
            warnings.add("the evidence leaves open, and the prior ("
                    + hardware.map(Hardware::name).orElse("of any machine, as no --hardware is stated")
                    + ") holds with its width: " + String.join(", ", open));
        }
        if (first.isEmpty()) {
            warnings.add("no TTFT at low load: time outside the steps (network, tokenising, start-up) is"
                    + " not in the forecast");
        }
        warnings.add("no single steps were seen: the twin's steps do not scatter, and tails such as p99 are"
                + " too short");
        Map<String, String> far = new TreeMap<>();
        for (int i = 0; i < logs.length; i++) {
            if (Math.abs(logs[i]) > FAR_ERROR) {
                far.put(evidence.source(i),
                        String.format(Locale.ROOT, "%+.0f %%", 100 * Math.expm1(logs[i])));
            }
        }
        far.forEach((source, by) -> warnings.add(source + " lies " + by + " off the fitted law"));
        if (best.fit().scale() > 1.5) {
            warnings.add(String.format(Locale.ROOT, "the points scatter %.1f times as far around the law as"
                    + " repeats would: intervals are widened so", best.fit().scale()));
        }
        return warnings;
    }

    private static List<String> open(List<StepConstants> draws) {
        List<String> open = new ArrayList<>();
        for (int k = 0; k < ConstantsPrior.NAMES.size(); k++) {
            int at = k;
            double[] logs = draws.stream().mapToDouble(d -> Math.log(d.values()[at])).toArray();
            double mean = Arrays.stream(logs).average().orElseThrow();
            double variance = Arrays.stream(logs).map(v -> (v - mean) * (v - mean)).sum() / logs.length;
            if (Math.sqrt(variance) > OPEN) {
                open.add(String.format(Locale.ROOT, "%s (×/÷ %.2g)", ConstantsPrior.NAMES.get(k),
                        Math.exp(Z90 * Math.sqrt(variance))));
            }
        }
        return open;
    }
}
