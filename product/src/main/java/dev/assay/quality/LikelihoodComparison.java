package dev.assay.quality;

import dev.assay.stats.BlockBootstrap;
import dev.assay.stats.Interval;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * How likely the candidate finds the baseline's greedy text, position by position, after the same text (teacher
 * forced). A negative mean difference says that the candidate finds it less likely.
 *
 * @param positions compared positions
 * @param prompts prompts that they belong to, the clusters of the interval
 * @param skippedText positions not asked since their text is no whole UTF-8 text
 * @param skippedLimit positions not asked since a limit was reached
 * @param unanswered positions at which an arm gave no alternatives
 * @param fewestAlternatives the shortest list of alternatives that either arm gave
 * @param baselineFloored positions at which the bound of the baseline's list stands for its token
 * @param candidateFloored the same of the candidate; there the true loss is larger
 * @param meanDifference mean log-probability difference in nats, candidate less baseline
 * @param interval of it, percentile bootstrap over prompts; absent for one prompt
 * @param perplexityRatio candidate over baseline, {@code exp(-meanDifference)}; above 1 is worse
 * @param perplexityInterval of it
 * @param meanKl mean of the divergences over shared alternatives, in nats
 * @param klInterval of the mean, percentile bootstrap over prompts; absent for one prompt
 * @param maxKl the largest of them
 * @param sameTop positions at which both arms find the same token most likely
 * @param perPosition all positions
 * @param notes what limits the figures, one line each
 */
public record LikelihoodComparison(int positions, int prompts, int skippedText, int skippedLimit,
        int unanswered,
        int fewestAlternatives, int baselineFloored, int candidateFloored, OptionalDouble meanDifference,
        Optional<Interval> interval, OptionalDouble perplexityRatio, Optional<Interval> perplexityInterval,
        OptionalDouble meanKl, Optional<Interval> klInterval, OptionalDouble maxKl, int sameTop,
        List<PositionDifference> perPosition,
        List<String> notes) {
    public LikelihoodComparison {
        perPosition = List.copyOf(perPosition);
        notes = List.copyOf(notes);
    }

    /** The comparison of both arms' answers to the plan. */
    public static LikelihoodComparison compare(QualityRaw raw) {
        TeacherForcing plan = raw.plan();
        List<PositionDifference> differences = new ArrayList<>();
        int unanswered = 0;
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < plan.positions().size(); i++) {
            List<TokenLogprob> a = raw.baseline().next().get(i);
            List<TokenLogprob> b = raw.candidate().next().get(i);
            if (a.isEmpty() || b.isEmpty()) {
                unanswered++;
            } else {
                fewest = Math.min(fewest, Math.min(a.size(), b.size()));
                differences.add(PositionDifference.of(plan.positions().get(i), a, b));
            }
        }
        Map<String, List<PositionDifference>> byPrompt = new LinkedHashMap<>();
        differences.forEach(d -> byPrompt.computeIfAbsent(d.promptId(), _ -> new ArrayList<>()).add(d));
        List<List<PositionDifference>> clusters = List.copyOf(byPrompt.values());
        Optional<BlockBootstrap> mean = mean(clusters, d -> OptionalDouble.of(d.difference()),
                raw.settings());
        Optional<BlockBootstrap> kl = mean(clusters, PositionDifference::kl, raw.settings());
        OptionalDouble meanDifference = estimate(mean);
        Optional<Interval> interval = interval(mean);
        return new LikelihoodComparison(differences.size(), byPrompt.size(), plan.skippedText(),
                plan.skippedLimit(),
                unanswered, differences.isEmpty() ? 0 : fewest,
                (int) differences.stream().filter(PositionDifference::baselineFloored).count(),
                (int) differences.stream().filter(PositionDifference::candidateFloored).count(),
                meanDifference, interval,
                meanDifference.isPresent()
                        ? OptionalDouble.of(Math.exp(-meanDifference.getAsDouble()))
                        : OptionalDouble.empty(),
                interval.map(i -> new Interval(Math.exp(-i.high()), Math.exp(-i.low()))), estimate(kl),
                interval(kl),
                differences.stream().map(PositionDifference::kl).flatMapToDouble(OptionalDouble::stream)
                        .max(),
                (int) differences.stream().filter(PositionDifference::sameTop).count(),
                differences, notes(plan, unanswered, differences));
    }

    /** The mean over all positions that have a value, with its bootstrap over prompts; empty without positions. */
    private static Optional<BlockBootstrap> mean(List<List<PositionDifference>> prompts,
            Function<PositionDifference, OptionalDouble> value, QualitySettings settings) {
        if (prompts.isEmpty()) {
            return Optional.empty();
        }
        List<DoubleSummaryStatistics> sums = prompts.stream()
                .map(p -> p.stream().map(value).flatMapToDouble(OptionalDouble::stream).summaryStatistics())
                .toList();
        return Optional.of(BlockBootstrap.of(prompts.size(), drawn -> {
            double sum = 0;
            long count = 0;
            for (int prompt : drawn) {
                sum += sums.get(prompt).getSum();
                count += sums.get(prompt).getCount();
            }
            return count == 0 ? Double.NaN : sum / count + 0.0;
        }, settings.level(), settings.resamples(), new SplittableRandom(settings.seed())));
    }

    private static OptionalDouble estimate(Optional<BlockBootstrap> boot) {
        return boot.map(BlockBootstrap::estimate).orElse(OptionalDouble.empty());
    }

    private static Optional<Interval> interval(Optional<BlockBootstrap> boot) {
        return boot.filter(b -> b.low().isPresent() && b.high().isPresent())
                .map(b -> new Interval(b.low().getAsDouble(), b.high().getAsDouble()));
    }

    private static List<String> notes(TeacherForcing plan, int unanswered,
            List<PositionDifference> differences) {
        List<String> notes = new ArrayList<>();
        notes.add(
                "the divergence is over the alternatives that both arms listed, renormalised to them: it leaves out the"
                        + " rest of the vocabulary");
        if (plan.untokenized() > 0) {
            notes.add(plan.untokenized()
                    + " prompts without log-probabilities: their likelihood was not compared");
        }
        if (unanswered > 0) {
            notes.add(unanswered + " positions without alternatives from an arm");
        }
        long floored = differences.stream().filter(d -> d.candidateFloored() || d.baselineFloored()).count();
        if (floored > 0) {
            notes.add(floored
                    + " positions at which the token lay outside an arm's alternatives: an upper bound of its"
                    + " log-probability stands for it");
        }
        return notes;
    }
}
