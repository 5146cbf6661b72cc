package dev.assay.forecast;

import dev.assay.scheduler.Scheduler;
import dev.assay.scheduler.SchedulerConfig;
import dev.assay.scheduler.Sequence;
import dev.assay.scheduler.StepPlan;
import java.util.SplittableRandom;

/**
 * The scheduler of the embedded engine under a cost model and a virtual clock: it replays a schedule step by step and
 * says when each request's first and last token would come.
 *
 * <p>It takes nothing from the machine: equal arguments give equal results. A step allocates nothing.
 */
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
        Replay replay = new Replay(schedule, seed);
        boolean more = true;
        while (more && replay.now < stopNanos) {
            more = replay.step(stopNanos);
        }
        return replay.result();
    }

    /** One replay in progress. */
    private final class Replay {
        private final Schedule schedule;
        private final SplittableRandom random;
        private final Scheduler scheduler = new Scheduler(config);
        private final TwinRun.Tokens tokens;
        private final StepTally tally = new StepTally(cost);
        private int next;
        private double now;
        private int pagesPeak;

        Replay(Schedule schedule, long seed) {
            this.schedule = schedule;
            this.random = new SplittableRandom(seed);
            this.tokens = new TwinRun.Tokens(schedule.requests().size());
        }

        /** Computes one step, waiting for an arrival where there is nothing to do; false where all is done. */
        boolean step(long stopNanos) {
            submitArrived();
            StepPlan plan = scheduler.plan();
            while (plan.isEmpty()) {
                if (next == schedule.requests().size()) {
                    return false;
                }
                double arrival = queueTime(next);
                tally.idle(arrival - now);
                now = arrival;
                if (now >= stopNanos) {
                    return false;
                }
                submitArrived();
                plan = scheduler.plan();
            }
            pagesPeak = Math.max(pagesPeak, scheduler.pagesUsed());
            now += tally.step(plan, scheduler.running(), scheduler.waiting(), factor());
            advance(plan);
            deliver(plan);
            return true;
        }

        /** A sequence with tokens goes on with the last one of its prompt, which no other prompt shares. */
        private void advance(StepPlan plan) {
            if (schedule.tokens().isEmpty()) {
                scheduler.advance();
                return;
            }
            int[] next = new int[plan.size()];
            for (int i = 0; i < next.length; i++) {
                Sequence s = plan.sequence(i);
                next[i] = s.token(s.promptLength() - 1);
            }
            scheduler.advance(next);
        }

        private void submitArrived() {
            while (next < schedule.requests().size() && queueTime(next) <= now) {
                scheduler.submit(schedule.sequence(next));
                next++;
            }
        }

        private double queueTime(int index) {
            return schedule.requests().get(index).arrivalNanos() + ttftOverheadNanos;
        }

        private double factor() {
            return jitter.length == 0 ? 1 : jitter[random.nextInt(jitter.length)];
        }

        private void deliver(StepPlan plan) {
            for (int i = 0; i < plan.size(); i++) {
                Sequence sequence = plan.sequence(i);
                if (sequence.state() != Sequence.State.DECODE) {
                    continue;
                }
                tokens.token((int) sequence.id(), Math.round(now), sequence.generated());
                if (sequence.exhausted()) {
                    scheduler.finish(sequence);
                }
            }
        }

        TwinRun result() {
            return new TwinRun(schedule, tokens, Math.round(now), scheduler.counts(), pagesPeak,
                    tally.telemetry(scheduler, pagesPeak), tally.flopsPerStep());
        }
    }
}
