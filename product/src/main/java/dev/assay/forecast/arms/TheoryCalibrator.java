package dev.assay.forecast.arms;

import dev.assay.forecast.Evidence;
import dev.assay.forecast.EvidenceRegion;
import dev.assay.forecast.LoadPoint;
import dev.assay.forecast.PriorFit;
import dev.assay.forecast.StepSample;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arith.StepLaw;
import dev.assay.forecast.arith.StepTheory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Scales the step law from first principles to what was measured of the baseline: the constants' prior is that of the
 * uncalibrated forecast, and each of its draws moves as little as the load points and steps demand.
 */
public final class TheoryCalibrator {
    /** Exponents of overlap that are tried; the first has a third of the prior, the others share the rest. */
    private static final double[] OVERLAPS = {1, 1.4, 2, 3, 8};
    private static final double NONE_PRIOR = 1 / 3.0;
    private static final StepTheory.FormatDeviates NO_FORMAT = new StepTheory.FormatDeviates(0, 0, 0);
    private static final int OUTSIDE = 6;
    private static final double OUTSIDE_NANOS = 5e6;
    private static final double OUTSIDE_SD = 1.2;
    private static final double TTFT_SD = 0.15;
    private static final double OPEN_SD = 0.2;
    private static final double FAR_ERROR = 0.15;
    private static final double NEVER_QUEUED = 0.5;
    private static final double Z90 = 1.6448536269514722;
    private static final List<String> NAMES = List.of("", "share of the bandwidth", "share of the operations",
            "cost of a layer", "latency of a collective", "share of the link");

    private final Evidence evidence;
    private final List<ArmModel> arms = new ArrayList<>();
    private final StepLaw law;
    private final Optional<LoadPoint> first;
    private final double[] observed;
    private final double[] sd;
    private final double[] priorSd;

    private TheoryCalibrator(Evidence evidence, Function<LengthSample, ArmModel> arm, StepLaw law, int cap) {
        this.evidence = evidence;
        this.law = law;
        evidence.points().forEach(p -> arms.add(arm.apply(LengthSample.constant(
                Math.max(1, (int) Math.round(p.meanInput())),
                Math.max(2, (int) Math.round(p.meanOutput()))))));
        first = evidence.points().stream().filter(p -> p.ttftMs().isPresent())
                .filter(p -> p.rows(cap) <= Math.max(2, NEVER_QUEUED * cap))
                .min(Comparator.comparingDouble(LoadPoint::requestsPerS));
        int n = evidence.size();
        observed = new double[first.isPresent() ? n + 1 : n];
        sd = new double[observed.length];
        for (int i = 0; i < n; i++) {
            observed[i] = Math.log(evidence.nanos(i));
            sd[i] = evidence.relativeSd(i);
        }
        first.ifPresent(p -> {
            observed[n] = Math.log(1e6 * p.ttftMs().orElseThrow());
            sd[n] = TTFT_SD;
        });
        priorSd = Arrays.copyOf(StepTheory.deviations(), OUTSIDE + 1);
        priorSd[OUTSIDE] = OUTSIDE_SD;
    }

    /**
     * The calibration of the baseline.
     *
     * @param arm the baseline under any lengths
     * @param any the baseline under lengths of any kind
     */
    public static TheoryCalibration calibrate(Evidence evidence, Function<LengthSample, ArmModel> arm,
            ArmModel any, int draws, long seed) {
        return new TheoryCalibrator(evidence, arm, any.law(), (int) any.cap()).calibrate((int) any.cap(),
                draws, seed);
    }

    /** One exponent of overlap, fitted. */
    private record Form(double overlap, double logPrior, PriorFit fit, PriorFit.Solution middle) {
        double logWeight() {
            return logPrior - middle.cost() / 2 - fit.size() * Math.log(fit.scale());
        }
    }

    private TheoryCalibration calibrate(int cap, int count, long seed) {
        List<Form> forms = new ArrayList<>();
        for (double overlap : OVERLAPS) {
            PriorFit fit = new PriorFit(observed, sd, priorSd);
            forms.add(new Form(overlap,
                    Math.log(overlap == 1 ? NONE_PRIOR : (1 - NONE_PRIOR) / (OVERLAPS.length - 1)), fit,
                    fit.middle(p -> logs(p, overlap, NO_FORMAT), new double[priorSd.length])));
        }
        Form best = forms.stream().max(Comparator.comparingDouble(Form::logWeight)).orElseThrow();
        double[] weights = forms.stream().mapToDouble(f -> Math.exp(f.logWeight() - best.logWeight()))
                .toArray();
        SplittableRandom random = new SplittableRandom(seed);
        List<TheoryDraw> draws = new ArrayList<>();
        for (StepTheory prior : StepTheory.uncalibrated(count, seed)) {
            Form form = forms.get(chosen(weights, random));
            double[] centre = Arrays.copyOf(prior.logs(), priorSd.length);
            centre[OUTSIDE] = OUTSIDE_SD * random.nextGaussian();
            PriorFit.Solution s = form.fit().draw(p -> logs(p, form.overlap(), prior.formatZ()), centre,
                    form.middle().parameters(), random);
            draws.add(new TheoryDraw(StepTheory.of(s.parameters(), form.overlap(), prior.formatZ()),
                    outside(s.parameters()), random.nextGaussian()));
        }
        double[] at = best.middle().parameters();
        EvidenceRegion region = evidence.region(cap);
        return new TheoryCalibration(
                new TheoryDraw(StepTheory.of(at, best.overlap(), NO_FORMAT), outside(at), 0), draws,
                Optional.of(region), "calibrated from " + evidence.words() + ": " + region.words(),
                warnings(best, draws));
    }

    private double outside(double[] p) {
        return first.isPresent() ? OUTSIDE_NANOS * Math.exp(p[OUTSIDE]) : 0;
    }

    private static int chosen(double[] weights, SplittableRandom random) {
        double left = random.nextDouble() * Arrays.stream(weights).sum();
        for (int i = 0; i < weights.length; i++) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return weights.length - 1;
    }

    private double[] logs(double[] p, double overlap, StepTheory.FormatDeviates format) {
        StepTheory t = StepTheory.of(p, overlap, format);
        double[] logs = new double[observed.length];
        for (int i = 0; i < evidence.size(); i++) {
            if (i < arms.size()) {
                ArmPoint at = at(i, t);
                logs[i] = Math.log(at.tpotNanos());
                if (first.isPresent() && first.get().equals(evidence.points().get(i))) {
                    logs[evidence.size()] = Math
                            .log(at.ttftNanos().orElse(at.tpotNanos()) + outside(p));
                }
            } else {
                StepSample step = evidence.step(i);
                logs[i] = Math.log(law.time(StepLaw.Load.decode(step.rows(), step.context()), t).nanos());
            }
        }
        return logs;
    }

    private ArmPoint at(int i, StepTheory t) {
        LoadPoint p = evidence.points().get(i);
        return p.concurrency().isPresent()
                ? arms.get(i).atBatch(p.concurrency().getAsDouble(), t)
                : arms.get(i).atRate(p.requestsPerS(), t);
    }

    private List<String> warnings(Form best, List<TheoryDraw> draws) {
        List<String> warnings = new ArrayList<>(evidence.notes());
        List<String> open = new ArrayList<>();
        for (int k = 1; k < NAMES.size(); k++) {
            int at = k;
            boolean used = k < 4 || law.rank().parallel().devices() > 1;
            double[] logs = draws.stream().mapToDouble(d -> d.theory().logs()[at]).toArray();
            double mean = Arrays.stream(logs).average().orElse(0);
            double spread = Math.sqrt(Arrays.stream(logs).map(v -> (v - mean) * (v - mean)).average()
                    .orElse(0));
            if (used && spread > OPEN_SD) {
                open.add(String.format(Locale.ROOT, "%s (×/÷ %.2g)", NAMES.get(k), Math.exp(Z90 * spread)));
            }
        }
        if (!open.isEmpty()) {
            warnings.add("the evidence leaves open, and first principles hold with their width: "
                    + String.join(", ", open));
        }
        if (first.isEmpty()) {
            warnings.add("no TTFT at low load: time outside the steps is not in the forecast");
        }
        double[] expected = logs(best.middle().parameters(), best.overlap(), NO_FORMAT);
        for (int i = 0; i < evidence.size(); i++) {
            double off = observed[i] - expected[i];
            if (Math.abs(off) > FAR_ERROR) {
                warnings.add(String.format(Locale.ROOT, "%s lies %+.0f %% off the fitted law",
                        evidence.source(i), 100 * Math.expm1(off)));
            }
        }
        return warnings;
    }
}
