package dev.assay.stats;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a set of interval forecasts fared.
 *
 * @param forecasts how many were scored
 * @param inside of them, observations inside the interval
 * @param coverage their share
 * @param coverageInterval Clopper and Pearson's interval of the share at 95 %, as if the forecasts were independent
 * @param overconfidence exact one-sided p value of so few inside if the intervals held what their (lowest) level says
 * @param bias mean of log(observed/forecast)
 * @param biasInterval Student's interval of it at 95 %; absent for a single value
 * @param score mean interval score of the logarithms (Gneiting and Raftery 2007, formula 43)
 * @param skill 1 - score / score of "no change" with the same width; absent where that score is 0
 * @param pointSkill 1 - mean |log(observed/forecast)| / mean |log(observed)|; absent where nothing changed
 * @param medianError median of |forecast/observed - 1|
 */
public record ForecastScore(int forecasts, int inside, double coverage, Interval coverageInterval,
        double overconfidence, double bias, Optional<Interval> biasInterval, double score,
        OptionalDouble skill,
        OptionalDouble pointSkill, double medianError) {
    private static final double LEVEL = 0.95;

    /** The score of at least one forecast; the bias interval takes each forecast as one value. */
    public static ForecastScore of(List<RatioForecast> forecasts) {
        return of(List.of(forecasts), forecasts);
    }

    /**
     * The score of groups of forecasts that share their causes, such as those of one review. With {@value #FEWEST_GROUPS}
     * groups or more the bias is the mean of the groups' means and its interval is over groups.
     */
    public static ForecastScore ofGroups(List<List<RatioForecast>> groups) {
        return of(groups, groups.stream().flatMap(List::stream).toList());
    }

    /** From this many groups on, a group is the unit of replication. */
    public static final int FEWEST_GROUPS = 3;

    private static ForecastScore of(List<List<RatioForecast>> groups, List<RatioForecast> all) {
        Levels.requireAtLeast("forecasts", all.size(), 1);
        int inside = (int) all.stream().filter(RatioForecast::inside).count();
        double[] errors = groups.size() >= FEWEST_GROUPS
                ? groups.stream().mapToDouble(ForecastScore::meanLogError).toArray()
                : all.stream().mapToDouble(RatioForecast::logError).toArray();
        MeanEstimate bias = MeanEstimate.of(errors, LEVEL);
        double score = mean(all.stream().mapToDouble(RatioForecast::score).toArray());
        return new ForecastScore(all.size(), inside, (double) inside / all.size(),
                Proportion.clopperPearson(inside, all.size(), LEVEL),
                Proportion.testLess(inside, all.size(),
                        all.stream().mapToDouble(RatioForecast::level).min().orElseThrow()),
                bias.mean(), bias.interval(), score,
                skill(score, mean(all.stream().mapToDouble(RatioForecast::noChangeScore).toArray())),
                skill(mean(all.stream().mapToDouble(f -> Math.abs(f.logError())).toArray()),
                        mean(all.stream().mapToDouble(RatioForecast::noChangeLogError).toArray())),
                Quantiles.type7(all.stream().mapToDouble(RatioForecast::relativeError).toArray(), 0.5));
    }

    private static double meanLogError(List<RatioForecast> group) {
        return mean(group.stream().mapToDouble(RatioForecast::logError).toArray());
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double v : values) {
            sum += v;
        }
        return sum / values.length;
    }

    private static OptionalDouble skill(double score, double reference) {
        return reference > 0 ? OptionalDouble.of(1 - score / reference) : OptionalDouble.empty();
    }
}
