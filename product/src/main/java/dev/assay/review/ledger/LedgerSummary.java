package dev.assay.review.ledger;

import dev.assay.forecast.WidthCorrection;
import dev.assay.review.Arm;
import dev.assay.review.Proposal.ChangeKind;
import dev.assay.stats.ForecastScore;
import dev.assay.stats.Interval;
import dev.assay.stats.Proportion;
import dev.assay.stats.Quantiles;
import dev.assay.stats.RatioForecast;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A ledger in figures; what {@code assay ledger --json} prints. An absent {@code change}, {@code metric} or {@code arm}
 * stands for all of them together.
 */
public record LedgerSummary(List<Reading.Scored> reviews, List<Reading.LeftOut> leftOut, List<Group> groups,
        List<LimiterRate> limiters, List<LevelGroup> levels, List<Suggestion> corrections) {

    /** How the forecasts of a kind of change and a metric fared. */
    public record Group(Optional<ChangeKind> change, Optional<String> metric, int reviews,
            ForecastScore score) {}

    /** How often the limiter of an arm was the one forecast. */
    public record LimiterRate(Optional<ChangeKind> change, Optional<Arm> arm, int calls, int hits,
            double rate,
            Interval interval) {}

    /** Whether levels come as near as they are meant to. */
    public enum Met {
        /** The median error is within the goal. */
        MET,
        /** It is not, and each value that is further off had an interval that said so. */
        UNKNOWN,
        /** It is not, and some value is further off than its interval admits. */
        MISSED
    }

    /**
     * |forecast/observed - 1| of a metric over all load points.
     *
     * @param unknown values whose interval spans a factor of {@link LevelForecast#UNKNOWING} and holds the observation
     */
    public record LevelGroup(Optional<ChangeKind> change, String metric, Optional<Arm> arm, int values,
            double median,
            double quarter, double threeQuarters, double most, int unknown, double goal, Met met) {}

    /** The correction that the next forecast of a kind of change gets; absent with the number of forecasts there are. */
    public record Suggestion(ChangeKind change, int forecasts, int reviews,
            Optional<WidthCorrection> width) {}

    /** The figures of a ledger; corrections rest on what was decided before {@code now}. */
    public static LedgerSummary of(Ledger ledger, LevelGoals goals, Instant now) {
        List<Optional<ChangeKind>> kinds = new ArrayList<>();
        for (ChangeKind kind : ChangeKind.values()) {
            if (ledger.reviews().stream().anyMatch(r -> r.change() == kind)) {
                kinds.add(Optional.of(kind));
            }
        }
        List<Suggestion> corrections = kinds.stream().map(k -> suggestion(ledger, k.orElseThrow(), now))
                .toList();
        kinds.add(Optional.empty());
        List<Group> groups = new ArrayList<>();
        List<LimiterRate> limiters = new ArrayList<>();
        List<LevelGroup> levels = new ArrayList<>();
        for (Optional<ChangeKind> kind : kinds) {
            List<Reading.Scored> reviews = ledger.reviews().stream()
                    .filter(r -> kind.isEmpty() || r.change() == kind.get()).toList();
            groups(groups, kind, reviews);
            for (Optional<Arm> arm : arms()) {
                limiter(kind, arm, reviews).ifPresent(limiters::add);
            }
            levels(levels, kind, reviews, goals);
        }
        return new LedgerSummary(ledger.reviews(), ledger.leftOut(), groups, limiters, levels, corrections);
    }

    /** Whether the median of every metric, over both arms and all changes, is within its goal. */
    public boolean met() {
        return levels.stream().filter(l -> l.change().isEmpty() && l.arm().isEmpty())
                .allMatch(l -> l.met() == Met.MET);
    }

    private static Suggestion suggestion(Ledger ledger, ChangeKind kind, Instant now) {
        Ledger past = ledger.decidedBefore(now);
        List<Reading.Scored> ofKind = past.reviews().stream().filter(r -> r.change() == kind).toList();
        return new Suggestion(kind, (int) ofKind.stream().flatMap(r -> r.forecasts().stream())
                .filter(f -> !f.ratio().exact()).count(), ofKind.size(), past.correction(kind));
    }

    private static List<Optional<Arm>> arms() {
        return List.of(Optional.of(Arm.BASELINE), Optional.of(Arm.CANDIDATE), Optional.empty());
    }

    private static void groups(List<Group> into, Optional<ChangeKind> kind, List<Reading.Scored> reviews) {
        List<Optional<String>> metrics = new ArrayList<>(reviews.stream().flatMap(r -> r.forecasts().stream())
                .map(ScoredForecast::metric).distinct().map(Optional::of).toList());
        metrics.add(Optional.empty());
        for (Optional<String> metric : metrics) {
            List<List<RatioForecast>> byReview = reviews.stream()
                    .map(r -> r.forecasts().stream()
                            .filter(f -> metric.isEmpty() || f.metric().equals(metric.get()))
                            .map(ScoredForecast::ratio).toList())
                    .filter(f -> !f.isEmpty()).toList();
            if (!byReview.isEmpty()) {
                into.add(new Group(kind, metric, byReview.size(), ForecastScore.ofGroups(byReview)));
            }
        }
    }

    private static Optional<LimiterRate> limiter(Optional<ChangeKind> kind, Optional<Arm> arm,
            List<Reading.Scored> reviews) {
        List<LimiterCall> calls = reviews.stream().flatMap(r -> r.limiters().stream())
                .filter(c -> arm.isEmpty() || c.arm() == arm.get()).toList();
        if (calls.isEmpty()) {
            return Optional.empty();
        }
        int hits = (int) calls.stream().filter(LimiterCall::hit).count();
        return Optional.of(new LimiterRate(kind, arm, calls.size(), hits, (double) hits / calls.size(),
                Proportion.clopperPearson(hits, calls.size(), 0.95)));
    }

    private static void levels(List<LevelGroup> into, Optional<ChangeKind> kind, List<Reading.Scored> reviews,
            LevelGoals goals) {
        for (var metric : ReviewReader.LEVELS) {
            for (Optional<Arm> arm : arms()) {
                List<LevelForecast> values = reviews.stream().flatMap(r -> r.levels().stream())
                        .filter(l -> l.metric().equals(metric.id())
                                && (arm.isEmpty() || l.arm() == arm.get()))
                        .toList();
                if (!values.isEmpty()) {
                    into.add(level(kind, metric.id(), arm, values,
                            goals.byMetric().getOrDefault(metric.id(), Double.NaN)));
                }
            }
        }
    }

    private static LevelGroup level(Optional<ChangeKind> kind, String metric, Optional<Arm> arm,
            List<LevelForecast> values, double goal) {
        double[] errors = values.stream().mapToDouble(LevelForecast::error).toArray();
        double median = Quantiles.type7(errors, 0.5);
        boolean admitted = values.stream().allMatch(v -> v.error() <= goal || v.saysUnknown());
        return new LevelGroup(kind, metric, arm, values.size(), median, Quantiles.type7(errors, 0.25),
                Quantiles.type7(errors, 0.75), Quantiles.type7(errors, 1),
                (int) values.stream().filter(LevelForecast::saysUnknown).count(), goal,
                median <= goal ? Met.MET : admitted ? Met.UNKNOWN : Met.MISSED);
    }
}
