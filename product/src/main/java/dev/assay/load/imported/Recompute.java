package dev.assay.load.imported;

import dev.assay.workload.Percentiles;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** Metrics computed here from the single requests of a file, so that results of different tools share a formula. */
final class Recompute {
    private static final double[] PERCENTS = {50, 90, 95, 99, 99.9};
    private static final double MOST_COMMON_PERCENT = 99;
    private static final int ENOUGH_FOR_RARE = 1000;

    private Recompute() {}

    /** Mean and percentiles of each formula that the requests support; failed requests give no latency. */
    static Map<Measure.Key, Double> of(List<ImportedRequest> requests, Set<Formula> formulas) {
        List<ImportedRequest> good = requests.stream().filter(ImportedRequest::completed).toList();
        Map<Measure.Key, Double> values = new LinkedHashMap<>();
        for (Formula formula : Formula.values()) {
            if (formulas.contains(formula)) {
                spread(formula, sample(formula, good), values);
            }
        }
        return values;
    }

    private static double[] sample(Formula formula, List<ImportedRequest> good) {
        return switch (formula.family()) {
            case TTFT -> formula == Formula.TTFT_CONTENT_SCHEDULED
                    ? each(good, r -> plus(r.scheduledToSentMs(), r.ttftMs()))
                    : each(good, ImportedRequest::ttftMs);
            case TPOT -> each(good, ImportedRequest::tpotMs);
            case NTPOT -> each(good, r -> r.lastMs().isEmpty() || r.outputTokens().orElse(0) < 1
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(r.lastMs().getAsDouble() / r.outputTokens().getAsInt()));
            case ITL -> good.stream().flatMapToDouble(r -> DoubleStream.of(r.gapsMs())).toArray();
            case E2E -> formula == Formula.E2E_CONTENT_SCHEDULED
                    ? each(good, r -> plus(r.scheduledToSentMs(), r.lastMs()))
                    : each(good, ImportedRequest::lastMs);
            case REQUEST_RATE, OUTPUT_RATE, GOODPUT, GOOD_SHARE -> new double[0];
        };
    }

    private static double[] each(List<ImportedRequest> requests,
            Function<ImportedRequest, OptionalDouble> value) {
        return requests.stream().map(value).flatMapToDouble(OptionalDouble::stream).toArray();
    }

    private static OptionalDouble plus(OptionalDouble a, OptionalDouble b) {
        return a.isEmpty() || b.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(a.getAsDouble() + b.getAsDouble());
    }

    private static void spread(Formula formula, double[] sample, Map<Measure.Key, Double> values) {
        if (sample.length == 0) {
            return;
        }
        Arrays.sort(sample);
        values.put(new Measure.Key(formula, Statistic.MEAN, QuantileRule.NONE),
                Arrays.stream(sample).average().orElseThrow());
        for (double percent : PERCENTS) {
            if (percent > MOST_COMMON_PERCENT && sample.length < ENOUGH_FOR_RARE) {
                continue;
            }
            values.put(new Measure.Key(formula, Statistic.p(percent), QuantileRule.LINEAR),
                    Percentiles.ofSorted(sample, percent / 100));
        }
    }
}
