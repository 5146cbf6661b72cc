package dev.assay.forecast.arms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
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
        System.out.println(Arrays.toString(held) + " " + errors[12] + " " + errors[23]);
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

    @Test
    void measuredRowsThatWereHeldOutAreForecast() {
        List<Double> calibrated = new ArrayList<>();
        List<Double> uncalibrated = new ArrayList<>();
        int held = 0; int heldBefore = 0; double width = 0; double widthBefore = 0;
        int many = 0;
        for (List<MeasuredRow> rows : series().values()) {
            rows.sort(Comparator.comparingInt(r -> r.deployment().batch()));
            if (rows.stream().mapToInt(r -> r.deployment().batch()).distinct().count() < 4) {
                continue;
            }
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
            LengthSample lengths = LengthSample.constant(any.deployment().inputTokens(),
                    any.deployment().outputTokens());
            TheoryCalibration c;
            ArmModel m;
            try {
                m = arm(any, lengths);
                ArmModel same = m;
                c = TheoryCalibrator.calibrate(of(known), l -> arm(any, l), same, 40, 1);
            } catch (AssayException e) {
                System.out.println(e.getMessage());
                continue;
            }
            many++;
            ArmPair pair = new ArmPair(m, m, c);
            ArmPair before = new ArmPair(m, m, TheoryCalibration.uncalibrated(100, 1));
            for (MeasuredRow r : asked) {
                if (pair.far(Axis.BATCH, r.deployment().batch()).isPresent()) { System.out.println("far"); continue; }
                Spread s = pair.at(Axis.BATCH, r.deployment().batch()).baselineLevels().get(Outcome.TPOT);
                Spread u = before.at(Axis.BATCH, r.deployment().batch()).baselineLevels().get(Outcome.TPOT);
                double real = 1e3 * r.tpotSeconds();
                calibrated.add(Math.abs(s.value() / real - 1));
                uncalibrated.add(Math.abs(u.value() / real - 1));
                held += s.low() <= real && real <= s.high() ? 1 : 0;
                heldBefore += u.low() <= real && real <= u.high() ? 1 : 0;
                width += Math.log(s.high() / s.low()); widthBefore += Math.log(u.high() / u.low());
            }
        }
        calibrated.sort(null); uncalibrated.sort(null);
        int n = calibrated.size();
        System.out.println(many + " series, " + n + " rows: median " + calibrated.get(n / 2) + " p90 " + calibrated.get(n * 9 / 10) + " held " + held + " width "+width/n
                + "; uncal " + uncalibrated.get(n / 2) + " p90 " + uncalibrated.get(n * 9 / 10) + " held " + heldBefore+ " width "+widthBefore/n);
    }

    private static ArmModel arm(MeasuredRow r, LengthSample lengths) {
        String format = switch (r.deployment().format()) {
            case BF16 -> "";
            case FP8 -> " -q fp8";
            case FP4 -> " -q modelopt_fp4";
        };
        return new ArmModel(Decoders.of(r.deployment().model(), r.deployment().shape()),
                ArmSettings.of("vllm serve m --max-num-seqs 2048 -tp " + r.deployment().tensorParallel() + format,
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
