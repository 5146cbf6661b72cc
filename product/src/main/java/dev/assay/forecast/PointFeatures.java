package dev.assay.forecast;

import dev.assay.stats.Quantiles;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.Metrics;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.WorkloadSpec;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A summary's mean step, and what a replay of its load point says about taking the mean for the whole.
 *
 * @param rows decode rows
 * @param prefillFlops operations of prompts in it
 * @param kvTokens tokens attended
 */
record PointFeatures(double rows, double prefillFlops, double kvTokens) {
    private static final int FEWEST = 300;
    private static final int MOST = 1500;
    private static final double NANOS_PER_MS = 1e6;
    private static final long SEED = 0xCA1B;

    static PointFeatures of(LoadPoint p, StepArithmetic a, int cap) {
        double rows = p.rows(cap);
        return new PointFeatures(rows,
                p.promptsPerToken() * a.prefillFlops(0, Math.max(1, Math.round(p.meanInput()))),
                rows * p.context());
    }

    static PointFeatures of(StepSample s) {
        return new PointFeatures(s.rows(), 0, s.rows() * s.context());
    }

    /** What a replay measures at the same load. */
    record Replayed(double tpotNanos, OptionalDouble ttftNanos) {}

    /** The load point replayed; a closed loop cannot be. */
    static Replayed replayed(LoadPoint p, EngineSettings settings, CostModel cost) {
        int input = Math.max(1, (int) Math.round(p.meanInput()));
        int output = Math.max(2, (int) Math.round(p.meanOutput()));
        int count = (int) Math.clamp(p.requests(), FEWEST, MOST);
        List<Request> requests = WorkloadSpec.of(new LengthDistribution.Constant(input),
                new LengthDistribution.Constant(output)).schedule(new Arrivals.Poisson(p.requestsPerS()),
                        new Extent.Count(count), SEED, dev.assay.workload.Calibration.ASSUMED);
        Schedule schedule = Schedule.of(requests.stream().map(r -> r.sized(input, output)).toList());
        List<RequestOutcome> outcomes = new Twin(settings.scheduler(schedule.longestTokens()), cost, 0,
                new double[0]).run(schedule, Long.MAX_VALUE, 0).outcomes();
        OptionalDouble ttft = statistic(outcomes, p.median(), m -> m.ttftMs());
        return new Replayed(NANOS_PER_MS * statistic(outcomes, p.median(), m -> m.tpotMs()).orElseThrow(),
                ttft.isPresent()
                        ? OptionalDouble.of(NANOS_PER_MS * ttft.getAsDouble())
                        : OptionalDouble.empty());
    }

    private static OptionalDouble statistic(List<RequestOutcome> outcomes, boolean median,
            Function<Metrics.PerRequest, OptionalDouble> metric) {
        double[] values = outcomes.stream().map(Metrics::perRequest).map(metric)
                .filter(OptionalDouble::isPresent).mapToDouble(OptionalDouble::getAsDouble).toArray();
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(median
                ? Quantiles.type7(values, 0.5)
                : Arrays.stream(values).average().orElseThrow());
    }
}
