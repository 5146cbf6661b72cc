package dev.assay.review;

import dev.assay.forecast.LimiterForecast;
import java.util.List;
import java.util.Optional;

/**
 * What the measured slots come to: ratios with intervals at each load point, findings, verdicts, the recommendation.
 *
 * @param blocksComplete blocks in which all four sessions gave an admissible slot at every load point
 */
public record Analysis(int blocksPlanned, int blocksComplete, List<PointResult> points,
        List<ClaimResult> claims,
        Recommendation recommendation, List<String> warnings) {

    /** One load point: every metric of both arms, and the limiter that each arm's telemetry shows. */
    public record PointResult(double offeredRps, int blocks, List<MetricResult> metrics,
            Optional<LimiterForecast> baselineLimiter, Optional<LimiterForecast> candidateLimiter) {
        /** The result of a metric, empty where no slot had it. */
        public Optional<MetricResult> metric(Metric metric) {
            return metrics.stream().filter(m -> m.metric().equals(metric.id())).findFirst();
        }
    }

    /** One metric at one load point. {@code doubt} says why a ratio is absent, else it is empty. */
    public record MetricResult(String metric, Optional<ArmValue> baseline, Optional<ArmValue> candidate,
            Optional<RatioResult> ratio, String doubt) {}

    /** The geometric mean over blocks (arithmetic where a value is 0) with its 95 % interval; no interval for one block. */
    public record ArmValue(double mean, Optional<Double> low, Optional<Double> high, int blocks) {}

    /**
     * The ratio candidate/baseline.
     *
     * @param low,high the 95 % interval from the blocks (t on the mean log ratio); absent with one block
     * @param jointLow,jointHigh the interval that holds over all load points together
     * @param p two-sided p of ratio = 1 (t test); {@code pHolm} adjusted over load points
     * @param signFlipP the exact sign-flip p, whose smallest possible value is {@code signFlipFloor}
     */
    public record RatioResult(double ratio, Optional<Double> low, Optional<Double> high,
            Optional<Double> jointLow,
            Optional<Double> jointHigh, Optional<Double> p, Optional<Double> pHolm, double signFlipP,
            double signFlipFloor, int blocks) {}

    /** A claim with its verdict and the finding at each load point (one without a rate where it has none). */
    public record ClaimResult(Claim claim, Verdict verdict, List<Finding> findings) {}

    /**
     * What the evidence says about a claim at one load point.
     *
     * @param predicted and {@code observed} are in words, with their intervals
     */
    public record Finding(Optional<Double> offeredRps, String predicted, String observed, Verdict verdict) {}
}
