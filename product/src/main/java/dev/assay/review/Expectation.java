package dev.assay.review;

import dev.assay.forecast.Limiter;
import java.util.List;
import java.util.OptionalDouble;

/** What a claim expects, so exactly that {@link Verdicts} can decide it without asking anybody. */
public sealed interface Expectation {

    /** The ratio candidate/baseline of a metric lies within its interval at each load point. */
    record Within(String metric, List<Band> bands) implements Expectation {}

    /** The ratio of a metric reaches {@code minEffect} at each load point and differs from 1. */
    record AtLeast(String metric, double minEffect, List<Double> loadPoints) implements Expectation {}

    /** A metric does not regress by more than {@code margin} (a fraction) at each load point. */
    record NotWorse(String metric, double margin, List<Double> loadPoints) implements Expectation {}

    /** Both arms give the same greedy tokens on every prompt. */
    record SameOutputs(int prompts, int tokens) implements Expectation {}

    /** The candidate's mean log-likelihood loss on the baseline's greedy text, and its mean divergence where bounded. */
    record LikelihoodWithin(double maxNllIncrease, OptionalDouble maxKl) implements Expectation {}

    /** The limiter of an arm at each load point is the one named. */
    record LimitedBy(Arm arm, List<PointLimiter> points) implements Expectation {}

    /** The predicted interval of a ratio at one load point, and the smallest effect that the design can detect. */
    record Band(double offeredRps, double low, double estimate, double high, double detectionLimit) {
        /** Whether the interval holds 1, so that the claim is one of no change. */
        public boolean noChange() {
            return low <= 1 && high >= 1;
        }
    }

    /** The predicted limiter at one load point. */
    record PointLimiter(double offeredRps, Limiter limiter, double share) {}
}
