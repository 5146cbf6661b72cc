package dev.assay.review;

import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.RatioResult;
import dev.assay.stats.Block;
import dev.assay.stats.BlockDifference;
import dev.assay.stats.BlockRatio;
import dev.assay.stats.Bonferroni;
import dev.assay.stats.Holm;
import dev.assay.stats.Interval;
import dev.assay.stats.MeanEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * One metric over all load points: the block ratios with nominal and joint intervals. Holm adjusts the p values and
 * Bonferroni the intervals over the load points that have a ratio, as Holm's procedure has no simple intervals.
 */
final class Comparison {
    /** The level of every interval of a ratio. */
    static final double LEVEL = 0.95;
    /** An interval that spans more than this factor says nothing, and its digits would only distract. */
    private static final int WIDE = 100;

    private final Metric metric;
    private final List<List<Block>> blocks;
    private final List<BlockRatio> ratios;
    private final List<OptionalDouble> holm;
    private final double jointLevel;

    private Comparison(Metric metric, List<List<Block>> blocks) {
        this.metric = metric;
        this.blocks = blocks;
        this.ratios = blocks.stream().map(b -> BlockRatio.of(b, LEVEL)).toList();
        this.holm = Holm.adjust(ratios.stream().map(Comparison::p).toList());
        int defined = (int) ratios.stream().filter(r -> r.ratio().isPresent()).count();
        this.jointLevel = Bonferroni.level(LEVEL, Math.max(1, defined));
    }

    static Comparison of(Metric metric, Samples samples, int points) {
        List<List<Block>> blocks = new ArrayList<>();
        for (int point = 0; point < points; point++) {
            blocks.add(samples.blocks(metric, point));
        }
        return new Comparison(metric, blocks);
    }

    Metric metric() {
        return metric;
    }

    /** The ratio at a load point. */
    BlockRatio ratio(int point) {
        return ratios.get(point);
    }

    /** The difference at a load point, for metrics that fell to 0. */
    BlockDifference difference(int point) {
        return BlockDifference.of(blocks.get(point), jointLevel);
    }

    /** The complete blocks at a load point. */
    List<Block> blocks(int point) {
        return blocks.get(point);
    }

    /** The interval that holds over all load points together. */
    Optional<Interval> joint(int point) {
        return ratios.get(point).intervalAt(jointLevel);
    }

    /** The p value of "no change", adjusted over the load points. */
    OptionalDouble pHolm(int point) {
        return holm.get(point);
    }

    private static OptionalDouble p(BlockRatio ratio) {
        return ratio.log().map(MeanEstimate::p).orElse(OptionalDouble.empty());
    }

    /** The result at a load point, as the record shows it. */
    MetricResult result(int point) {
        List<Block> here = blocks.get(point);
        BlockRatio ratio = ratios.get(point);
        String doubt = ratio.ratio().isPresent() || ratio.doubts().isEmpty()
                ? ""
                : ratio.doubts().getFirst().detail();
        return new MetricResult(metric.id(), arm(here, b -> b.a1(), b -> b.a2()),
                arm(here, b -> b.b1(), b -> b.b2()),
                ratioResult(point), doubt);
    }

    /** An arm's mean over the blocks of a load point; empty where no block is complete. */
    OptionalDouble mean(Arm arm, int point) {
        return blocks.get(point).stream()
                .mapToDouble(b -> arm == Arm.BASELINE ? (b.a1() + b.a2()) / 2 : (b.b1() + b.b2()) / 2)
                .average();
    }

    private Optional<RatioResult> ratioResult(int point) {
        BlockRatio ratio = ratios.get(point);
        if (ratio.ratio().isEmpty()) {
            return Optional.empty();
        }
        MeanEstimate log = ratio.log().orElseThrow();
        Optional<Interval> joint = joint(point);
        return Optional.of(new RatioResult(ratio.ratio().getAsDouble(), ratio.interval().map(Interval::low),
                ratio.interval().map(Interval::high), joint.map(Interval::low), joint.map(Interval::high),
                boxed(log.p()), boxed(pHolm(point)), log.signFlipP().orElse(log.signFlipFloor()),
                log.signFlipFloor(),
                ratio.blocks()));
    }

    private static Optional<ArmValue> arm(List<Block> blocks, ToDoubleFunction<Block> first,
            ToDoubleFunction<Block> second) {
        if (blocks.isEmpty()) {
            return Optional.empty();
        }
        boolean positive = blocks.stream()
                .allMatch(b -> first.applyAsDouble(b) > 0 && second.applyAsDouble(b) > 0);
        double[] values = blocks.stream()
                .mapToDouble(b -> positive
                        ? (Math.log(first.applyAsDouble(b)) + Math.log(second.applyAsDouble(b))) / 2
                        : (first.applyAsDouble(b) + second.applyAsDouble(b)) / 2)
                .toArray();
        MeanEstimate mean = MeanEstimate.of(values, LEVEL);
        return Optional.of(new ArmValue(back(mean.mean(), positive),
                mean.interval().map(i -> back(i.low(), positive)).filter(Double::isFinite),
                mean.interval().map(i -> back(i.high(), positive)).filter(Double::isFinite), blocks.size()));
    }

    private static double back(double value, boolean positive) {
        return positive ? Math.exp(value) : value;
    }

    private static Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }

    /** A ratio with its interval for people, or why there is none. */
    String words(int point, Optional<Interval> interval) {
        BlockRatio ratio = ratios.get(point);
        if (ratio.ratio().isEmpty()) {
            return ratio.doubts().isEmpty() ? "no ratio" : ratio.doubts().getFirst().detail();
        }
        String value = String.format(Locale.ROOT, "×%.3f", ratio.ratio().getAsDouble());
        return interval.map(i -> value + (i.high() > WIDE * i.low()
                ? " (its interval spans more than a factor of " + WIDE + ")"
                : String.format(Locale.ROOT, " [%.3f, %.3f]", i.low(), i.high()))).orElse(value);
    }
}
