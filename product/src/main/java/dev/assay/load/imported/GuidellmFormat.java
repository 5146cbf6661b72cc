package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * {@code benchmarks.json} of GuideLLM: version 2 ({@code metadata}, {@code config}) and v0.4 ({@code args}). Each entry
 * of {@code benchmarks} is a run at its own load point. In it {@code p001} is 0.1 % and {@code p01} is 1 %, request
 * latency is in seconds, "time_per_output_token" holds the first token's wait and "inter_token_latency" is a TPOT.
 */
final class GuidellmFormat implements JsonFormat {
    @Override
    public boolean accepts(JsonValue first) {
        return first instanceof JsonValue.Obj o && o.fields().get("benchmarks") instanceof JsonValue.Arr list
                && list.items().stream().allMatch(b -> Fields.has(b, "metrics"));
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "GuideLLM");
        Fields f = Fields.of(first);
        List<JsonValue> benchmarks = f.list("benchmarks");
        List<ImportedRun> runs = new ArrayList<>();
        for (JsonValue benchmark : benchmarks) {
            runs.add(run(f, Fields.of(benchmark),
                    benchmarks.size() == 1 ? source : source + "#" + (runs.size() + 1)));
        }
        return runs;
    }

    private static ImportedRun run(Fields file, Fields b, String source) {
        Fields config = b.child(b.object().get("config").isPresent() ? "config" : "args");
        Fields strategy = config.child("strategy");
        RunBuilder run = new RunBuilder(Tool.GUIDELLM, source)
                .version(file.child("metadata").text("guidellm_version"))
                .whenEpoch(b.number("start_time"))
                .fact(Fact.MODEL, model(file, config))
                .fact(Fact.ENDPOINT, config.child("backend").text("request_format")
                        .or(() -> file.child("args").text("request_type")).map(GuidellmFormat::endpoint))
                .fact(Fact.ARRIVALS, strategy.text("type_"))
                .fact(Fact.RATE, strategy.text("rate"))
                .fact(Fact.CONCURRENCY, closedLoop(strategy))
                .fact(Fact.SEED,
                        strategy.text("random_seed").or(() -> file.child("args").text("random_seed")));
        Fields metrics = b.child("metrics");
        Fields totals = metrics.child("request_totals");
        run.counts(totals.count("successful"), totals.count("errored")).duration(b.number("duration"))
                .fact(Fact.REQUESTS, totals.text("total"))
                .fact(Fact.MEAN_INPUT_TOKENS, mean(metrics, "prompt_token_count"))
                .fact(Fact.MEAN_OUTPUT_TOKENS, mean(metrics, "output_token_count"))
                .perSecond(Formula.REQUESTS_OVER_WINDOW, totals.count("successful"))
                .perSecond(Formula.OUTPUT_OVER_WINDOW,
                        metrics.at("output_token_count", "successful").number("total_sum"));
        latency(run, metrics, "time_to_first_token_ms", Formula.TTFT_CONTENT_SENT, 1,
                QuantileRule.INVERSE_CDF);
        latency(run, metrics, "time_per_output_token_ms", Formula.NTPOT_CONTENT_WEIGHTED, 1,
                QuantileRule.TOKEN_WEIGHTED);
        latency(run, metrics, "inter_token_latency_ms", Formula.TPOT_TOKEN_WEIGHTED, 1,
                QuantileRule.TOKEN_WEIGHTED);
        latency(run, metrics, "request_latency", Formula.E2E_SOCKET_SENT, 1000, QuantileRule.INVERSE_CDF);
        run.note("GuideLLM's \"time_per_output_token\" holds the first token's wait (named NTPOT here), its"
                + " \"inter_token_latency\" is a TPOT");
        run.note("GuideLLM reads the wall clock: a step of it stands in the latencies");
        if (totals.count("incomplete").orElse(0) > 0) {
            run.note(totals.count("incomplete").getAsLong()
                    + " requests were cut off at the end: neither completed nor failed");
        }
        Fields kept = b.child("requests");
        if (!kept.list("successful").isEmpty()
                && kept.list("successful").size() < totals.count("successful").orElse(0)) {
            run.note("the file keeps a sample of " + kept.list("successful").size()
                    + " requests, from which latencies are computed");
        }
        requests(run, kept);
        return run.build();
    }

    private static Optional<String> model(Fields file, Fields config) {
        return config.child("backend").text("model").or(() -> file.child("args").text("model"))
                .or(() -> config.text("model"));
    }

    /** Streams of a closed loop; the cap of an open loop is the tool's own and no load point. */
    private static Optional<String> closedLoop(Fields strategy) {
        String type = strategy.text("type_").orElse("");
        if (type.equals("synchronous")) {
            return Optional.of("1");
        }
        return type.equals("concurrent")
                ? strategy.text("streams").or(() -> strategy.text("max_concurrency"))
                : Optional.empty();
    }

    private static String endpoint(String format) {
        return format.contains("chat") ? "chat" : format.contains("completions") ? "completions" : format;
    }

    private static Optional<String> mean(Fields metrics, String name) {
        return AiperfFormat.rounded(metrics.at(name, "successful").number("mean"));
    }

    private static void latency(RunBuilder run, Fields metrics, String name, Formula formula, double factor,
            QuantileRule rule) {
        Fields successful = metrics.at(name, "successful");
        if (successful.count("count").orElse(1) == 0) {
            return;
        }
        run.mean(formula, RunBuilder.scaled(successful.number("mean"), factor));
        Fields p = successful.child("percentiles");
        run.percentile(formula, 50, rule, RunBuilder.scaled(p.number("p50"), factor))
                .percentile(formula, 90, rule, RunBuilder.scaled(p.number("p90"), factor))
                .percentile(formula, 95, rule, RunBuilder.scaled(p.number("p95"), factor))
                .percentile(formula, 99, rule, RunBuilder.scaled(p.number("p99"), factor))
                .percentile(formula, 99.9, rule, RunBuilder.scaled(p.number("p999"), factor));
    }

    private static void requests(RunBuilder run, Fields groups) {
        List<ImportedRequest> requests = new ArrayList<>();
        for (String group : List.of("successful", "errored", "incomplete")) {
            for (JsonValue r : groups.list(group)) {
                requests.add(request(Fields.of(r), group.equals("successful")));
            }
        }
        if (requests.stream().anyMatch(r -> r.lastMs().isPresent())) {
            run.requests(requests, Formula.TTFT_CONTENT_SCHEDULED, Formula.TTFT_CONTENT_SENT,
                    Formula.TPOT_CONTENT, Formula.NTPOT_CONTENT, Formula.E2E_CONTENT_SCHEDULED,
                    Formula.E2E_CONTENT_SENT);
        }
    }

    private static ImportedRequest request(Fields r, boolean successful) {
        Fields t = r.at("info", "timings");
        OptionalDouble sent = t.number("request_start");
        OptionalDouble first = t.number("first_token_iteration");
        OptionalDouble ttft = first.isPresent() ? first : t.number("first_iteration");
        OptionalDouble last = t.number("last_token_iteration");
        return new ImportedRequest(successful, between(t.number("targeted_start"), sent), between(sent, ttft),
                between(sent, last.isPresent() ? last : t.number("last_iteration")), new double[0],
                count(r, "prompt_tokens"), count(r, "output_tokens"));
    }

    private static OptionalInt count(Fields r, String name) {
        OptionalLong n = r.count(name);
        return n.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) n.getAsLong());
    }

    private static OptionalDouble between(OptionalDouble from, OptionalDouble to) {
        return from.isEmpty() || to.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((to.getAsDouble() - from.getAsDouble()) * 1000);
    }
}
