package dev.assay.forecast.silicon;

import dev.assay.forecast.silicon.Baselines.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;

/** One split: some of the families held out whole, the rest calibrated on, every held-out row scored. */
final class SplitScore {
    final List<Held> held = new ArrayList<>();
    final List<Double> ratioErrors = new ArrayList<>();
    final List<Double> rooflineRatioErrors = new ArrayList<>();
    final List<Double> constantRatioErrors = new ArrayList<>();

    private SplitScore() {}

    /**
     * A held-out row.
     *
     * @param log of measured over forecast
     * @param halfWidth of the interval as a logarithm
     * @param knownGroup whether rows of its group were calibrated on
     * @param roofline TPOT of the baseline
     */
    record Held(MeasuredRow row, double log, OptionalDouble halfWidth, boolean knownGroup, double roofline) {
        /** Size of the forecast's error as a share of what was measured. */
        double error() {
            return Math.abs(Math.exp(-log) - 1);
        }

        double rooflineError() {
            return Math.abs(roofline / row.tpotSeconds() - 1);
        }

        boolean covered() {
            return Math.abs(log) <= halfWidth.orElse(Double.POSITIVE_INFINITY);
        }
    }

    /** Scores a split that holds out the families {@code out}. */
    static SplitScore of(List<MeasuredRow> rows, Set<String> out, double level, SplittableRandom random) {
        return between(rows.stream().filter(r -> !out.contains(r.family())).toList(),
                rows.stream().filter(r -> out.contains(r.family())).toList(), level, random);
    }

    /** Calibrates on {@code known} and scores {@code unknown}. */
    static SplitScore between(List<MeasuredRow> known, List<MeasuredRow> unknown, double level,
            SplittableRandom random) {
        Calibrated model = Calibrated.of(known, level, random);
        SplitScore score = new SplitScore();
        for (MeasuredRow row : unknown) {
            Deployment d = row.deployment();
            score.held.add(new Held(row, Math.log(row.tpotSeconds() / model.seconds(d)), model.halfWidth(d),
                    model.fit().knows(d), Baselines.roofline(d)));
        }
        OptionalDouble constant = Baselines.constantRatio(known);
        for (Pair pair : Baselines.pairs(unknown)) {
            Deployment small = pair.small().deployment();
            Deployment large = pair.large().deployment();
            score.ratioErrors.add(error(model.seconds(large) / model.seconds(small), pair));
            score.rooflineRatioErrors
                    .add(error(Baselines.roofline(large) / Baselines.roofline(small), pair));
            constant.ifPresent(c -> score.constantRatioErrors.add(error(c, pair)));
        }
        return score;
    }

    private static double error(double ratio, Pair pair) {
        return Math.abs(ratio / pair.ratio() - 1);
    }
}
