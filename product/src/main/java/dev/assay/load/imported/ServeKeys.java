package dev.assay.load.imported;

import java.util.OptionalDouble;

/** The flat key names that vLLM's and SGLang's benchmark share: {@code mean_ttft_ms}, {@code p99_itl_ms}. */
final class ServeKeys {
    private static final double[] PERCENTS = {90, 95, 99, 99.9};

    private ServeKeys() {}

    /** Mean, median and percentiles of one metric; {@code median_} and {@code p50_} are the same number. */
    static void latency(RunBuilder run, Fields fields, String name, Formula formula) {
        run.mean(formula, fields.number("mean_" + name + "_ms"));
        OptionalDouble median = fields.number("median_" + name + "_ms");
        run.percentile(formula, 50, QuantileRule.LINEAR,
                median.isPresent() ? median : fields.number("p50_" + name + "_ms"));
        for (double percent : PERCENTS) {
            run.percentile(formula, percent, QuantileRule.LINEAR,
                    fields.number("p" + Fields.plain(percent) + "_" + name + "_ms"));
        }
    }

    static OptionalDouble at(double[] values, int i) {
        return i < values.length ? OptionalDouble.of(values[i]) : OptionalDouble.empty();
    }

    /** A value in milliseconds that is not zero: zero means unmeasured in these files. */
    static OptionalDouble millis(OptionalDouble seconds) {
        return seconds.isPresent() && seconds.getAsDouble() > 0
                ? OptionalDouble.of(seconds.getAsDouble() * 1000)
                : OptionalDouble.empty();
    }
}
