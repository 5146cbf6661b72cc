package dev.assay.forecast.arms;

import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.arith.StepTime;
import java.util.OptionalDouble;

/**
 * One arm at one point of load.
 *
 * @param running sequences that run at once, on all copies together
 * @param tpotNanos time from token to token
 * @param ttftNanos time to the first token; absent where the queue grows without end
 * @param outputRate tokens generated in a second
 * @param requestRate requests finished in a second
 * @param saturated whether more is offered than is served
 * @param step the mean step by its terms
 */
public record ArmPoint(double running, double tpotNanos, OptionalDouble ttftNanos, double outputRate,
        double requestRate, boolean saturated, StepTime step, LimiterForecast limiter) {}
