package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * {@code stage_N_lifecycle_metrics.json} and {@code summary_lifecycle_metrics.json} of inference-perf. All times are in
 * seconds; percentiles are named {@code median}, {@code p90}, {@code p99.9}.
 */
final class InferencePerfFormat implements JsonFormat {
    private static final double[] PERCENTS = {90, 95, 99, 99.9};

    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "load_summary", "successes", "failures");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "inference-perf");
        Fields f = Fields.of(first);
        Fields load = f.child("load_summary");
        Fields ok = f.child("successes");
        boolean stage = load.number("requested_rate").isPresent() || load.number("concurrency").isPresent();
        RunBuilder run = new RunBuilder(Tool.INFERENCE_PERF, source)
                .part(stage ? ImportedRun.Part.SUMMARY : ImportedRun.Part.COPY)
                .fact(Fact.RATE,
                        load.text("requested_rate").filter(r -> load.number("concurrency").isEmpty()))
                .fact(Fact.CONCURRENCY, load.text("concurrency"))
                .fact(Fact.REQUESTS, load.text("count"))
                .fact(Fact.MEAN_INPUT_TOKENS, mean(ok.child("prompt_tokens")))
                .fact(Fact.MEAN_OUTPUT_TOKENS, output(ok))
                .counts(load.count("count"), ok.count("count"), f.child("failures").count("count"))
                .duration(f.number("benchmark_time_seconds"))
                .whole(Formula.REQUESTS_OVER_WINDOW, ok.child("throughput").number("requests_per_sec"));
        OptionalDouble tokens = ok.child("output_tokens").number("total");
        if (tokens.isPresent()) {
            run.perSecond(Formula.OUTPUT_OVER_WINDOW, tokens);
        }
        Fields latency = ok.child("latency");
        latency(run, latency, "time_to_first_token", Formula.TTFT_CONTENT_SENT);
        latency(run, latency, "time_per_output_token", Formula.TPOT_CONTENT);
        latency(run, latency, "normalized_time_per_output_token", Formula.NTPOT_PROCESS);
        latency(run, latency, "inter_token_latency", Formula.ITL_ZERO_GAPS);
        latency(run, latency, "request_latency", Formula.E2E_PROCESS_SENT);
        Fields goodput = ok.child("goodput_metrics");
        run.whole(Formula.GOOD_OF_COMPLETED,
                RunBuilder.scaled(goodput.number("goodput_percentage"), 0.01));
        if (!stage) {
            run.note("a summary over all stages: no single load point");
        }
        return List.of(run.build());
    }

    private static Optional<String> output(Fields ok) {
        Optional<String> tokens = mean(ok.child("output_tokens"));
        return tokens.isPresent() ? tokens : mean(ok.child("output_len"));
    }

    private static Optional<String> mean(Fields spread) {
        return AiperfFormat.rounded(spread.number("mean"));
    }

    private static void latency(RunBuilder run, Fields latency, String name, Formula formula) {
        Fields spread = latency.child(name);
        run.mean(formula, RunBuilder.seconds(spread.number("mean")));
        OptionalDouble median = spread.number("median");
        run.percentile(formula, 50, QuantileRule.LINEAR,
                RunBuilder.seconds(median.isPresent() ? median : spread.number("p50")));
        for (double percent : PERCENTS) {
            run.percentile(formula, percent, QuantileRule.LINEAR,
                    RunBuilder.seconds(spread.number("p" + Fields.plain(percent))));
        }
    }
}
