package dev.assay.cli;

import dev.assay.forecast.EvidenceRegion;
import dev.assay.forecast.Hardware;
import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.arms.ArmModel;
import dev.assay.forecast.arms.ArmPair;
import dev.assay.forecast.arms.ArmPoint;
import dev.assay.forecast.arith.KvMemory;
import dev.assay.forecast.arms.Outcome;
import dev.assay.forecast.arms.Outcome.Spread;
import dev.assay.forecast.arith.StepTheory;
import dev.assay.forecast.arms.Surface;
import dev.assay.forecast.engines.ArmSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * What {@code assay forecast step --json} prints.
 *
 * @param calibration on what the constants rest
 * @param calibrated what {@code --calibrate} spans
 * @param arms baseline, and candidate where there is one
 * @param flips where the sign of the candidate's effect changes
 * @param warnings what the calibration could not tell, and loads outside of what it saw
 * @param blind options that the forecast does not see
 */
record ForecastDocument(String hardware, String hardwareSource, String calibration,
        Optional<EvidenceRegion> calibrated, Lengths lengths,
        List<Arm> arms, List<Point> points, List<FlipAt> flips, List<String> warnings, List<String> premises,
        List<String> blind,
        Optional<Surface> surface) {
    private static final double GIB = 1L << 30;

    /** Lengths of the requests. */
    record Lengths(String source, int requests, double meanInput, double meanOutput, int longest) {}

    /** One arm's facts. */
    record Arm(String role, String engine, String model, double parameters, double activeParameters,
            String weights, double weightBitsPerParameter, String kv, int devices, int tensorParallel,
            int pipelineParallel, int dataParallel, int expertParallel, Memory memory, long kvPages,
            int pageSize,
            long kvTokens, long admissible, long admissible99, int maxNumSeqs, int tokenBudget,
            OptionalDouble kneeTokens, OptionalDouble kneeNominalTokens, List<String> defaults,
            List<String> blind) {}

    /** A device's memory, GiB. */
    record Memory(double taken, double weights, double activations, double other, double kvPool) {}

    /** A value with its 90 % interval; the upper end is absent where it has no bound. */
    record Range(double value, double low, OptionalDouble high) {
        static Range of(Spread s) {
            return new Range(s.value(), s.low(),
                    Double.isFinite(s.high()) ? OptionalDouble.of(s.high()) : OptionalDouble.empty());
        }
    }

    /** Both arms at one load. */
    record Point(String axis, double load, ArmAt baseline, Optional<ArmAt> candidate,
            Optional<Ratios> ratios) {}

    /**
     * One arm at one load.
     *
     * @param preemptionProbability that the running sequences need more pages in a step than there are
     */
    record ArmAt(double running, Range tpotMs, Optional<Range> ttftMs, Range outputTokensPerS,
            double requestsPerS,
            boolean saturated, double preemptionProbability, LimiterForecast limiter) {}

    /** Candidate over baseline. */
    record Ratios(Range tpot, Optional<Range> ttft, Range throughput) {}

    /** A flip over an axis; absent values say that there is none between the ends. */
    record FlipAt(String over, String metric, double from, double to, Optional<ArmPair.Flip> flip) {}

    static ForecastDocument of(ForecastOptions.Resolved r, ArmPair pair, List<ArmPair.PairPoint> points,
            List<FlipAt> flips, Optional<Surface> surface) {
        boolean two = r.candidateCommand().isPresent();
        Hardware h = r.hardware();
        List<Arm> arms = new ArrayList<>();
        StepTheory middle = r.calibration().middle().theory();
        arms.add(arm("baseline", pair.baseline(), middle));
        if (two) {
            arms.add(arm("candidate", pair.candidate(), middle));
        }
        TreeSet<String> blind = new TreeSet<>(r.baseline().blind());
        blind.addAll(r.candidate().blind());
        return new ForecastDocument(h.name(), h.source() + ", " + h.date(),
                r.calibration().method(), r.calibration().region(),
                new Lengths(r.lengths().name(), r.lengths().size(), r.lengths().meanInput(),
                        r.lengths().meanOutput(), r.lengths().longest()),
                arms, points.stream().map(p -> point(r.axis(), pair, p, two)).toList(), flips,
                List.copyOf(r.warnings()), ForecastPremises.of(r), List.copyOf(blind), surface);
    }

    private static Arm arm(String role, ArmModel m, StepTheory middle) {
        ArmSettings s = m.settings();
        KvMemory k = m.memory();
        double bits = m.law().rank().plan().bytes(m.law().rank().spec()) * 8
                / m.law().rank().spec().parameters();
        double knee = m.law().knee(middle);
        return new Arm(role, s.engine(), m.law().rank().spec().name(), m.law().rank().spec().parameters(),
                m.law().rank().spec().activeParameters(), m.law().rank().plan().main().id(), bits,
                m.law().kv().id(), s.parallel().devices(), s.parallel().tensor(), s.parallel().pipeline(),
                s.parallel().data(), s.parallel().experts(),
                new Memory(k.takenBytes() / GIB, k.weightBytes() / GIB, k.activationBytes() / GIB,
                        k.otherBytes() / GIB, k.pages() * k.pageBytes() / GIB),
                k.pages(), k.pageSize(), k.tokens(), m.admissible(), m.safelyAdmissible(), s.maxNumSeqs(),
                s.tokenBudget(), Double.isFinite(knee) ? OptionalDouble.of(knee) : OptionalDouble.empty(),
                m.law().rank().spec().mixtures().findAny().isPresent()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(m.law().nominalKnee()),
                s.defaults(), s.blind());
    }

    private static Point point(ArmPair.Axis axis, ArmPair pair, ArmPair.PairPoint p, boolean two) {
        return new Point(axis.name().toLowerCase(Locale.ROOT), p.load(),
                at(pair.baseline(), p.baseline(), p.baselineLevels()),
                two
                        ? Optional.of(at(pair.candidate(), p.candidate(), p.candidateLevels()))
                        : Optional.empty(),
                two
                        ? Optional.of(new Ratios(range(p.ratios(), Outcome.TPOT).orElseThrow(),
                                range(p.ratios(), Outcome.TTFT),
                                range(p.ratios(), Outcome.THROUGHPUT).orElseThrow()))
                        : Optional.empty());
    }

    private static ArmAt at(ArmModel m, ArmPoint p, Map<Outcome, Spread> levels) {
        return new ArmAt(p.running(), range(levels, Outcome.TPOT).orElseThrow(), range(levels, Outcome.TTFT),
                range(levels, Outcome.THROUGHPUT).orElseThrow(), p.requestRate(), p.saturated(),
                m.overflowProbability(p.running()), p.limiter());
    }

    private static Optional<Range> range(Map<Outcome, Spread> spreads, Outcome outcome) {
        return Optional.ofNullable(spreads.get(outcome)).map(Range::of);
    }
}
