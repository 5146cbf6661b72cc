package dev.assay.forecast.silicon;

import dev.assay.AssayException;
import dev.assay.forecast.silicon.Accuracy.Backend;
import dev.assay.forecast.silicon.Accuracy.Group;
import dev.assay.forecast.silicon.Accuracy.Rivals;
import dev.assay.forecast.silicon.Accuracy.Spreads;
import dev.assay.forecast.silicon.Accuracy.Unseen;
import dev.assay.forecast.silicon.Accuracy.Value;
import dev.assay.forecast.silicon.SplitScore.Held;
import dev.assay.stats.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Scores the law on a file of measured rows; the same file always gives the same figures. */
public final class AccuracyRun {
    private static final int ROUNDS = 2;
    private static final int FOLDS = 5;
    private static final double LEVEL = 0.9;
    private static final long SEED = 1;
    private static final int LEAST_FAMILIES = 3;

    private AccuracyRun() {}

    /** Scores a file; fewer than three families that can be scored are not enough evidence. */
    public static Accuracy of(SiliconFile file) {
        Premises.Checked checked = Premises.check(file.rows());
        List<MeasuredRow> rows = checked.kept();
        List<Refusal> refusals = new ArrayList<>(file.refusals());
        refusals.addAll(checked.refusals());
        int families = (int) rows.stream().map(MeasuredRow::family).distinct().count();
        if (families < LEAST_FAMILIES) {
            throw AssayException.evidence(file.name() + ": " + families
                    + " families of equal configuration in "
                    + rows.size() + " rows that can be scored (" + (file.count() - rows.size())
                    + " refused" + (refusals.isEmpty()
                            ? ""
                            : ", first: " + refusals.getFirst().what() + ": "
                                    + refusals.getFirst().reason())
                    + "); expected at least " + LEAST_FAMILIES + " to hold some out");
        }
        List<Set<String>> outs = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            outs.addAll(Calibrated.folds(rows, FOLDS, new SplittableRandom(SEED + round)));
        }
        List<SplitScore> splits = IntStream.range(0, outs.size()).parallel().mapToObj(
                i -> SplitScore.of(rows, outs.get(i), LEVEL, new SplittableRandom(SEED + ROUNDS + i)))
                .toList();
        Spreads spread = spreads(splits);
        return new Accuracy(file.name(), file.count(), rows.size(), families, outs.size(),
                (double) ROUNDS / outs.size(),
                splits.stream().mapToInt(s -> s.held.size()).sum(),
                splits.stream().mapToInt(s -> s.ratioErrors.size()).sum(),
                spread.tpotError().middle(), middle(spread.ratioError()), middle(spread.coverage_90()),
                file.count() - rows.size(),
                new Rivals(middle(spread.rooflineRatioError()), middle(spread.constantRatioError())),
                spread, groups(rows, splits), unseenModels(rows), refusals, checked.faults(),
                checked.voided().isEmpty()
                        ? Optional.empty()
                        : Optional.of(unseen("rows refused for their regime", checked.voided(),
                                between(rows, checked.voided(), 0))),
                constants(rows), presumed());
    }

    private static OptionalDouble middle(Optional<Spread> spread) {
        return spread.isPresent() ? OptionalDouble.of(spread.orElseThrow().middle()) : OptionalDouble.empty();
    }

    private static SplitScore between(List<MeasuredRow> known, List<MeasuredRow> unknown, int seed) {
        return SplitScore.between(known, unknown, LEVEL, new SplittableRandom(SEED - 1 - seed));
    }

    private static Spreads spreads(List<SplitScore> splits) {
        Function<ToDoubleFunction<Held>, List<List<Double>>> of = figure -> splits.stream()
                .map(s -> s.held.stream().map(figure::applyAsDouble).toList()).toList();
        List<List<Double>> errors = of.apply(Held::error);
        boolean intervals = splits.stream().allMatch(s -> s.held.getFirst().halfWidth().isPresent());
        return new Spreads(Spread.ofQuantiles(errors, 0.5).orElseThrow(),
                Spread.ofQuantiles(errors, 0.9).orElseThrow(),
                Spread.ofQuantiles(splits.stream().map(s -> s.ratioErrors).toList(), 0.5),
                intervals
                        ? Optional.of(Spread.ofMeans(
                                splits.stream().mapToDouble(s -> share(s.held)).toArray()))
                        : Optional.empty(),
                Spread.ofQuantiles(of.apply(Held::log), 0.5).orElseThrow(),
                intervals
                        ? Spread.ofQuantiles(of.apply(h -> Math.exp(h.halfWidth().orElseThrow())), 0.5)
                        : Optional.empty(),
                Spread.ofQuantiles(of.apply(Held::rooflineError), 0.5).orElseThrow(),
                Spread.ofQuantiles(splits.stream().map(s -> s.rooflineRatioErrors).toList(), 0.5),
                Spread.ofQuantiles(splits.stream().map(s -> s.constantRatioErrors).toList(), 0.5));
    }

    private static double share(List<Held> held) {
        return held.stream().filter(Held::covered).count() / (double) held.size();
    }

    private static List<Group> groups(List<MeasuredRow> rows, List<SplitScore> splits) {
        List<Group> groups = new ArrayList<>();
        for (String name : rows.stream().map(MeasuredRow::group).distinct().sorted().toList()) {
            List<Held> held = splits.stream().flatMap(s -> s.held.stream())
                    .filter(h -> h.row().group().equals(name)).toList();
            groups.add(new Group(name, (int) rows.stream().filter(r -> r.group().equals(name)).count(),
                    held.size(), (int) held.stream().filter(h -> !h.knownGroup()).count(),
                    median(held, Held::error), median(held, Held::log), coverage(held), width(held)));
        }
        return groups;
    }

    private static OptionalDouble median(List<Held> held, ToDoubleFunction<Held> figure) {
        return held.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Quantiles.type7(held.stream().mapToDouble(figure).toArray(), 0.5));
    }

    private static List<Held> withIntervals(List<Held> held) {
        return held.stream().filter(h -> h.halfWidth().isPresent()).toList();
    }

    private static OptionalDouble coverage(List<Held> held) {
        List<Held> known = withIntervals(held);
        return known.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(share(known));
    }

    private static OptionalDouble width(List<Held> held) {
        return median(withIntervals(held), h -> Math.exp(h.halfWidth().orElseThrow()));
    }

    /** Each model left out whole, where the others still are two families. */
    private static List<Unseen> unseenModels(List<MeasuredRow> rows) {
        List<String> models = rows.stream().map(r -> r.deployment().model()).distinct().sorted().toList();
        return IntStream.range(0, models.size()).parallel().mapToObj(i -> {
            List<MeasuredRow> others = rows.stream()
                    .filter(r -> !r.deployment().model().equals(models.get(i))).toList();
            List<MeasuredRow> own = rows.stream().filter(r -> r.deployment().model().equals(models.get(i)))
                    .toList();
            return others.stream().map(MeasuredRow::family).distinct().count() < 2
                    ? Optional.<Unseen>empty()
                    : Optional.of(unseen(models.get(i), own, between(others, own, 1 + i)));
        }).flatMap(Optional::stream).toList();
    }

    private static Unseen unseen(String name, List<MeasuredRow> rows, SplitScore score) {
        return new Unseen(name, rows.size(), median(score.held, Held::error).orElseThrow(),
                median(score.held, Held::log).orElseThrow(), coverage(score.held), width(score.held));
    }

    /** The constants common to all, then those of each engine at its most frequent group. */
    private static List<Backend> constants(List<MeasuredRow> rows) {
        Fit fit = Fitter.fit(rows);
        List<Backend> sets = new ArrayList<>();
        sets.add(new Backend("all", Constant.ALL.stream()
                .map(c -> new Value(c.id(), fit.common(c), Math.exp(fit.commonSd(c)), c.unit())).toList()));
        for (String group : rows.stream().map(MeasuredRow::group).distinct().sorted().toList()) {
            Deployment d = rows.stream().filter(r -> r.group().equals(group)).findFirst().orElseThrow()
                    .deployment();
            sets.add(new Backend(group, Constant.ALL.stream().map(c -> new Value(c.id(),
                    fit.constant(d, c), Math.exp(fit.constantSd(d, c)), c.unit())).toList()));
        }
        return sets;
    }

    private static List<String> presumed() {
        return List.of("batch_size is the concurrency of a closed loop at a steady state",
                "an empty precision is that of gemm_quant_mode, else what the model's name says, else bf16",
                "KV in 8 bits for trtllm with fp8 or fp4 weights, else in 16 bits",
                "the output head in 16 bits; 90 % of memory used");
    }
}
