package dev.assay.forecast.arms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.assay.forecast.Evidence;
import dev.assay.forecast.EvidenceKind;
import dev.assay.forecast.HardwareTable;
import dev.assay.forecast.LoadPoint;
import dev.assay.forecast.StepSample;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arith.StepLaw;
import dev.assay.forecast.arith.StepTheory;
import dev.assay.forecast.arms.ArmPair.Axis;
import dev.assay.forecast.arms.Outcome.Spread;
import dev.assay.forecast.engines.ArmSettings;
import dev.assay.forecast.silicon.MeasuredRow;
import dev.assay.forecast.silicon.SiliconFile;
import dev.assay.model.Configs;
import dev.assay.model.Decoders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Oracles: constants that made the evidence come back within their intervals, and measured rows that were held out. */
class TheoryCalibratorTest {
    private static final double NOISE = 0.03;

    private static ArmModel llama(LengthSample lengths) {
        return new ArmModel(Configs.spec(Configs.LLAMA_3_1_8B),
                ArmSettings.of("vllm serve m", HardwareTable.named("h100_sxm").memoryBytes()),
                HardwareTable.named("h100_sxm"), lengths, ArmInputs.NONE);
    }

    private static LoadPoint point(StepTheory truth, double batch, SplittableRandom random) {
        ArmPoint p = llama(LengthSample.constant(512, 256)).atBatch(batch, truth);
        return new LoadPoint(EvidenceKind.BENCHMARK, "batch " + batch, 512, 256, OptionalDouble.of(batch),
                p.requestRate(), p.tpotNanos() / 1e6 * Math.exp(NOISE * random.nextGaussian()), false,
                OptionalDouble.of(p.ttftNanos().orElseThrow() / 1e6 + 8), 1000);
    }

    private static TheoryCalibration calibrate(Evidence evidence, long seed) {
        return TheoryCalibrator.calibrate(evidence, TheoryCalibratorTest::llama,
                llama(LengthSample.constant(512, 256)), 60, seed);
    }

    private static Evidence of(List<LoadPoint> points) {
        return new Evidence(List.of(), points, List.of(), List.of());
    }

    private static Spread tpot(TheoryCalibration c, Axis axis, double load) {
        ArmModel m = llama(LengthSample.constant(512, 256));
        return new ArmPair(m, m, c).at(axis, load).baselineLevels().getOrDefault(Outcome.TPOT,
                new Spread(0, 0, 0));
    }

    /** Constants drawn from the prior make benchmarks at three loads; what they forecast elsewhere is known. */
    @Test
    void intervalsHoldTheTruthThatMadeTheBenchmarks() {
        List<StepTheory> truths = StepTheory.uncalibrated(24, 5);
        int[] held = new int[3];
        double[] errors = new double[24];
        double[] loads = {4, 16, 128};
        for (int i = 0; i < truths.size(); i++) {
            StepTheory truth = truths.get(i);
            SplittableRandom random = new SplittableRandom(i);
            TheoryCalibration c = calibrate(of(List.of(point(truth, 2, random), point(truth, 8, random),
                    point(truth, 64, random))), 9);
            for (int k = 0; k < loads.length; k++) {
                double real = llama(LengthSample.constant(512, 256)).atBatch(loads[k], truth).tpotNanos()
                        / 1e6;
                Spread s = tpot(c, Axis.BATCH, loads[k]);
                held[k] += s.low() <= real && real <= s.high() ? 1 : 0;
                errors[i] += Math.abs(Math.log(s.value() / real)) / loads.length;
            }
        }
        Arrays.sort(errors);
        assertThat(Arrays.stream(held).min().orElseThrow()).as("of 24: %s", Arrays.toString(held))
                .isGreaterThanOrEqualTo(19);
        assertThat(errors[12]).isLessThan(0.04);
    }

    /** The rows of the silicon file by deployment, without the concurrency. */
    private static Map<String, List<MeasuredRow>> series() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path file = at.resolve("shared/data/silicon_dense_dev.csv");
            if (Files.exists(file)) {
                Map<String, List<MeasuredRow>> all = new TreeMap<>();
                SiliconFile.read(file).rows().forEach(r -> all.computeIfAbsent(
                        r.family() + " tp" + r.deployment().tensorParallel(), _ -> new ArrayList<>()).add(r));
                return all;
            }
        }
        return Assumptions.abort("skipped: shared/data/silicon_dense_dev.csv is not here");
    }

    /** What was forecast of the rows held out. */
    private static final class Score {
        private final List<Double> errors = new ArrayList<>();
        private int held;
        private double width;

        void add(Spread s, double real) {
            errors.add(Math.abs(s.value() / real - 1));
            held += s.low() <= real && real <= s.high() ? 1 : 0;
            width += Math.log(s.high() / s.low());
        }

        double error(double share) {
            return errors.stream().sorted().toList().get((int) (share * (errors.size() - 1)));
        }

        double coverage() {
            return (double) held / errors.size();
        }

        double factor() {
            return Math.exp(width / errors.size() / 2);
        }
    }

    /**
     * Every deployment with four concurrencies or more: the forecast is calibrated on every other one, as if a benchmark had
     * measured it, and held against the rest. {@code -Dassay.series=all} takes all of them and prints the figures of
     * docs/forecast.md.
     */
    @Test
    void measuredRowsThatWereHeldOutAreForecast() {
        boolean all = System.getProperty("assay.series", "").equals("all");
        Score calibrated = new Score();
        Score before = new Score();
        int series = 0;
        for (List<MeasuredRow> rows : series().values()) {
            rows.sort(Comparator.comparingInt(r -> r.deployment().batch()));
            if (rows.stream().mapToInt(r -> r.deployment().batch()).distinct().count() >= 4
                    && (series++ % 4 == 0 || all)) {
                score(rows, calibrated, before);
            }
        }
        if (all) {
            for (Score s : List.of(calibrated, before)) {
                System.out.printf("%d rows of %d series: median error %.1f %%, p90 %.1f %%, coverage %.0f %%,"
                        + " interval ×/÷ %.2f%n", s.errors.size(), series, 100 * s.error(0.5),
                        100 * s.error(0.9), 100 * s.coverage(), s.factor());
            }
        }
        assertThat(calibrated.error(0.5)).isLessThan(0.04).isLessThan(0.5 * before.error(0.5));
        assertThat(calibrated.coverage()).isGreaterThan(0.75);
        assertThat(calibrated.factor()).isLessThan(0.9 * before.factor());
    }

    private static void score(List<MeasuredRow> rows, Score calibrated, Score before) {
        List<LoadPoint> known = new ArrayList<>();
        List<MeasuredRow> asked = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (i % 2 == 0) {
                known.add(point(rows.get(i)));
            } else {
                asked.add(rows.get(i));
            }
        }
        MeasuredRow any = rows.getFirst();
        ArmModel m = arm(any, LengthSample.constant(any.deployment().inputTokens(),
                any.deployment().outputTokens()));
        TheoryCalibration c = TheoryCalibrator.calibrate(of(known), l -> arm(any, l), m, 40, 1);
        ArmPair pair = new ArmPair(m, m, c);
        ArmPair plain = new ArmPair(m, m, TheoryCalibration.uncalibrated(100, 1));
        for (MeasuredRow r : asked) {
            int batch = r.deployment().batch();
            if (pair.far(Axis.BATCH, batch).isEmpty()) {
                calibrated.add(tpot(pair, batch), 1e3 * r.tpotSeconds());
                before.add(tpot(plain, batch), 1e3 * r.tpotSeconds());
            }
        }
    }

    private static Spread tpot(ArmPair pair, double load) {
        return Optional.ofNullable(pair.at(Axis.BATCH, load).baselineLevels().get(Outcome.TPOT))
                .orElseThrow();
    }

    /** A profile's step and the time outside the steps from the first token. */
    @Test
    void aProfileAndFirstTokensAreTakenUp() {
        StepTheory truth = StepTheory.uncalibrated(1, 11).getFirst();
        double nanos = llama(LengthSample.constant(512, 256)).law()
                .time(StepLaw.Load.decode(32, 640), truth).nanos();
        TheoryCalibration profile = calibrate(new Evidence(List.of(), List.of(),
                List.of(new StepSample("p", 32, 640, nanos, 20, true)), List.of()), 3);
        double there = llama(LengthSample.constant(512, 256)).law()
                .time(StepLaw.Load.decode(32, 640), profile.middle().theory()).nanos();
        assertThat(there).isCloseTo(nanos, withinPercentage(2));
        assertThat(profile.method())
                .isEqualTo("calibrated from 1 profiled step: batch 32, context 640 tokens");
        assertThat(profile.warnings()).anyMatch(w -> w.startsWith("no TTFT"))
                .anyMatch(w -> w.startsWith("the evidence leaves open"));
        TheoryCalibration points = calibrate(of(List.of(point(truth, 1, new SplittableRandom(1)),
                point(truth, 8, new SplittableRandom(2)))), 3);
        assertThat(points.middle().outsideNanos()).isBetween(4e6, 14e6);
    }

    @Test
    void outsideOfTheRegionIntervalsWidenAndFarOutsideThereIsNone() {
        StepTheory truth = StepTheory.DEFAULT;
        TheoryCalibration c = calibrate(of(List.of(point(truth, 2, new SplittableRandom(1)),
                point(truth, 8, new SplittableRandom(2)))), 3);
        ArmModel m = llama(LengthSample.constant(512, 256));
        ArmPair pair = new ArmPair(m, m, c);
        assertThat(pair.octavesOutside(Axis.BATCH, 8)).isZero();
        assertThat(pair.octavesOutside(Axis.BATCH, 30)).isBetween(1.0, 2.0);
        assertThat(pair.far(Axis.BATCH, 30)).isEmpty();
        assertThat(pair.far(Axis.BATCH, 200)).isPresent();
        Spread near = tpot(pair, 8);
        Spread wide = tpot(pair, 30);
        assertThat(wide.high() / wide.low()).isGreaterThan(1.3 * near.high() / near.low());
        ArmPair unbound = new ArmPair(m, m, new TheoryCalibration(c.middle(), c.draws(), Optional.empty(), "",
                List.of()));
        assertThat(wide.high() / wide.low()).isGreaterThan(
                1.1 * tpot(unbound, 30).high() / tpot(unbound, 30).low());
    }

    private static ArmModel arm(MeasuredRow r, LengthSample lengths) {
        String format = switch (r.deployment().format()) {
            case BF16 -> "";
            case FP8 -> " -q fp8";
            case FP4 -> " -q modelopt_fp4";
        };
        return new ArmModel(Decoders.of(r.deployment().model(), r.deployment().shape()),
                ArmSettings.of(
                        "vllm serve m --max-num-seqs 2048 -tp " + r.deployment().tensorParallel() + format,
                        r.deployment().hardware().memoryBytes()),
                r.deployment().hardware(), lengths, ArmInputs.NONE);
    }

    private static LoadPoint point(MeasuredRow r) {
        double seconds = r.ttftSeconds() + (r.deployment().outputTokens() - 1) * r.tpotSeconds();
        return new LoadPoint(EvidenceKind.BENCHMARK, "line " + r.line(), r.deployment().inputTokens(),
                r.deployment().outputTokens(), OptionalDouble.of(r.deployment().batch()),
                r.deployment().batch() / seconds, 1e3 * r.tpotSeconds(), false,
                OptionalDouble.of(1e3 * r.ttftSeconds()), 10.0 * r.deployment().batch());
    }
}
