package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Benchmark reports of llm-d, schema 0.2 and 0.2.1, as JSON or YAML: another tool's result under common names. The
 * names do not say the formula, so it is taken from the tool that the report names; else it stays unstated.
 */
final class LlmdFormat implements JsonFormat {
    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "version", "run", "results")
                && Fields.of(first).object().get("results")
                        .filter(r -> Fields.has(r, "request_performance"))
                        .isPresent();
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "llm-d benchmark report");
        return List.of(run(first, source));
    }

    static ImportedRun run(JsonValue document, String source) {
        Fields f = Fields.of(document);
        String schema = f.text("version").orElse("");
        if (!schema.startsWith("0.2")) {
            throw AssayException.misuse(document.at() + ": field 'version' is '" + schema
                    + "'; expected an llm-d benchmark report of version 0.2 or 0.2.1");
        }
        Fields load = f.at("scenario", "load", "standardized");
        Fields aggregate = f.at("results", "request_performance", "aggregate");
        Fields requests = aggregate.child("requests");
        String tool = load.text("tool").orElse("");
        OptionalLong total = requests.count("total");
        OptionalLong failed = requests.count("failures");
        RunBuilder run = new RunBuilder(Tool.LLM_D, source).version(Optional.of(schema))
                .whenIso(f.at("run", "time").text("start").or(() -> f.at("run", "time").text("end")))
                .fact(Fact.MODEL, model(f)).fact(Fact.RATE, finite(load.text("rate_qps")))
                .fact(Fact.CONCURRENCY, finite(load.text("concurrency")))
                .fact(Fact.DATASET, load.text("source"))
                .fact(Fact.REQUESTS, requests.text("total"))
                .fact(Fact.MEAN_INPUT_TOKENS,
                        AiperfFormat.rounded(requests.child("input_length").number("mean")))
                .fact(Fact.MEAN_OUTPUT_TOKENS,
                        AiperfFormat.rounded(requests.child("output_length").number("mean")))
                .counts(total.isPresent() && failed.isPresent()
                        ? OptionalLong.of(total.getAsLong() - failed.getAsLong()
                                - requests.count("incomplete").orElse(0))
                        : OptionalLong.empty(), failed);
        Fields latency = aggregate.child("latency");
        latency(run, latency, "time_to_first_token", formula(tool, Family.TTFT), tool);
        latency(run, latency, "time_per_output_token", formula(tool, Family.TPOT), tool);
        latency(run, latency, "normalized_time_per_output_token", formula(tool, Family.NTPOT), tool);
        latency(run, latency, "inter_token_latency", formula(tool, Family.ITL), tool);
        latency(run, latency, "request_latency", formula(tool, Family.E2E), tool);
        Fields throughput = aggregate.child("throughput");
        run.whole(formula(tool, Family.REQUEST_RATE), throughput.child("request_rate").number("mean"))
                .whole(formula(tool, Family.OUTPUT_RATE),
                        throughput.child("output_token_rate").number("mean"))
                .note(tool.isEmpty()
                        ? "the report does not name its load generator: formulas are not known"
                        : "formulas are those of " + tool + ", which the report names as its load generator");
        return run.build();
    }

    /** The formula behind a common name, by the tool that computed it. */
    private static Formula formula(String tool, Family family) {
        Map<Family, Formula> known = switch (tool.toLowerCase(Locale.ROOT)) {
            case "vllm-benchmark" -> Map.of(Family.TTFT, Formula.TTFT_VLLM_UNSTATED, Family.TPOT,
                    Formula.TPOT_CHOICES, Family.ITL, Formula.ITL_CHUNKS, Family.E2E,
                    Formula.E2E_CHOICES_SENT,
                    Family.REQUEST_RATE, Formula.REQUESTS_OVER_WINDOW, Family.OUTPUT_RATE,
                    Formula.OUTPUT_OVER_WINDOW);
            // What GuideLLM calls TPOT holds the first token's wait, and what it calls ITL is a TPOT.
            case "guidellm" -> Map.of(Family.TTFT, Formula.TTFT_CONTENT_SENT, Family.TPOT,
                    Formula.NTPOT_CONTENT_WEIGHTED, Family.ITL, Formula.TPOT_TOKEN_WEIGHTED, Family.E2E,
                    Formula.E2E_SOCKET_SENT);
            case "inference-perf" -> Map.of(Family.TTFT, Formula.TTFT_CONTENT_SENT, Family.TPOT,
                    Formula.TPOT_CONTENT, Family.NTPOT, Formula.NTPOT_PROCESS, Family.ITL,
                    Formula.ITL_ZERO_GAPS,
                    Family.E2E, Formula.E2E_PROCESS_SENT, Family.REQUEST_RATE, Formula.REQUESTS_OVER_WINDOW);
            case "aiperf" ->
                Map.of(Family.TTFT, Formula.TTFT_CONTENT_SENT, Family.E2E, Formula.E2E_CONTENT_SENT);
            default -> Map.of();
        };
        return known.getOrDefault(family, unstated(family));
    }

    private static Formula unstated(Family family) {
        return switch (family) {
            case TTFT -> Formula.TTFT_UNSTATED;
            case TPOT -> Formula.TPOT_UNSTATED;
            case NTPOT -> Formula.NTPOT_UNSTATED;
            case ITL -> Formula.ITL_UNSTATED;
            case E2E -> Formula.E2E_UNSTATED;
            case REQUEST_RATE -> Formula.REQUESTS_UNSTATED;
            case OUTPUT_RATE -> Formula.OUTPUT_UNSTATED;
            case GOODPUT -> Formula.GOOD_PER_SECOND;
            case GOOD_SHARE -> Formula.GOOD_OF_ATTEMPTED;
        };
    }

    private static void latency(RunBuilder run, Fields latency, String name, Formula formula, String tool) {
        Fields spread = latency.child(name);
        if (spread.isEmpty()) {
            return;
        }
        double factor = factor(spread, name);
        QuantileRule rule = switch (tool.toLowerCase(Locale.ROOT)) {
            case "vllm-benchmark", "inference-perf", "aiperf" -> QuantileRule.LINEAR;
            default -> QuantileRule.UNSTATED;
        };
        run.mean(formula, RunBuilder.scaled(spread.number("mean"), factor));
        for (double percent : new double[]{50, 90, 95, 99}) {
            run.percentile(formula, percent, rule,
                    RunBuilder.scaled(spread.number("p" + Fields.plain(percent)), factor));
        }
        run.percentile(formula, 99.9, rule, RunBuilder.scaled(spread.number("p99p9"), factor));
    }

    private static double factor(Fields spread, String name) {
        String unit = spread.text("units").orElse("");
        return switch (unit) {
            case "ms", "ms/token" -> 1;
            case "s", "s/token" -> 1000;
            default -> throw AssayException.misuse(spread.object().at() + ": field '" + name
                    + "': expected units of ms, s, ms/token or s/token, found '" + unit + "'");
        };
    }

    private static Optional<String> finite(Optional<String> number) {
        return number.map(n -> n.toLowerCase(Locale.ROOT).contains("inf") ? "inf" : n);
    }

    private static Optional<String> model(Fields f) {
        return f.child("scenario").list("stack").stream().filter(c -> c instanceof JsonValue.Obj)
                .map(c -> Fields.of(c).child("standardized").object())
                .filter(s -> new Fields(s).text("kind").orElse("").equals("inference_engine"))
                .findFirst().flatMap(s -> new Fields(s).child("model").text("name"));
    }
}
