package dev.assay.load;

import dev.assay.workload.Request;
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
 * is scheduled at its own arrival time or, if that is later, {@code thinkNanos} after that answer's end.
 */
final class Agenda {
    static final long NEVER = Long.MAX_VALUE;
    /** A place whose request failed stays empty this long: a server that refuses at once is not to be flooded. */
    private static final long PENALTY_NANOS = 50_000_000;

    private final Iterator<Request> source;
    private final boolean closed;
    private final LongUnaryOperator think;
    private final PriorityQueue<Long> places = new PriorityQueue<>();
    private final PriorityQueue<Request> turns = new PriorityQueue<>(
            Comparator.comparingLong(Request::arrivalNanos).thenComparingInt(Request::id));
    private final Map<Integer, List<Request>> waiting = new HashMap<>();
    private final Map<Integer, End> ends = new HashMap<>();
    private final ArrayDeque<Request> cancelled = new ArrayDeque<>();
    private @Nullable Request upcoming;
    private long lastArrival;
    private int arrivals;
    private boolean stopped;

    private record End(long nanos, boolean completed) {}

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
        Request next = next();
        return next == null ? NEVER : scheduled(next);
    }

    /** The request that {@link #take} would give. */
    Optional<Request> peek() {
        return due() == NEVER ? Optional.empty() : Optional.ofNullable(next());
    }

    /** The next request, its arrival set to the time that it is scheduled for. */
    Request take() {
        Request next = next();
        if (next == null) {
            throw new IllegalStateException("nothing is scheduled");
        }
        long at = scheduled(next);
        if (next == turns.peek()) {
            turns.remove();
        } else {
            advance();
        }
        if (closed) {
            places.remove();
        }
        return at == next.arrivalNanos() ? next : next.at(at);
    }

    /** Tells of a request's end, which frees its place and lets the turns after it come. */
    void ended(Request request, long nanos, boolean completed) {
        if (closed) {
            places.add(nanos + (completed ? think.applyAsLong(request.id()) : PENALTY_NANOS));
        }
        release(request, new End(nanos, completed));
    }

    /** A request that cannot be sent because the turn before it failed. */
    Optional<Request> pollCancelled() {
        Request request = cancelled.poll();
        if (request != null) {
            release(request, new End(request.arrivalNanos(), false));
        }
        return Optional.ofNullable(request);
    }

    /** Nothing more is to be scheduled. */
    void stop() {
        upcoming = null;
        stopped = true;
        turns.clear();
        waiting.clear();
        cancelled.clear();
    }

    /** Whether nothing is left, once nothing is in flight. */
    boolean exhausted() {
        return upcoming == null && turns.isEmpty() && cancelled.isEmpty();
    }

    /** Mean gap between arrivals so far, the next one included; {@link #NEVER} before the second. */
    long meanGapNanos() {
        return arrivals < 2 ? NEVER : lastArrival / (arrivals - 1);
    }

    private @Nullable Request next() {
        Request turn = turns.peek();
        Request fresh = upcoming;
        if (turn == null || fresh == null) {
            return turn == null ? fresh : turn;
        }
        long freshAt = closed ? places.isEmpty() ? NEVER : places.element() : fresh.arrivalNanos();
        return turn.arrivalNanos() <= freshAt ? turn : fresh;
    }

    private long scheduled(Request next) {
        if (!closed) {
            return next.arrivalNanos();
        }
        return next == upcoming ? places.element() : Math.max(places.element(), next.arrivalNanos());
    }

    private void advance() {
        upcoming = null;
        while (!stopped && upcoming == null && source.hasNext()) {
            Request request = source.next();
            lastArrival = Math.max(lastArrival, request.arrivalNanos());
            arrivals++;
            OptionalInt after = request.turn().isPresent()
                    ? request.turn().get().after()
                    : OptionalInt.empty();
            if (after.isEmpty()) {
                upcoming = request;
            } else {
                End end = ends.get(after.getAsInt());
                if (end == null) {
                    waiting.computeIfAbsent(after.getAsInt(), _ -> new ArrayList<>(1)).add(request);
                } else {
                    come(request, end);
                }
            }
        }
    }

    private void release(Request request, End end) {
        if (request.turn().isEmpty()) {
            return;
        }
        ends.put(request.id(), end);
        List<Request> next = waiting.remove(request.id());
        if (next != null) {
            next.forEach(turn -> come(turn, end));
        }
    }

    private void come(Request turn, End before) {
        if (before.completed()) {
            long think = turn.turn().orElseThrow().thinkNanos();
            turns.add(turn.at(Math.max(turn.arrivalNanos(), before.nanos() + think)));
        } else {
            cancelled.add(turn);
        }
    }
}
