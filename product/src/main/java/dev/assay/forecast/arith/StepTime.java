package dev.assay.forecast.arith;

import dev.assay.forecast.Limiter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The time of a step by what it goes to, nanoseconds. Where memory and compute overlap, each has its part of their joint
 * time.
 */
public record StepTime(double weightNanos, double kvNanos, double computeNanos, double launchNanos,
        double collectiveNanos) {
    /** The whole step. */
    public double nanos() {
        return weightNanos + kvNanos + computeNanos + launchNanos + collectiveNanos;
    }

    /** One term with its share of the step. */
    public record Term(Limiter limiter, double share) {}

    /** The terms, largest first. */
    public List<Term> terms() {
        double all = nanos();
        return Map.of(Limiter.WEIGHT_BANDWIDTH, weightNanos, Limiter.KV_BANDWIDTH, kvNanos, Limiter.COMPUTE,
                computeNanos, Limiter.LAUNCH, launchNanos, Limiter.COLLECTIVE, collectiveNanos).entrySet()
                .stream().map(e -> new Term(e.getKey(), e.getValue() / all))
                .sorted(Comparator.comparingDouble(Term::share).reversed()
                        .thenComparing(t -> t.limiter().name()))
                .toList();
    }

    /** The sum of this step and {@code weight} times another. */
    public StepTime plus(StepTime other, double weight) {
        return new StepTime(weightNanos + weight * other.weightNanos, kvNanos + weight * other.kvNanos,
                computeNanos + weight * other.computeNanos, launchNanos + weight * other.launchNanos,
                collectiveNanos + weight * other.collectiveNanos);
    }
}
