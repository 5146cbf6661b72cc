package dev.assay.load.curve;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Measures an operating curve: at given loads, or around the highest load that meets the SLO, found first. */
public final class CurveRunner {
    /** Where points are spread, as multiples of the highest load that meets the SLO. */
    public static final List<Double> AROUND = List.of(0.25, 0.5, 0.75, 0.9, 1.0, 1.15, 1.4);
    /** A point this near to a load that was measured well enough is that load. */
    private static final double NEAR = 0.06;

    private final LoadSearch search;
    private final Slots slots;
    private final Consumer<CurveSlot> listener;
    private final BooleanSupplier over;
    private final List<CurveSlot> measured = new ArrayList<>();

    /** A runner that tells {@code listener} of every slot as it ends. */
    public CurveRunner(LoadSearch search, Slots slots, Consumer<CurveSlot> listener) {
        this(search, slots, listener, () -> false);
    }

    /** The same, whose search begins no other slot once {@code over} says that its time has passed. */
    public CurveRunner(LoadSearch search, Slots slots, Consumer<CurveSlot> listener, BooleanSupplier over) {
        this.over = over;
        this.search = search;
        this.slots = slots;
        this.listener = listener;
    }

    /** Searches, and then measures {@code requests} at each of {@code around} times the load that was found. */
    public Curve find(List<Double> around, int requests) {
        Found found = search();
        OptionalDouble knee = knee(found);
        if (knee.isPresent()) {
            for (double factor : around) {
                double load = round(knee.getAsDouble() * factor);
                if (load >= search.settings().least() && load <= search.settings().most()
                        && !known(load, requests)) {
                    valid("spread", load, requests);
                }
            }
        }
        return Curve.of(search.settings().target(), found, measured);
    }

    /** Measures {@code requests} at each of these loads. */
    public Curve given(List<Double> loads, int requests) {
        loads.forEach(load -> valid("given", load, requests));
        return Curve.of(search.settings().target(),
                search.found(observations(), loads.size() + " loads were given"), measured);
    }

    private Found search() {
        while (true) {
            switch (search.next(observations())) {
                case Step.Ask _ when over.getAsBoolean() -> {
                    return search.found(observations(),
                            "its time was over after " + measured.size() + " slots");
                }
                case Step.Ask ask -> measure(CurveSlot.word(ask.purpose()), ask.load(), ask.requests());
                case Step.Done done -> {
                    return done.found();
                }
            }
        }
    }

    private static OptionalDouble knee(Found found) {
        if (found.estimate().isPresent()) {
            return found.estimate();
        }
        return found.meets().isPresent() ? found.meets() : found.misses();
    }

    private boolean known(double load, int requests) {
        return measured.stream().anyMatch(s -> s.valid() && 2 * s.attainment().trials() >= requests
                && Math.abs(s.offeredRps() / load - 1) < NEAR);
    }

    /** A slot that is repeated once where it is not valid. */
    private void valid(String purpose, double load, int requests) {
        measure(purpose, load, requests);
        if (!measured.getLast().valid()) {
            measure(CurveSlot.word(Step.Purpose.REPEAT), load, requests);
        }
    }

    private void measure(String purpose, double load, int requests) {
        CurveSlot slot = slots.measure(measured.size() + 1, purpose, load, requests);
        measured.add(slot);
        listener.accept(slot);
    }

    private List<Observation> observations() {
        return measured.stream().map(CurveSlot::observation).toList();
    }

    /** Three significant digits, as a load with more says nothing more. */
    static double round(double load) {
        double unit = Math.pow(10, Math.floor(Math.log10(load)) - 2);
        return Math.round(load / unit) * unit;
    }
}
