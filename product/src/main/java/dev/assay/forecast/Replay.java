package dev.assay.forecast;

import dev.assay.scheduler.Scheduler;
import dev.assay.scheduler.SchedulerConfig;
import dev.assay.scheduler.Sequence;
import dev.assay.scheduler.StepPlan;
import dev.assay.workload.Request;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One replay in progress: the engine's own scheduler under a cost model and a virtual clock.
 *
 * <p>Requests are offered in order of arrival, as many at a time as the caller likes; what ended leaves at once, so that
 * memory grows with the requests in flight and not with those replayed. Steps that only decode are timed one by one but
 * taken by the scheduler in one leap: the result is that of single steps, bit for bit. Equal arguments give equal
 * replays.
 */
final class Replay {
    /** A time that did not come. */
    static final long NEVER = -1;
    private static final int SLOT_BITS = 24;

    /** Takes requests as they end, or as they stand when the replay stops. */
    interface Sink {
        /**
         * @param serial how many were offered before it
         * @param firstNanos when its first token came; {@link #NEVER} where there is none
         * @param lastNanos when its last token came; {@link #NEVER} where it has not ended
         * @param tokens tokens generated; all that it asked for where it ended
         */
        void ended(long serial, Request request, long firstNanos, long lastNanos, int tokens);
    }

    private record Offer(Request request, int[] tokens) {}

    private static final int[] NO_TOKENS = {};

    private final double overheadNanos;
    private final double[] jitter;
    private final boolean leaps;
    private final SplittableRandom random;
    private final Scheduler scheduler;
    private final Sink sink;
    private final StepTally tally;
    private final ArrayDeque<Offer> offers = new ArrayDeque<>();
    private final InFlight inFlight = new InFlight();
    private double now;
    private int pagesPeak;

    /**
     * @param overheadNanos time from the scheduled arrival to the engine's queue and back, outside the steps
     * @param jitter factors on a step's time, drawn from uniformly; empty for none
     * @param leaps whether quiet steps are taken at once; the result is the same
     */
    Replay(SchedulerConfig config, CostModel cost, double overheadNanos, double[] jitter, long seed,
            boolean leaps,
            Sink sink) {
        this.overheadNanos = overheadNanos;
        this.jitter = jitter.clone();
        this.leaps = leaps;
        this.random = new SplittableRandom(seed);
        this.scheduler = Scheduler.withoutTables(config);
        this.sink = sink;
        this.tally = new StepTally(cost);
    }

    /** The next request, which does not arrive before those offered so far. */
    void offer(Request request) {
        offers.addLast(new Offer(request, NO_TOKENS));
    }

    /** The same with its prompt's tokens, which prefix caching compares. */
    void offer(Request request, int[] tokens) {
        offers.addLast(new Offer(request, tokens));
    }

    /**
     * Replays until all that was offered ended, the clock passes {@code stopNanos}, or, where {@code more} requests are to
     * be offered, as long as they cannot matter.
     *
     * @throws IllegalArgumentException if a request could never fit the KV pool
     */
    void run(boolean more, double stopNanos) {
        while (now < stopNanos) {
            submitArrived();
            if (more && offers.isEmpty()) {
                return;
            }
            int quiet = leaps ? scheduler.quietSteps() : 0;
            if (quiet > 0) {
                leap(quiet, more, stopNanos);
            } else if (!step(stopNanos)) {
                return;
            }
        }
    }

    /** Times quiet steps until one of them ends after an arrival that may change the plan. */
    private void leap(int quiet, boolean more, double stopNanos) {
        int rows = scheduler.running();
        long kv = scheduler.computedTokens() + rows;
        boolean queue = scheduler.waiting() > 0;
        int taken = 0;
        boolean go = true;
        while (go) {
            now += tally.decodes(rows, kv, scheduler.waiting(), factor());
            kv += rows;
            taken++;
            if (queue) {
                submitArrived();
            }
            go = taken < quiet && now < stopNanos && !arrived() && !(more && offers.isEmpty());
        }
        scheduler.leap(taken);
        pagesPeak = Math.max(pagesPeak, scheduler.pagesUsed());
        // Whoever ends, ends with the last quiet step.
        for (int i = 0; taken == quiet && i < scheduler.running(); i++) {
            if (deliver(scheduler.running(i))) {
                i--;
            }
        }
    }

    /** Computes one step, waiting for an arrival where there is nothing to do; false where all is done. */
    private boolean step(double stopNanos) {
        StepPlan plan = scheduler.plan();
        while (plan.isEmpty()) {
            if (offers.isEmpty()) {
                return false;
            }
            double arrival = queueTime(offers.element());
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
        scheduler.advance();
        for (int i = 0; i < plan.size(); i++) {
            if (plan.sequence(i).state() == Sequence.State.DECODE) {
                deliver(plan.sequence(i));
            }
        }
        return true;
    }

    /** Notes a sequence's first and last token; true where it ended. */
    private boolean deliver(Sequence sequence) {
        if (sequence.generated() == 1) {
            inFlight.begun(slot(sequence), Math.round(now));
        }
        if (!sequence.exhausted()) {
            return false;
        }
        int slot = slot(sequence);
        scheduler.finish(sequence);
        sink.ended(serial(sequence), inFlight.request(slot), inFlight.first(slot), Math.round(now),
                sequence.generated());
        inFlight.free(slot);
        return true;
    }

    private boolean arrived() {
        return !offers.isEmpty() && queueTime(offers.element()) <= now;
    }

    private void submitArrived() {
        while (arrived()) {
            Offer offer = offers.remove();
            Request r = offer.request();
            long id = inFlight.enter(r);
            Sequence sequence = offer.tokens().length > 0
                    ? Sequence.ofTokens(id, offer.tokens(), r.outputTokens())
                    : Sequence.ofLength(id, r.promptTokens(), r.outputTokens());
            inFlight.sequence(slot(sequence), sequence);
            scheduler.submit(sequence);
        }
    }

    private double queueTime(Offer offer) {
        return offer.request().arrivalNanos() + overheadNanos;
    }

    private double factor() {
        return jitter.length == 0 ? 1 : jitter[random.nextInt(jitter.length)];
    }

    private static int slot(Sequence sequence) {
        return (int) (sequence.id() & (1 << SLOT_BITS) - 1);
    }

    private static long serial(Sequence sequence) {
        return sequence.id() >>> SLOT_BITS;
    }

    /** Tells of what has not ended. */
    void close() {
        inFlight.forEach(sink);
        long serial = inFlight.entered();
        while (!offers.isEmpty()) {
            sink.ended(serial++, offers.remove().request(), NEVER, NEVER, 0);
        }
    }

    /** The virtual clock, nanoseconds from the start. */
    double now() {
        return now;
    }

    int pagesPeak() {
        return pagesPeak;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** What an engine would have reported so far, by {@link TelemetryNames}. */
    Map<String, Double> telemetry() {
        return tally.telemetry(scheduler, pagesPeak);
    }

    double flopsPerStep() {
        return tally.flopsPerStep();
    }

    /** What is known of the requests that were submitted and have not ended, in slots that are used again. */
    private static final class InFlight {
        private Request[] requests = new Request[64];
        private Sequence[] sequences = new Sequence[64];
        private boolean[] live = new boolean[64];
        private long[] first = new long[64];
        private int[] spare = new int[64];
        private int spares;
        private int used;
        private long entered;

        long enter(Request request) {
            int slot = spares > 0 ? spare[--spares] : used++;
            if (slot == requests.length) {
                grow();
            }
            requests[slot] = request;
            live[slot] = true;
            first[slot] = NEVER;
            return entered++ << SLOT_BITS | slot;
        }

        private void grow() {
            int size = requests.length * 2;
            if (size > 1 << SLOT_BITS) {
                throw new IllegalArgumentException("more than " + requests.length
                        + " requests wait or run at once; expected a load that the arm can serve");
            }
            requests = Arrays.copyOf(requests, size);
            sequences = Arrays.copyOf(sequences, size);
            live = Arrays.copyOf(live, size);
            first = Arrays.copyOf(first, size);
            spare = Arrays.copyOf(spare, size);
        }

        void sequence(int slot, Sequence sequence) {
            sequences[slot] = sequence;
        }

        /** A sequence that is computed again has had its first token already. */
        void begun(int slot, long nanos) {
            if (first[slot] == NEVER) {
                first[slot] = nanos;
            }
        }

        Request request(int slot) {
            return requests[slot];
        }

        long first(int slot) {
            return first[slot];
        }

        void free(int slot) {
            spare[spares++] = slot;
            live[slot] = false;
        }

        long entered() {
            return entered;
        }

        void forEach(Sink sink) {
            for (int slot = 0; slot < used; slot++) {
                Sequence s = sequences[slot];
                if (live[slot]) {
                    sink.ended(serial(s), requests[slot], first[slot], NEVER, s.generated());
                }
            }
        }
    }
}
