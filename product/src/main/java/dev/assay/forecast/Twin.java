package dev.assay.forecast;

import dev.assay.scheduler.SchedulerConfig;

/** The scheduler of the embedded engine under a cost model: says when each token of a schedule would come. */
final class Twin {
    private final SchedulerConfig config;
    private final CostModel cost;
    private final double ttftOverheadNanos;
    private final double[] jitter;

    /**
     * A twin of one arm.
     *
     * @param config the arm's scheduler settings
     * @param cost the arm's step cost
     * @param ttftOverheadNanos time from the scheduled arrival to the engine's queue and back, outside the steps
     * @param jitter factors on a step's time, drawn from uniformly; empty for none
     */
    Twin(SchedulerConfig config, CostModel cost, double ttftOverheadNanos, double[] jitter) {
        this.config = config;
        this.cost = cost;
        this.ttftOverheadNanos = ttftOverheadNanos;
        this.jitter = jitter.clone();
    }

    /**
     * Replays a schedule until every request ended or the clock passes {@code stopNanos}.
     *
     * @throws IllegalArgumentException if a request could never fit the KV pool
     */
    TwinRun run(Schedule schedule, long stopNanos, long seed) {
        return run(schedule, stopNanos, seed, true);
    }

    /** The same step by step, if {@code leaps} is false. */
    TwinRun run(Schedule schedule, long stopNanos, long seed, boolean leaps) {
        TwinRun.Tokens tokens = new TwinRun.Tokens(schedule.requests().size());
        Replay replay = new Replay(config, cost, ttftOverheadNanos, jitter, seed, leaps,
                (serial, _, first, last, count) -> tokens.put((int) serial, first, last, count));
        for (int i = 0; i < schedule.requests().size(); i++) {
            replay.offer(schedule.requests().get(i), schedule.tokensOf(i));
        }
        replay.run(false, stopNanos);
        replay.close();
        return new TwinRun(schedule, tokens, Math.round(replay.now()), replay.scheduler().counts(),
                replay.pagesPeak(), replay.telemetry(), replay.flopsPerStep());
    }
}
