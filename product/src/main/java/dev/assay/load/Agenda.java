package dev.assay.load;

import dev.assay.workload.Request;
import dev.assay.workload.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which request is scheduled next, and for when; it reads no clock.
 *
 * <p>In an open loop requests keep their arrival times. In a closed loop each place takes the next request as soon as
 * its last one ended and the think time passed. In both, a turn of a conversation waits for the answer before it: it
 * is scheduled at its own arrival time or, if that is later, {@code thinkNanos} after that answer's end. The turns of a
 * conversation directly follow its first one in the source, so nothing need be remembered of those that are over.
 */
final class Agenda {
    static final long NEVER = Long.MAX_VALUE;
    /** A place whose request failed stays empty this long: a server that refuses at once is not to be flooded. */
    private static final long PENALTY_NANOS = 50_000_000;

    private final Iterator<Request> source;
    private final boolean closed;
    private final LongUnaryOperator think;
    private final PriorityQueue<Long> places = new PriorityQueue<>();
    private final PriorityQueue<Due> turns = new PriorityQueue<>(
            Comparator.comparingLong((Due d) -> d.request().arrivalNanos())
                    .thenComparingInt(d -> d.request().id()));
    private final Map<Integer, List<Request>> waiting = new HashMap<>();
    private final ArrayDeque<Request> cancelled = new ArrayDeque<>();
    private @Nullable Due upcoming;
    private @Nullable Request ahead;
    private long lastArrival;
    private int arrivals;
    private boolean stopped;
    /** Whether the upcoming one was taken: making the one after it can wait until that one is on its way. */
    private boolean taken;

    /** A request and what was said before it. */
    record Due(Request request, History history) {}

    /**
     * @param source requests by arrival time
     * @param places how many are in flight in a closed loop; empty for an open loop
     * @param think pause in nanoseconds of a place after the request of this id
     */
    Agenda(Iterator<Request> source, OptionalInt places, LongUnaryOperator think) {
        this.source = source;
        this.closed = places.isPresent();
        this.think = think;
        for (int i = 0; i < places.orElse(0); i++) {
            this.places.add(0L);
        }
        advance();
    }

    /** When the next request is scheduled; {@link #NEVER} where none is, or not before one in flight ends. */
    long due() {
        if (closed && places.isEmpty()) {
            return NEVER;
        }
        Due next = next();
        return next == null ? NEVER : scheduled(next);
    }

    /** The request that {@link #take} would give. */
    Optional<Due> peek() {
        return due() == NEVER ? Optional.empty() : Optional.ofNullable(next());
    }

    /** The next request, its arrival set to the time that it is scheduled for. */
    Due take() {
        Due next = next();
        if (next == null) {
            throw new IllegalStateException("nothing is scheduled");
        }
        long at = scheduled(next);
        if (turnComesFirst()) {
            turns.remove();
        } else {
            taken = true;
        }
        if (closed) {
            places.remove();
        }
        return at == next.request().arrivalNanos() ? next : new Due(next.request().at(at), next.history());
    }

    /** Tells of a request's end, which frees its place and lets the turns after it come. */
    void ended(Due due, long nanos, boolean completed, String answer) {
        Request request = due.request();
        if (closed) {
            places.add(nanos + (completed ? think.applyAsLong(request.id()) : PENALTY_NANOS));
        }
        List<Request> next = waiting.remove(request.id());
        if (next == null) {
            return;
        }
        if (completed) {
            History history = due.history().and(request.prompt(), answer);
            for (Request turn : next) {
                long think = turn.turn().orElseThrow().thinkNanos();
                turns.add(new Due(turn.at(Math.max(turn.arrivalNanos(), nanos + think)), history));
            }
        } else {
            cancelled.addAll(next);
        }
    }

    /** A request that cannot be sent because the turn before it failed. */
    Optional<Request> pollCancelled() {
        Request request = cancelled.poll();
        if (request != null) {
            cancelled.addAll(waiting.getOrDefault(request.id(), List.of()));
            waiting.remove(request.id());
        }
        return Optional.ofNullable(request);
    }

    /** Nothing more is to be scheduled. */
    void stop() {
        upcoming = null;
        ahead = null;
        taken = false;
        stopped = true;
        turns.clear();
        waiting.clear();
        cancelled.clear();
    }

    /** Whether nothing is left, once nothing is in flight. */
    boolean exhausted() {
        settle();
        return upcoming == null && turns.isEmpty() && cancelled.isEmpty();
    }

    /** Mean gap between arrivals so far, the next one included; {@link #NEVER} before the second. */
    long meanGapNanos() {
        settle();
        return arrivals < 2 ? NEVER : lastArrival / (arrivals - 1);
    }

    private void settle() {
        if (taken) {
            taken = false;
            advance();
        }
    }

    private @Nullable Due next() {
        settle();
        return turnComesFirst() ? turns.peek() : upcoming;
    }

    private boolean turnComesFirst() {
        Due turn = turns.peek();
        Due fresh = upcoming;
        if (turn == null || fresh == null) {
            return turn != null;
        }
        long freshAt = closed ? places.isEmpty() ? NEVER : places.element() : fresh.request().arrivalNanos();
        return turn.request().arrivalNanos() <= freshAt;
    }

    /** A fresh request of a closed loop has no time of its own: it comes when a place is free. */
    private long scheduled(Due next) {
        long arrival = next.request().arrivalNanos();
        return closed ? Math.max(places.element(), turnComesFirst() ? arrival : 0) : arrival;
    }

    /** Takes the next first turn, or request without a conversation, and all turns that follow on it. */
    private void advance() {
        Request first = ahead == null ? pull() : ahead;
        ahead = null;
        upcoming = first == null ? null : new Due(first, History.EMPTY);
        if (first != null) {
            lastArrival = first.arrivalNanos();
            arrivals++;
            ahead = first.turn().isEmpty() ? null : pull();
        }
    }

    /** The next request that waits for none; those that do are put aside. */
    private @Nullable Request pull() {
        while (!stopped && source.hasNext()) {
            Request request = source.next();
            OptionalInt after = request.turn().map(Turn::after).orElse(OptionalInt.empty());
            if (after.isEmpty()) {
                return request;
            }
            waiting.computeIfAbsent(after.getAsInt(), _ -> new ArrayList<>(1)).add(request);
        }
        return null;
    }
}
