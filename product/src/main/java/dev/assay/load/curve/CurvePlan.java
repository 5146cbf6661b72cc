package dev.assay.load.curve;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a curve measures next, from what it has measured: the steps of the search and then points around its end, or
 * given loads. Ask with {@link #next}, answer with {@link #add}.
 */
public final class CurvePlan {
    /** A point this near to a load that was measured well enough is that load. */
    private static final double NEAR = 0.06;

    private final LoadSearch search;
    private final List<Double> around;
    private final int requests;
    private final String given;
    private final List<Observation> slots;
    private final Deque<Double> pending;
    private Optional<Found> ended;
    private boolean firstTry;

    private CurvePlan(LoadSearch search, List<Double> around, int requests, String given,
            List<Observation> slots, Deque<Double> pending, Optional<Found> ended, boolean firstTry) {
        this.search = search;
        this.around = List.copyOf(around);
        this.requests = requests;
        this.given = given;
        this.slots = new ArrayList<>(slots);
        this.pending = new ArrayDeque<>(pending);
        this.ended = ended;
        this.firstTry = firstTry;
    }

    /** Searches, and then measures {@code requests} at each of {@code around} times the load that was found. */
    public static CurvePlan around(LoadSearch search, List<Double> around, int requests) {
        return new CurvePlan(search, around, requests, "", List.of(), new ArrayDeque<>(), Optional.empty(),
                false);
    }

    /** Measures {@code requests} at each of these loads. */
    public static CurvePlan given(LoadSearch search, List<Double> loads, int requests) {
        return new CurvePlan(search, List.of(), requests, loads.size() + " loads were given", List.of(),
                new ArrayDeque<>(loads), Optional.empty(), false);
    }

    /** The same as it stands, to go on with apart from this. */
    CurvePlan copy() {
        return new CurvePlan(search, around, requests, given, slots, pending, ended, firstTry);
    }

    /**
     * One slot to measure.
     *
     * @param purpose as {@link CurveSlot#purpose} has it
     */
    record Next(String purpose, double load, int requests) {}

    LoadSearch search() {
        return search;
    }

    /** Loads that are certain to come. */
    List<Double> pending() {
        return List.copyOf(pending);
    }

    /** Requests of a point. */
    int requests() {
        return requests;
    }

    List<Observation> slots() {
        return List.copyOf(slots);
    }

    /** Slots that may come at most, from the first one on. */
    int mostSlots() {
        return given.isEmpty()
                ? search.settings().slots() + 1 + 2 * around.size()
                : 2 * (slots.size() + pending.size());
    }

    /** The next slot, empty at the end. */
    Optional<Next> next() {
        if (given.isEmpty() && ended.isEmpty()) {
            switch (search.next(slots)) {
                case Step.Ask ask -> {
                    return Optional
                            .of(new Next(CurveSlot.word(ask.purpose()), ask.load(), ask.requests()));
                }
                case Step.Done done -> spread(done.found());
            }
        }
        if (firstTry && !slots.getLast().valid()) {
            firstTry = false;
            return Optional.of(new Next(CurveSlot.word(Step.Purpose.REPEAT), slots.getLast().load(),
                    requests));
        }
        while (!pending.isEmpty()) {
            double load = pending.remove();
            if (!given.isEmpty() || !known(load)) {
                firstTry = true;
                return Optional.of(new Next(given.isEmpty() ? "spread" : "given", load, requests));
            }
        }
        return Optional.empty();
    }

    /** What the slot that was asked for said. */
    void add(Observation slot) {
        slots.add(slot);
    }

    /** The bracket: where the search ended, or what the slots so far show. */
    Found found() {
        return ended
                .orElseGet(() -> search.found(slots, given.isEmpty() ? "the search was not ended" : given));
    }

    private void spread(Found found) {
        ended = Optional.of(found);
        firstTry = false;
        OptionalDouble knee = knee(found);
        if (knee.isPresent()) {
            around.stream().map(factor -> CurveRunner.round(knee.getAsDouble() * factor))
                    .filter(load -> load >= search.settings().least() && load <= search.settings().most())
                    .forEach(pending::add);
        }
    }

    private static OptionalDouble knee(Found found) {
        if (found.estimate().isPresent()) {
            return found.estimate();
        }
        return found.meets().isPresent() ? found.meets() : found.misses();
    }

    private boolean known(double load) {
        return slots.stream().anyMatch(
                s -> s.valid() && 2 * s.trials() >= requests && Math.abs(s.load() / load - 1) < NEAR);
    }
}
