package dev.assay.workload;

import java.util.SplittableRandom;

/**
 * When requests (or conversations) arrive. Every process is reproduced by its seed alone: one stream makes all times,
 * whatever the number of connections or workers that send them.
 */
public sealed interface Arrivals {
    /** Independent exponential gaps with mean 1/rate: arrivals that do not know of each other. */
    record Poisson(double ratePerS) implements Arrivals {
        public Poisson {
            positive("rate", ratePerS);
        }
    }

    /**
     * Independent gamma gaps with mean 1/rate and shape {@code burstiness}, as {@code vllm bench serve} names it: 1 is
     * Poisson, below 1 is burstier, above 1 more even; the gaps' coefficient of variation is 1/√burstiness. The first
     * gap is what is left of one that began before the run (the stationary start), so that the expected number of
     * arrivals by time <i>t</i> is rate·<i>t</i> from the start.
     */
    record Gamma(double ratePerS, double burstiness) implements Arrivals {
        public Gamma {
            positive("rate", ratePerS);
            positive("burstiness", burstiness);
        }
    }

    /** Equal gaps of 1/rate. */
    record Constant(double ratePerS) implements Arrivals {
        public Constant {
            positive("rate", ratePerS);
        }
    }

    /**
     * Poisson arrivals whose rate goes from {@code fromPerS} to {@code toPerS} in a straight line over
     * {@code durationNanos}, after which none arrives. The times are the unit Poisson process put through the inverse
     * of the cumulative rate, which is exact.
     */
    record Ramp(double fromPerS, double toPerS, long durationNanos) implements Arrivals {
        public Ramp {
            if (!(fromPerS >= 0) || !(toPerS >= 0) || !(fromPerS + toPerS > 0)
                    || Double.isInfinite(fromPerS + toPerS)) {
                throw new IllegalArgumentException("ramp is from " + fromPerS + " to " + toPerS
                        + "; expected requests per second of 0 or more, not both 0");
            }
            if (durationNanos < 1) {
                throw new IllegalArgumentException(
                        "the ramp's duration is " + durationNanos + " ns; expected more than 0");
            }
        }
    }

    /**
     * Always {@code concurrency} places: a place's next request is scheduled {@code think} after its last one ended.
     * {@link #times} gives 0 for each; the load generator asks {@link #thinkNanos}.
     */
    record ClosedLoop(int concurrency, Pause think) implements Arrivals {
        public ClosedLoop {
            if (concurrency < 1) {
                throw new IllegalArgumentException("concurrency is " + concurrency + "; expected 1 or more");
            }
        }

        /** Places that never think. */
        public ClosedLoop(int concurrency) {
            this(concurrency, Pause.none());
        }

        /** How long the place of request {@code id} waits before it: the same for a seed, whichever place it is. */
        public long thinkNanos(long seed, int id) {
            return think.nanos(Seeds.stream(seed, Seeds.PLACE_PAUSES, id));
        }
    }

    /** The recorded times of the workload's trace, divided by {@code speed}: 2 replays twice as fast. */
    record Replay(double speed) implements Arrivals {
        public Replay {
            positive("speed", speed);
        }

        /** When a request recorded at this time is sent. */
        public long at(long recordedNanos) {
            return Math.round(recordedNanos / speed);
        }
    }

    /**
     * The recorded gaps of the workload's trace at another pace: from a moment of the recording that the seed draws, around
     * and around, all times divided by one number so that {@code ratePerS} arrive in the mean over the whole trace. A
     * stretch of it has the rate that the recording had there, so that bursts of any length stay. Of a conversation the
     * first turn arrives; the recording's end is followed by its begin after a gap of the mean length.
     */
    record Pattern(double ratePerS) implements Arrivals {
        public Pattern {
            positive("rate", ratePerS);
        }
    }

    /** The arrival times of one run, in ascending order. */
    interface Times {
        /** What {@link #nextNanos} gives once the process has ended. */
        long END = Long.MAX_VALUE;

        /** The next arrival in nanoseconds from the start of the run, or {@link #END}. */
        long nextNanos();
    }

    /** Whether requests have scheduled times; only a closed loop has none. */
    default boolean openLoop() {
        return !(this instanceof ClosedLoop);
    }

    /** Whether the times are those of the workload's trace. */
    default boolean recorded() {
        return this instanceof Replay || this instanceof Pattern;
    }

    /** The times of the run with this seed; a replay has none of its own. */
    default Times times(long seed) {
        SplittableRandom random = Seeds.stream(seed, Seeds.ARRIVALS, 0);
        return switch (this) {
            case Poisson p -> ArrivalTimes.poisson(p, random);
            case Gamma g -> ArrivalTimes.gamma(g, random);
            case Constant c -> ArrivalTimes.even(c);
            case Ramp r -> ArrivalTimes.ramp(r, random);
            case ClosedLoop _ -> () -> 0;
            case Replay _,Pattern _ -> throw new IllegalArgumentException(
                    "a replay takes its times from the workload's trace; expected a workload with one");
        };
    }

    private static void positive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " is " + value + "; expected "
                    + (name.equals("rate") ? "requests per second, more than 0" : "more than 0"));
        }
    }
}
