package dev.assay.forecast.silicon;

import dev.assay.stats.Quantiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What a forecast has to beat: the roofline as the hardware's maker has it, and "the same ratio as always". */
final class Baselines {
    /** Batches of a pair differ by this factor. */
    static final int STEP = 4;

    private Baselines() {}

    /** Two rows that differ in batch alone, by a factor of four. */
    record Pair(MeasuredRow small, MeasuredRow large) {
        double ratio() {
            return large.tpotSeconds() / small.tpotSeconds();
        }
    }

    /** TPOT in seconds of the uncalibrated roofline at a steady state: the larger of bytes and operations, and the wire. */
    static double roofline(Deployment d) {
        double batch = d.batch();
        double begun = d.promptsPerStep(batch);
        double bytes = d.weightBytes() + batch * d.meanContext() * d.kvBytesPerToken();
        double flops = batch * d.decodeFlops() + begun * (d.promptFlops() + d.promptAttentionFlops());
        double wire = d.tensorParallel() == 1
                ? 0
                : (batch + begun * d.inputTokens()) * d.wireBytesPerToken() / d.hardware().linkBandwidth();
        return Math.max(bytes / d.hardware().bandwidth(), flops / d.peak()) + wire;
    }

    /** All pairs among {@code rows} that differ in nothing but a batch four times as large. */
    static List<Pair> pairs(List<MeasuredRow> rows) {
        Map<String, List<MeasuredRow>> byKey = new HashMap<>();
        rows.forEach(
                r -> byKey.computeIfAbsent(key(r, r.deployment().batch()), k -> new ArrayList<>()).add(r));
        List<Pair> pairs = new ArrayList<>();
        for (MeasuredRow small : rows) {
            for (MeasuredRow large : byKey.getOrDefault(
                    key(small, (long) STEP * small.deployment().batch()), List.of())) {
                pairs.add(new Pair(small, large));
            }
        }
        return pairs;
    }

    private static String key(MeasuredRow row, long batch) {
        return row.family() + " " + row.deployment().tensorParallel() + " " + batch;
    }

    /** The median ratio of the pairs among {@code rows}; absent where there is none. */
    static OptionalDouble constantRatio(List<MeasuredRow> rows) {
        double[] ratios = pairs(rows).stream().mapToDouble(Pair::ratio).toArray();
        return ratios.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Quantiles.type7(ratios, 0.5));
    }
}
