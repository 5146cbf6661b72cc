package dev.assay.load.imported;

import dev.assay.load.imported.Comparison.Finding;
import dev.assay.load.imported.Comparison.Row;
import dev.assay.load.imported.Measure.Source;
import dev.assay.stats.BlocksNeeded;
import dev.assay.stats.EarlyStopping;
import dev.assay.stats.TwoSampleRatio;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Makes the rows of a comparison: first described, then judged where nothing stands against it. */
final class Rows {
    /** The reason of a row whose percentile stands below its floor. */
    static final String FEW_REQUESTS = "too few requests";
    private static final double CONFIDENCE = 0.99;
    private static final double ROUNDING = 1e-12;

    private Rows() {}

    /** The row without a finding; its reason says why it could not be tested, and is empty where it can. */
    static Row described(Measure.Key key, List<ImportedRun> a, List<ImportedRun> b, CompareOptions options) {
        double[] x = Comparer.values(a, key);
        double[] y = Comparer.values(b, key);
        boolean recomputed = recomputed(key, a) && recomputed(key, b);
        boolean positive = Arrays.stream(x).allMatch(v -> v > 0) && Arrays.stream(y).allMatch(v -> v > 0);
        if (!positive) {
            return new Row(key.formula().family(), key.statistic(), key.formula(), key.rule(), recomputed, x,
                    y,
                    mean(x), mean(y), OptionalDouble.empty(), Optional.empty(), OptionalDouble.empty(),
                    OptionalDouble.empty(), Finding.NONE, Optional.empty(), "a value is 0: no ratio",
                    Optional.empty());
        }
        TwoSampleRatio r = TwoSampleRatio.of(x, y, options.level());
        boolean repeats = x.length > 1 && y.length > 1;
        return new Row(key.formula().family(), key.statistic(), key.formula(), key.rule(), recomputed, x, y,
                geometric(x), geometric(y), OptionalDouble.of(r.ratio()), r.interval(),
                repeats ? r.p() : OptionalDouble.empty(), OptionalDouble.empty(), Finding.NONE,
                Optional.empty(),
                reason(key.statistic(), a, b, repeats), needed(r, options));
    }

    private static String reason(Statistic statistic, List<ImportedRun> a, List<ImportedRun> b,
            boolean repeats) {
        if (belowFloor(statistic, a) || belowFloor(statistic, b)) {
            return FEW_REQUESTS;
        }
        return repeats ? "" : "no repeats";
    }

    /** Whether a run is known to have fewer requests than the percentile needs. */
    static boolean belowFloor(Statistic statistic, List<ImportedRun> runs) {
        return statistic.isPercentile() && runs.stream().map(r -> r.counts().completed())
                .anyMatch(n -> n.isPresent() && n.getAsLong() < floor(statistic));
    }

    /** The fewest requests with which LoadGen's early stopping lets a percentile be claimed with one request over. */
    static int floor(Statistic statistic) {
        return EarlyStopping.queries(1, statistic.percent() / 100, CONFIDENCE);
    }

    private static Optional<Integer> needed(TwoSampleRatio r, CompareOptions options) {
        // Two means of n values each differ with sqrt(2) times the spread of one mean.
        return r.sd().isEmpty()
                ? Optional.empty()
                : BlocksNeeded.forHalfWidth(Math.log1p(options.width()), Math.sqrt(2) * r.sd().getAsDouble(),
                        options.level());
    }

    /** The row with its finding, by its p value adjusted over {@code family} rows. */
    static Row judged(Row row, double adjusted, int family, CompareOptions options) {
        double alpha = 1 - options.level();
        boolean testable = TwoSampleRatio.floor(row.aValues().length, row.bValues().length) * family <= alpha
                + ROUNDING;
        boolean shown = adjusted <= alpha + ROUNDING;
        Finding finding = !testable && !shown
                ? Finding.NONE
                : !shown
                        ? Finding.NOT_SHOWN
                        : row.ratio().orElseThrow() < 1 ? Finding.LOWER : Finding.HIGHER;
        Optional<Boolean> better = shown
                ? Optional.of(finding == Finding.HIGHER == row.metric().higherIsBetter())
                : Optional.empty();
        return new Row(row.metric(), row.statistic(), row.formula(), row.rule(), row.recomputed(),
                row.aValues(),
                row.bValues(), row.a(), row.b(), row.ratio(), row.interval(), row.p(),
                OptionalDouble.of(adjusted), finding, better,
                finding == Finding.NONE ? "too few repeats" : "",
                row.repeatsNeeded());
    }

    private static boolean recomputed(Measure.Key key, List<ImportedRun> runs) {
        return runs.stream().allMatch(r -> r.measures().stream()
                .anyMatch(m -> m.key().equals(key) && m.source() == Source.RECOMPUTED));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double geometric(double[] values) {
        return values.length == 1
                ? values[0]
                : Math.exp(Arrays.stream(values).map(Math::log).average().orElseThrow());
    }

    static OptionalLong least(OptionalLong a, OptionalLong b) {
        return a.isEmpty() ? b : b.isEmpty() ? a : OptionalLong.of(Math.min(a.getAsLong(), b.getAsLong()));
    }
}
