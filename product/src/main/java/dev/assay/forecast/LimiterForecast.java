package dev.assay.forecast;

/**
 * What limits a system, how much, and what would be next.
 *
 * @param limiter the resource that binds
 * @param share of steps in which requests waited for it, of time in which the engine had nothing to do (arrivals), or
 *     of the step's time (the terms of a step)
 * @param runnerUp the next one; where the limiter is a queueing one, the largest term of the step
 * @param runnerUpShare its share
 */
public record LimiterForecast(Limiter limiter, double share, Limiter runnerUp, double runnerUpShare) {}
