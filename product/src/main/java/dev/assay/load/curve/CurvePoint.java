package dev.assay.load.curve;

import dev.assay.stats.ShareEstimate;
import dev.assay.workload.RunSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One load of a curve: the valid slots there together.
 *
 * @param attainment of all of them, with a 95 % interval
 * @param saturatedSlots how many of them had a growing backlog
 * @param summary of the slot with the most requests; percentiles of several slots cannot be averaged
 * @param verdict meets, misses or open, by the interval
 * @param telemetry the server's own account of the slot that {@code summary} is of, lead-in included
 */
public record CurvePoint(double offeredRps, int slots, ShareEstimate attainment, int saturatedSlots,
        RunSummary summary, String verdict, Map<String, Double> telemetry) {
    private static final double LEVEL = 0.95;

    public CurvePoint {
        telemetry = Map.copyOf(telemetry);
    }

    /** The points of these slots by ascending load. */
    static List<CurvePoint> of(List<CurveSlot> slots, double target) {
        TreeMap<Double, List<CurveSlot>> byLoad = new TreeMap<>();
        slots.stream().filter(CurveSlot::valid)
                .forEach(s -> byLoad.computeIfAbsent(s.offeredRps(), _ -> new ArrayList<>()).add(s));
        return byLoad.entrySet().stream().map(e -> point(e.getKey(), e.getValue(), target)).toList();
    }

    private static CurvePoint point(double load, List<CurveSlot> slots, double target) {
        Tally tally = Tally.of(load, slots.stream().map(CurveSlot::observation).toList());
        CurveSlot longest = slots.getFirst();
        for (CurveSlot s : slots) {
            longest = s.attainment().trials() > longest.attainment().trials() ? s : longest;
        }
        return new CurvePoint(load, slots.size(), tally.estimate(LEVEL), tally.saturated(),
                longest.summary(), switch (tally.verdict(target, LEVEL)) {
                    case MEETS -> "meets";
                    case MISSES -> "misses";
                    case OPEN -> "open";
                }, longest.telemetry());
    }
}
