package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** {@code profile_export_aiperf.json} of AIPerf, schema 1.x: objects of statistics by metric, and the configuration. */
final class AiperfFormat implements JsonFormat {
    private static final double[] PERCENTS = {50, 90, 95, 99};

    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "schema_version", "input_config")
                && (Fields.has(first, "request_count") || Fields.has(first, "request_latency")
                        || Fields.has(first, "error_summary"));
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "AIPerf");
        Fields f = Fields.of(first);
        RunBuilder run = new RunBuilder(Tool.AIPERF, source).part(ImportedRun.Part.SUMMARY)
                .version(f.text("aiperf_version")).whenIso(f.text("start_time"));
        configuration(run, f.child("input_config"));
        run.fact(Fact.SEED, f.child("run_info").text("random_seed"));
        // "completed" counts failed requests too, "request_count" those that succeeded.
        OptionalLong ended = f.child("completed_request_count").count("avg");
        OptionalLong good = f.child("request_count").count("avg");
        run.counts(good, ended.isPresent() && good.isPresent() && ended.getAsLong() >= good.getAsLong()
                ? OptionalLong.of(ended.getAsLong() - good.getAsLong())
                : f.child("error_request_count").count("avg"))
                .duration(seconds(f.child("benchmark_duration")))
                .fact(Fact.MEAN_INPUT_TOKENS, rounded(f.child("input_sequence_length").number("avg")))
                .fact(Fact.MEAN_OUTPUT_TOKENS, rounded(f.child("output_sequence_length").number("avg")))
                .whole(Formula.REQUESTS_OVER_WINDOW, f.child("request_throughput").number("avg"))
                .whole(Formula.OUTPUT_OVER_WINDOW, f.child("output_token_throughput").number("avg"))
                .whole(Formula.GOOD_PER_SECOND, f.child("goodput").number("avg"))
                .whole(Formula.GOOD_OF_ATTEMPTED, f.child("good_request_fraction").number("avg"));
        // AIPerf divides by a window that ends after its own benchmark_duration.
        run.perSecond(Formula.REQUESTS_OVER_WINDOW, good)
                .perSecond(Formula.OUTPUT_OVER_WINDOW, f.child("total_output_tokens").number("avg"))
                .perSecond(Formula.GOOD_PER_SECOND, f.child("good_request_count").number("avg"));
        latency(run, f, "time_to_first_token", Formula.TTFT_CONTENT_SENT);
        latency(run, f, "inter_token_latency", Formula.TPOT_CONTENT);
        latency(run, f, "inter_chunk_latency", Formula.ITL_CHUNKS);
        latency(run, f, "request_latency", Formula.E2E_CONTENT_SENT);
        latency(run, f, "effective_latency", Formula.E2E_CONTENT_CREDIT);
        run.note(
                "AIPerf's \"inter_token_latency\" is a TPOT and is named so; a reply in one chunk counts as 0"
                        + " in it");
        if (f.text("was_cancelled").filter(c -> c.equals("true")).isPresent()) {
            run.invalid("AIPerf: the run was cancelled");
        }
        for (JsonValue reason : f.list("runtime_submission_invalid_reasons")) {
            run.invalid("AIPerf: " + (reason instanceof JsonValue.Str s ? s.value() : "invalid"));
        }
        return List.of(run.build());
    }

    private static void configuration(RunBuilder run, Fields config) {
        config.child("models").list("items").stream().findFirst().filter(m -> m instanceof JsonValue.Obj)
                .ifPresent(m -> run.fact(Fact.MODEL, Fields.of(m).text("name")));
        run.fact(Fact.ENDPOINT, config.child("endpoint").text("type"))
                .fact(Fact.TOKENIZER, config.child("tokenizer").text("name"));
        Fields slos = config.child("slos");
        if (!slos.isEmpty()) {
            run.fact(Fact.SLO, Optional.of(String.join(", ", slos.object().fields().keySet().stream().sorted()
                    .map(name -> name + " " + slos.text(name).orElse("?")).toList())));
        }
        List<JsonValue> phases = config.list("phases").stream()
                .filter(p -> p instanceof JsonValue.Obj o
                        && !new Fields(o).text("kind").orElse("").equals("warmup"))
                .toList();
        if (phases.size() == 1) {
            Fields phase = Fields.of(phases.getFirst());
            run.fact(Fact.ARRIVALS, phase.text("type")).fact(Fact.RATE, phase.text("rate"))
                    .fact(Fact.CONCURRENCY, phase.text("concurrency"))
                    .fact(Fact.REQUESTS, phase.text("requests"));
        } else if (phases.size() > 1) {
            run.note(phases.size() + " load phases in one result: no single load point");
        }
    }

    private static void latency(RunBuilder run, Fields f, String name, Formula formula) {
        Fields metric = f.child(name);
        double factor = metric.isEmpty() ? 1 : millis(metric, name);
        run.mean(formula, RunBuilder.scaled(metric.number("avg"), factor));
        for (double percent : PERCENTS) {
            run.percentile(formula, percent, QuantileRule.LINEAR,
                    RunBuilder.scaled(metric.number("p" + Fields.plain(percent)), factor));
        }
    }

    /** Milliseconds in the unit of a metric object. */
    static double millis(Fields metric, String name) {
        String unit = metric.text("unit").orElse("ms");
        return switch (unit) {
            case "ms" -> 1;
            case "s", "sec", "seconds" -> 1000;
            case "us" -> 1e-3;
            case "ns" -> 1e-6;
            default -> throw AssayException.misuse(metric.object().at() + ": field '" + name
                    + "': expected a unit of time, found '" + unit + "'");
        };
    }

    private static OptionalDouble seconds(Fields metric) {
        return metric.isEmpty()
                ? OptionalDouble.empty()
                : RunBuilder.scaled(metric.number("avg"), millis(metric, "benchmark_duration") / 1000);
    }

    static Optional<String> rounded(OptionalDouble mean) {
        return mean.isEmpty() || mean.getAsDouble() <= 0
                ? Optional.empty()
                : Optional.of(RunBuilder.tokens(mean.getAsDouble()));
    }
}
