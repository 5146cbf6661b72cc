package dev.assay.load;

import dev.assay.workload.RequestOutcome;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * How a run is driven.
 *
 * @param timeLimitNanos per request, from the moment it is sent
 * @param concurrencyCap at most this many in flight; a request that has to wait counts its wait as schedule lag
 * @param closedLoop whether a request is scheduled when another ends (then {@code concurrencyCap} must be present)
 * @param stopSendingNanos no request is sent from this moment of the run on; what was in flight finishes
 * @param drainNanos how long the requests in flight may take after the last was sent; the rest is cancelled
 * @param keepText whether outcomes hold the generated text
 * @param sink takes each outcome at its end, in the client's thread, and must return at once; where it is present
 * {@link LoadRun#outcomes} is empty
 * @param think pause of a closed loop's place after the request of an id, in nanoseconds
 * @param progress called from the client's thread some times a second; must return at once
 */
public record LoadOptions(long timeLimitNanos, OptionalInt concurrencyCap, boolean closedLoop,
        OptionalLong stopSendingNanos, long drainNanos, boolean keepText,
        Optional<Consumer<Progress>> progress, Optional<Consumer<RequestOutcome>> sink,
        LongUnaryOperator think) {
    private static final long SECOND = 1_000_000_000L;

    public LoadOptions {
        if (timeLimitNanos < 1 || drainNanos < 0) {
            throw new IllegalArgumentException("time limit " + timeLimitNanos + " ns, drain " + drainNanos
                    + " ns; expected more than 0 and at least 0");
        }
        if (closedLoop && concurrencyCap.isEmpty() || concurrencyCap.orElse(1) < 1) {
            throw new IllegalArgumentException("a closed loop needs a concurrency of 1 or more");
        }
    }

    /** Open loop, 120 s a request, 120 s to drain, no text. */
    public static LoadOptions openLoop() {
        return new LoadOptions(120 * SECOND, OptionalInt.empty(), false, OptionalLong.empty(), 120 * SECOND,
                false, Optional.empty(), Optional.empty(), LoadOptions::noPause);
    }

    /** As {@link #openLoop} with {@code concurrency} requests always in flight. */
    public static LoadOptions closedLoop(int concurrency) {
        return new LoadOptions(120 * SECOND, OptionalInt.of(concurrency), true, OptionalLong.empty(),
                120 * SECOND, false, Optional.empty(), Optional.empty(), LoadOptions::noPause);
    }

    /** The same with another time limit, which also bounds the drain. */
    public LoadOptions withTimeLimit(long nanos) {
        return new LoadOptions(nanos, concurrencyCap, closedLoop, stopSendingNanos, nanos, keepText, progress,
                sink, think);
    }

    /** The same with another drain limit. */
    public LoadOptions withDrain(long nanos) {
        return new LoadOptions(timeLimitNanos, concurrencyCap, closedLoop, stopSendingNanos, nanos, keepText,
                progress, sink, think);
    }

    /** The same, sending nothing from this moment on. */
    public LoadOptions withStopSending(long nanos) {
        return new LoadOptions(timeLimitNanos, concurrencyCap, closedLoop, OptionalLong.of(nanos), drainNanos,
                keepText, progress, sink, think);
    }

    /** The same with the generated text kept. */
    public LoadOptions withText() {
        return new LoadOptions(timeLimitNanos, concurrencyCap, closedLoop, stopSendingNanos, drainNanos, true,
                progress, sink, think);
    }

    /** The same with a listener. */
    public LoadOptions withProgress(Consumer<Progress> listener) {
        return new LoadOptions(timeLimitNanos, concurrencyCap, closedLoop, stopSendingNanos, drainNanos,
                keepText, Optional.of(listener), sink, think);
    }

    /** The same, handing each outcome over when it is known instead of keeping it: memory stays flat. */
    public LoadOptions withSink(Consumer<RequestOutcome> taker) {
        return new LoadOptions(timeLimitNanos, concurrencyCap, closedLoop, stopSendingNanos, drainNanos,
                keepText, progress, Optional.of(taker), think);
    }

    /** The same closed loop with a pause in each place after the request of the given id, in nanoseconds. */
    public LoadOptions withThink(LongUnaryOperator nanosAfter) {
        return new LoadOptions(timeLimitNanos, concurrencyCap, closedLoop, stopSendingNanos, drainNanos,
                keepText, progress, sink, nanosAfter);
    }

    private static long noPause(long id) {
        return 0;
    }

    /** Where a run stands. */
    public record Progress(long elapsedNanos, int sent, int finished, int failed, int inFlight,
            long tokenEvents) {}
}
