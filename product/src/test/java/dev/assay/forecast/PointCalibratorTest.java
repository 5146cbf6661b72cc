package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Known laws, served by a plain loop and summed up to one line a load point, must come back within their intervals. */
class PointCalibratorTest {
    private static final SyntheticServer.Law SUMMED = (rows, prompts, kv) -> 3e6 + 0.4e6 * rows + 0.1e6 * prompts
            + 1000.0 * kv;
    private static final int CAP = 16;
    private static final EngineSettings SETTINGS = Fixtures.settings(CAP);

    static LoadPoint point(SyntheticServer server, double rate, double seconds, long seed) {
        List<RequestOutcome> served = server.serve(Fixtures.schedule(rate, seconds, seed), seed);
        RunSummary s = Metrics.summarize(served, Slo.none(), Metrics.windowNanos(served), List.of());
        return new LoadPoint(EvidenceKind.CURVE, "rate " + rate,
                served.stream().mapToInt(o -> o.request().promptTokens()).average().orElseThrow(),
                served.stream().mapToInt(RequestOutcome::outputTokens).average().orElseThrow(),
                OptionalDouble.empty(), s.throughput().requestsPerS(), s.tpotMs().orElseThrow().p50(), true,
                OptionalDouble.of(s.ttftMs().orElseThrow().p50()), served.size());
    }

    private static Evidence curve(SyntheticServer.Law law, List<Double> rates, long seed) {
        SyntheticServer server = new SyntheticServer(CAP, 512, law, 0.8e6, 0.05e6, 0.03);
        List<LoadPoint> points = new ArrayList<>();
        for (double rate : rates) {
            points.add(point(server, rate, 20, 100 * seed + points.size()));
        }
        return new Evidence(List.of(), points, List.of(), List.of());
    }

    /** A law as of some engine on some machine. */
    private static SyntheticServer.Law law(SplittableRandom random) {
        double constant = 2e6 + 4e6 * random.nextDouble();
        double row = 0.08e6 * Math.exp(1.8 * random.nextDouble());
        double prompt = row * Math.exp(-0.4 + 0.6 * random.nextGaussian());
        double kv = 1500 * random.nextDouble();
        return (rows, prompts, tokens) -> constant + row * rows + Math.min(prompt, 2e5) * prompts + kv * tokens;
    }

    /** The mean step at a load by the law itself, over the same rows and context. */
    private static double step(StepConstants c, double rows) {
        StepArithmetic a = new StepArithmetic(Fixtures.SHAPE, SETTINGS);
        return c.overheadNanos() + c.combine(c.weightNanos(), rows * a.decodeFlops() * c.decodeNanosPerFlop())
                + rows * 72 * a.kvBytesPerToken() * c.kvNanosPerByte();
    }

    @Test
    void aCurveGivesTheCostOfAStepBack() {
        Calibration c = PointCalibrator.calibrate(Fixtures.SHAPE, SETTINGS,
                curve(SUMMED, List.of(2.0, 6.0, 12.0, 18.0), 1), Optional.empty());
        System.out.println(c.method() + "\n" + c.warnings() + "\n" + c.constants() + " " + c.ttftOverheadNanos() + " " + c.ttftOverheadSe()+" "+c.region()+" "+c.misfit());
        for (int rows : new int[]{1, 4, 8}) {
            double truth = SUMMED.nanos(rows, 0, rows * 72);
            double[] d = c.draws().stream().mapToDouble(x -> step(x, rows)).sorted().toArray();
            System.out.println(rows + " " + truth + " " + step(c.constants(), rows) + " [" + d[3] + "," + d[60] + "]");
        }
    }

    @Test
    void intervalsHoldWhatTheySay() {
        for (List<Double> rates : List.of(List.of(2.0, 6.0, 12.0, 18.0), List.of(8.0))) {
        int[] held = new int[4];
        double[] width = new double[4];
        int n = 30;
        for (int seed = 0; seed < n; seed++) {
            SyntheticServer.Law law = law(new SplittableRandom(seed));
            Calibration c = PointCalibrator.calibrate(Fixtures.SHAPE, SETTINGS, curve(law, rates, 10 + seed),
                    Optional.empty());
            int[] at = {1, 4, 8, 16};
            for (int i = 0; i < 4; i++) {
                int rows = at[i];
                double truth = law.nanos(rows, 0, rows * 72);
                double[] d = c.draws().stream().mapToDouble(x -> step(x, rows)).sorted().toArray();
                held[i] += d[3] <= truth && truth <= d[60] ? 1 : 0;
                width[i] += Math.log(d[60] / d[3]) / n;
            }
        }
        System.out.println(rates + java.util.Arrays.toString(held) + java.util.Arrays.toString(width));
        }
    }
}
