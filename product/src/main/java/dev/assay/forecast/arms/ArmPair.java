package dev.assay.forecast.arms;

import dev.assay.forecast.EvidenceRegion;
import dev.assay.forecast.arith.StepTheory;
import dev.assay.forecast.arms.Outcome.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;

/**
 * Two arms under one theory and its draws. The draws are common to both arms, so that what they share cancels in
 * ratios.
 */
public final class ArmPair {
    private static final int FLIP_STEPS = 48;
    private static final int BISECTIONS = 40;
    /** Ratios nearer to 1 than this are equal: rounding of the arithmetic. */
    private static final double EQUAL = 1e-6;

    private final ArmModel baseline;
    private final ArmModel candidate;
    private final TheoryDraw middle;
    private final List<TheoryDraw> draws;
    private final Optional<EvidenceRegion> region;

    /** The pair; one arm alone is a pair with itself. */
    public ArmPair(ArmModel baseline, ArmModel candidate, StepTheory middle, List<StepTheory> draws) {
        this(baseline, candidate, new TheoryCalibration(TheoryDraw.of(middle),
                draws.stream().map(TheoryDraw::of).toList(), Optional.empty(), "", List.of()));
    }

    /** The pair under calibrated constants. */
    public ArmPair(ArmModel baseline, ArmModel candidate, TheoryCalibration calibration) {
        this.baseline = baseline;
        this.candidate = candidate;
        this.middle = calibration.middle();
        this.draws = calibration.draws();
        this.region = calibration.region();
    }

    private static ArmPoint at(Axis axis, ArmModel arm, double load, TheoryDraw draw) {
        ArmPoint p = axis.at(arm, load, draw.theory());
        return draw.outsideNanos() == 0 || p.ttftNanos().isEmpty()
                ? p
                : new ArmPoint(p.running(), p.tpotNanos(),
                        OptionalDouble.of(p.ttftNanos().getAsDouble() + draw.outsideNanos()), p.outputRate(),
                        p.requestRate(), p.saturated(), p.step(), p.limiter());
    }

    /** Doublings by which a load lies outside of what was measured, in the worse arm. */
    public double octavesOutside(Axis axis, double load) {
        return Math.max(rowsOutside(axis, load), contextOutside());
    }

    /** As {@link #octavesOutside}, of the rows of a step alone. */
    public double rowsOutside(Axis axis, double load) {
        return region.map(r -> Math.max(r.rowsOutside(rows(axis, baseline, load)),
                r.rowsOutside(rows(axis, candidate, load)))).orElse(0.0);
    }

    /** As {@link #octavesOutside}, of the context alone, which no load changes. */
    public double contextOutside() {
        return region.map(r -> Math.max(r.contextOutside(baseline.lengths().meanContext()),
                r.contextOutside(candidate.lengths().meanContext()))).orElse(0.0);
    }

    /** Tokens that a sequence of the baseline attends to in the mean. */
    public double meanContext() {
        return baseline.lengths().meanContext();
    }

    private double rows(Axis axis, ArmModel arm, double load) {
        return Math.max(1, axis.at(arm, load, middle.theory()).running());
    }

    /** Rows that run at a load, where they are far more than were measured. */
    public OptionalDouble far(Axis axis, double load) {
        double rows = Math.max(axis.at(baseline, load, middle.theory()).running(),
                axis.at(candidate, load, middle.theory()).running());
        return region.isPresent() && region.get().far(rows)
                ? OptionalDouble.of(rows)
                : OptionalDouble.empty();
    }

    private List<TheoryDraw> drawsAt(Axis axis, double load) {
        double octaves = octavesOutside(axis, load);
        return octaves == 0
                ? draws
                : draws.stream().map(d -> d.beyond(middle.theory(), octaves)).toList();
    }

    /** What the load axis is. */
    public enum Axis {
        /** Requests that clients keep in the system. */
        BATCH,
        /** Requests in a second. */
        RATE;

        ArmPoint at(ArmModel arm, double load, StepTheory t) {
            return switch (this) {
                case BATCH -> arm.atBatch(load, t);
                case RATE -> arm.atRate(load, t);
            };
        }
    }

    /**
     * Both arms at one load.
     *
     * @param baselineLevels its outcomes, each with its interval
     * @param candidateLevels the same
     * @param ratios candidate over baseline
     */
    public record PairPoint(double load, ArmPoint baseline, ArmPoint candidate,
            Map<Outcome, Spread> baselineLevels, Map<Outcome, Spread> candidateLevels,
            Map<Outcome, Spread> ratios) {}

    /** Both arms at a load. */
    public PairPoint at(Axis axis, double load) {
        ArmPoint b = at(axis, baseline, load, middle);
        ArmPoint c = at(axis, candidate, load, middle);
        List<TheoryDraw> wide = drawsAt(axis, load);
        Map<Outcome, double[][]> all = new EnumMap<>(Outcome.class);
        for (Outcome o : Outcome.values()) {
            all.put(o, new double[3][draws.size()]);
        }
        for (int i = 0; i < draws.size(); i++) {
            ArmPoint db = at(axis, baseline, load, wide.get(i));
            ArmPoint dc = at(axis, candidate, load, wide.get(i));
            for (Map.Entry<Outcome, double[][]> e : all.entrySet()) {
                double vb = e.getKey().of(db).orElse(Double.POSITIVE_INFINITY);
                double vc = e.getKey().of(dc).orElse(Double.POSITIVE_INFINITY);
                e.getValue()[0][i] = vb;
                e.getValue()[1][i] = vc;
                e.getValue()[2][i] = Double.isInfinite(vb) && Double.isInfinite(vc) ? 1 : vc / vb;
            }
        }
        Map<Outcome, Spread> lb = new EnumMap<>(Outcome.class);
        Map<Outcome, Spread> lc = new EnumMap<>(Outcome.class);
        Map<Outcome, Spread> ratios = new EnumMap<>(Outcome.class);
        all.forEach((o, v) -> {
            OptionalDouble vb = o.of(b);
            OptionalDouble vc = o.of(c);
            vb.ifPresent(x -> lb.put(o, Spread.of(x, v[0])));
            vc.ifPresent(x -> lc.put(o, Spread.of(x, v[1])));
            if (vb.isPresent() && vc.isPresent()) {
                ratios.put(o, Spread.of(vc.getAsDouble() / vb.getAsDouble(), v[2]));
            }
        });
        return new PairPoint(load, b, c, lb, lc, ratios);
    }

    /** Whether the candidate helps at a point. */
    public enum Verdict {
        /** In at least 95 % of the draws, by more than the limit. */
        HELPS('+'),
        /** It hurts so. */
        HURTS('-'),
        /** Neither. */
        UNKNOWN('.');

        private final char mark;

        Verdict(char mark) {
            this.mark = mark;
        }

        /** Its sign on a map. */
        public char mark() {
            return mark;
        }
    }

    /** The verdict at a load; effects below {@code limit} (as 0.01) cannot be told apart. */
    public Verdict verdict(Axis axis, double load, Outcome outcome, double limit) {
        int helps = 0;
        int hurts = 0;
        if (far(axis, load).isPresent()) {
            return Verdict.UNKNOWN;
        }
        for (TheoryDraw t : drawsAt(axis, load)) {
            OptionalDouble gain = outcome.gain(at(axis, baseline, load, t), at(axis, candidate, load, t));
            helps += gain.isPresent() && gain.getAsDouble() > 1 + limit ? 1 : 0;
            hurts += gain.isPresent() && gain.getAsDouble() < 1 / (1 + limit) ? 1 : 0;
        }
        double enough = 0.95 * draws.size();
        return helps >= enough ? Verdict.HELPS : hurts >= enough ? Verdict.HURTS : Verdict.UNKNOWN;
    }

    /**
     * Where the sign of an effect flips.
     *
     * @param at by the middle theory
     * @param low 5 % of the draws that flip do so below
     * @param high 95 % do so below
     * @param share of draws that flip at all in the range
     * @param helpsAbove whether the candidate helps above it, and hurts below
     */
    public record Flip(double at, double low, double high, double share, boolean helpsAbove) {}

    /**
     * The first flip over loads from {@code low} to {@code high}, if there is one.
     *
     * @param limit an effect below it (as 0.01) is none
     */
    public Optional<Flip> flip(Axis axis, double low, double high, Outcome outcome, double limit) {
        return flip(low, high, limit,
                (x, t) -> outcome.gain(at(axis, baseline, x, t), at(axis, candidate, x, t)));
    }

    /** The first flip over anything from which a pair follows, such as the prompt's length. */
    public static Optional<Flip> flipOver(double low, double high, Axis axis, double load, Outcome outcome,
            double limit, DoubleFunction<ArmPair> pairs) {
        ArmPair any = pairs.apply(low);
        Map<Double, ArmPair> known = new java.util.HashMap<>();
        return any.flip(low, high, limit, (x, t) -> {
            ArmPair pair = known.computeIfAbsent(x, pairs::apply);
            return outcome.gain(at(axis, pair.baseline, load, t), at(axis, pair.candidate, load, t));
        });
    }

    private Optional<Flip> flip(double low, double high, double limit,
            BiFunction<Double, TheoryDraw, OptionalDouble> gain) {
        Optional<double[]> central = crossing(low, high, limit, x -> gain.apply(x, middle));
        if (central.isEmpty()) {
            return Optional.empty();
        }
        List<Double> at = new ArrayList<>();
        for (TheoryDraw t : draws) {
            crossing(low, high, limit, x -> gain.apply(x, t)).filter(c -> c[1] == central.get()[1])
                    .ifPresent(c -> at.add(c[0]));
        }
        double middleAt = central.get()[0];
        Spread spread = at.isEmpty()
                ? new Spread(middleAt, middleAt, middleAt)
                : Spread.of(middleAt, at.stream().mapToDouble(x -> x).toArray());
        return Optional.of(new Flip(middleAt, spread.low(), spread.high(),
                draws.isEmpty() ? 1 : (double) at.size() / draws.size(), central.get()[1] > 0));
    }

    /** Where a gain crosses 1, and 1 or -1 for the side above it. */
    private static Optional<double[]> crossing(double low, double high, double limit,
            DoubleFunction<OptionalDouble> gain) {
        double before = 0;
        double beforeAt = low;
        for (int i = 0; i <= FLIP_STEPS; i++) {
            double x = low * Math.pow(high / low, (double) i / FLIP_STEPS);
            double sign = sign(gain.apply(x), limit);
            if (sign != 0) {
                if (before != 0 && sign != before) {
                    return Optional.of(new double[]{bisect(beforeAt, x, before, gain), sign});
                }
                before = sign;
                beforeAt = x;
            }
        }
        return Optional.empty();
    }

    private static double bisect(double low, double high, double below, DoubleFunction<OptionalDouble> gain) {
        double a = low;
        double b = high;
        for (int i = 0; i < BISECTIONS && b / a > 1.0005; i++) {
            double middle = Math.sqrt(a * b);
            if (sign(gain.apply(middle), EQUAL) == below) {
                a = middle;
            } else {
                b = middle;
            }
        }
        return b;
    }

    private static double sign(OptionalDouble gain, double limit) {
        if (gain.isEmpty() || Math.abs(gain.getAsDouble() - 1) <= Math.max(EQUAL, limit)) {
            return 0;
        }
        return gain.getAsDouble() > 1 ? 1 : -1;
    }

    /** The arm as it is. */
    public ArmModel baseline() {
        return baseline;
    }

    /** The arm as proposed. */
    public ArmModel candidate() {
        return candidate;
    }
}
