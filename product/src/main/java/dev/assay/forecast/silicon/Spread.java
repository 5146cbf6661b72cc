package dev.assay.forecast.silicon;

import dev.assay.stats.Quantiles;
import java.util.List;
import java.util.Optional;

/**
 * A figure over the splits.
 *
 * @param middle the median, or the mean where that is said
 * @param lowest of any split
 * @param highest of any split
 */
public record Spread(double middle, double lowest, double highest) {
    /** The median over splits of each split's quantile; absent where no split has a value. */
    static Optional<Spread> ofQuantiles(List<List<Double>> splits, double p) {
        double[] each = splits.stream().filter(s -> !s.isEmpty())
                .mapToDouble(s -> Quantiles.type7(array(s), p)).toArray();
        return each.length == 0
                ? Optional.empty()
                : Optional.of(new Spread(Quantiles.type7(each, 0.5), Quantiles.type7(each, 0),
                        Quantiles.type7(each, 1)));
    }

    /** The mean over splits. */
    static Spread ofMeans(double[] each) {
        double sum = 0;
        for (double v : each) {
            sum += v;
        }
        return new Spread(sum / each.length, Quantiles.type7(each, 0), Quantiles.type7(each, 1));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
