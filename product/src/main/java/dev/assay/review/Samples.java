package dev.assay.review;

import dev.assay.stats.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The admissible slots by block and load point, from which every comparison is made. A block counts at a load point
 * when all four of its slots there are admissible and have the metric.
 */
final class Samples {
    private final List<SlotResult> slots;

    Samples(List<SlotResult> slots) {
        this.slots = slots.stream().filter(SlotResult::admissible).toList();
    }

    /** The complete blocks of a metric at a load point, in block order. */
    List<Block> blocks(Metric metric, int point) {
        Map<Integer, List<SlotResult>> byBlock = new TreeMap<>();
        for (SlotResult slot : slots) {
            if (slot.key().point() == point && value(metric, slot).isPresent()) {
                byBlock.computeIfAbsent(slot.key().block(), _ -> new ArrayList<>()).add(slot);
            }
        }
        List<Block> blocks = new ArrayList<>();
        for (List<SlotResult> block : byBlock.values()) {
            double[] a = values(metric, block, Arm.BASELINE);
            double[] b = values(metric, block, Arm.CANDIDATE);
            if (a.length == 2 && b.length == 2) {
                blocks.add(new Block(a[0], b[0], b[1], a[1]));
            }
        }
        return blocks;
    }

    private static double[] values(Metric metric, List<SlotResult> block, Arm arm) {
        Predicate<SlotResult> ofArm = s -> s.key().arm() == arm;
        return block.stream().filter(ofArm).mapToDouble(s -> value(metric, s).orElseThrow()).toArray();
    }

    private static OptionalDouble value(Metric metric, SlotResult slot) {
        return metric.in(slot.summary(), slot.telemetry());
    }

    /** The mean of a telemetry value over an arm's slots at a load point, for each name that all of them have. */
    Map<String, Double> telemetry(Arm arm, int point) {
        List<Map<String, Double>> all = slots.stream()
                .filter(s -> s.key().arm() == arm && s.key().point() == point)
                .map(SlotResult::telemetry)
                .toList();
        Map<String, Double> means = new TreeMap<>();
        if (!all.isEmpty()) {
            for (String name : all.getFirst().keySet()) {
                if (all.stream().allMatch(t -> t.containsKey(name))) {
                    means.put(name,
                            all.stream().mapToDouble(t -> t.getOrDefault(name, 0.0)).average().orElseThrow());
                }
            }
        }
        return means;
    }
}
