package dev.assay.load.curve;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Measures an operating curve: at given loads, or around the highest load that meets the SLO, found first. */
public final class CurveRunner {
    /** Where points are spread, as multiples of the highest load that meets the SLO. */
    public static final List<Double> AROUND = List.of(0.25, 0.5, 0.75, 0.9, 1.0, 1.15, 1.4);

    private static final MathContext DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);

    private final Slots slots;
    private final BiConsumer<CurveSlot, CurvePlan> listener;
    private final Supplier<Optional<String>> stopped;

    /**
     * A runner.
     *
     * @param listener is told of every slot as it ends, with the plan of what is left
     * @param stopped why no more can be measured, empty where more can
     */
    public CurveRunner(Slots slots, BiConsumer<CurveSlot, CurvePlan> listener,
            Supplier<Optional<String>> stopped) {
        this.slots = slots;
        this.listener = listener;
        this.stopped = stopped;
    }

    /** Measures until the plan ends, or until it has to stop: then the slot in progress is left out. */
    public Curve run(CurvePlan plan) {
        List<CurveSlot> measured = new ArrayList<>();
        while (true) {
            Optional<CurvePlan.Next> next = plan.next();
            if (next.isEmpty()) {
                return curve(plan, measured, Optional.empty());
            }
            CurvePlan.Next asked = next.get();
            Optional<CurveSlot> slot = stopped.get().isPresent()
                    ? Optional.empty()
                    : slots.measure(measured.size() + 1, asked.purpose(), asked.load(), asked.requests());
            Optional<String> reason = stopped.get();
            if (slot.isEmpty() || reason.isPresent()) {
                return curve(plan, measured, Optional.of(String.format(Locale.ROOT,
                        "%s in slot %d, %s at %.3g/s, which is left out", reason.orElse("cut short"),
                        measured.size() + 1, asked.purpose(), asked.load())));
            }
            measured.add(slot.get());
            plan.add(slot.get().observation());
            listener.accept(slot.get(), plan.copy());
        }
    }

    private static Curve curve(CurvePlan plan, List<CurveSlot> measured, Optional<String> cut) {
        return Curve.of(plan.search().settings().target(), plan.found(), measured, cut);
    }

    /** Three significant digits, as a load with more says nothing more. */
    public static double round(double load) {
        return new BigDecimal(load).round(DIGITS).doubleValue();
    }
}
