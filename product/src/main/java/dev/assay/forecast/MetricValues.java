package dev.assay.forecast;

import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary;
import dev.assay.workload.Slo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** One slot's metrics by name, from outcomes that were measured or replayed: the same code for both. */
final class MetricValues {
    private MetricValues() {}

    /** The metrics that the client sees; what is undefined is absent. */
    static Map<String, Double> client(List<RequestOutcome> outcomes, Slo slo) {
        return client(Metrics.summarize(outcomes, slo, Metrics.windowNanos(outcomes), List.of()));
    }

    /** The same of a run that was summed up already. */
    static Map<String, Double> client(RunSummary s) {
        Map<String, Double> values = new LinkedHashMap<>();
        put(values, MetricNames.TTFT_P50, s.ttftMs(), RunSummary.Spread::p50);
        put(values, MetricNames.TTFT_P95, s.ttftMs(), RunSummary.Spread::p95);
        put(values, MetricNames.TPOT_P50, s.tpotMs(), RunSummary.Spread::p50);
        put(values, MetricNames.TPOT_P95, s.tpotMs(), RunSummary.Spread::p95);
        put(values, MetricNames.E2E_P50, s.e2eMs(), RunSummary.Spread::p50);
        values.put(MetricNames.OUTPUT_TOKENS_PER_S, s.throughput().outputTokensPerS());
        s.goodputRps().ifPresent(v -> values.put(MetricNames.GOODPUT, v));
        s.goodFraction().ifPresent(v -> values.put(MetricNames.GOOD_FRACTION, v));
        return values;
    }

    /** All metrics of a replay. */
    static Map<String, Double> of(TwinRun run, Slo slo) {
        Map<String, Double> values = client(run.outcomes(), slo);
        values.putAll(server(run.telemetry()));
        values.put(MetricNames.FLOPS, run.flopsPerStep());
        values.put(MetricNames.KV_PAGES_PEAK, (double) run.pagesPeak());
        return values;
    }

    /** The metrics that a server's telemetry gives; their names are the telemetry's. */
    static Map<String, Double> server(Map<String, Double> telemetry) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (String name : List.of(MetricNames.DECODE_ROWS, MetricNames.TOKENS, MetricNames.ITL_MEAN,
                MetricNames.STEP_TIME, MetricNames.WEIGHT_BYTES, MetricNames.KV_BYTES,
                MetricNames.RESIDENT_WEIGHT_BYTES, MetricNames.KV_USAGE_PEAK)) {
            Double value = telemetry.get(name);
            if (value != null) {
                values.put(name, value);
            }
        }
        return values;
    }

    private static void put(Map<String, Double> values, String name, Optional<RunSummary.Spread> spread,
            ToDoubleFunction<RunSummary.Spread> percentile) {
        spread.ifPresent(s -> values.put(name, percentile.applyAsDouble(s)));
    }
}
