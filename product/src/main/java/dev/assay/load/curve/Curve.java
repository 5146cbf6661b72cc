package dev.assay.load.curve;

import java.util.List;
import java.util.Optional;

/**
 * A measured operating curve.
 *
 * @param target share of requests that must meet the SLO
 * @param found the bracket of the highest load that does
 * @param slots every slot in the order of measuring, those that were not valid included
 * @param points the loads of the valid slots, ascending
 * @param seconds that all slots took together
 * @param cutShort why it ended before its plan did, absent where it did not
 */
public record Curve(double target, Found found, List<CurveSlot> slots, List<CurvePoint> points,
        double seconds, Optional<String> cutShort) {
    public Curve {
        slots = List.copyOf(slots);
        points = List.copyOf(points);
    }

    static Curve of(double target, Found found, List<CurveSlot> slots, Optional<String> cutShort) {
        return new Curve(target, found, slots, CurvePoint.of(slots, target),
                slots.stream().mapToDouble(CurveSlot::seconds).sum(), cutShort);
    }
}
