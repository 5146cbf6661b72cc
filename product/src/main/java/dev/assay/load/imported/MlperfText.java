package dev.assay.load.imported;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MLPerf LoadGen's {@code mlperf_log_summary.txt} ({@code key : value} lines) and {@code mlperf_log_detail.txt}
 * ({@code :::MLLOG} lines). Latencies are nanoseconds from the scheduled time; percentiles are the order statistic at
 * floor(n q). The label of the TPOT changed from "Time to Output Token" to "Time per Output Token".
 */
final class MlperfText {
    static final String SUMMARY = "MLPerf Results Summary";
    static final String DETAIL = ":::MLLOG";
    private static final double MS = 1e-6;
    private static final Pattern PERCENTILE = Pattern
            .compile(
                    "(\\d{1,2}\\.\\d{2}) percentile (latency|first token latency|time (?:per|to) output token) \\(ns\\)");
    private static final Pattern DETAIL_PERCENTILE = Pattern
            .compile(
                    "result_(first_token_|time_per_output_token_|)(\\d{1,2}\\.\\d{2})_percentile(_latency)?_ns");

    private MlperfText() {}

    static ImportedRun summary(String text, String source) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String label = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
                String old = rows.put(label, line.substring(colon + 1).strip());
                if (old != null && !label.startsWith("*")) {
                    throw AssayException.misuse(source + ": row '" + label
                            + "' stands twice; expected one LoadGen summary in a file");
                }
            }
        }
        Rows r = new Rows(rows, source);
        RunBuilder run = new RunBuilder(Tool.LOADGEN, source).part(ImportedRun.Part.COPY)
                .fact(Fact.ARRIVALS, r.text("scenario").map(MlperfText::scenario))
                .fact(Fact.SERVER, r.text("sut name"))
                .fact(Fact.RATE, r.text("target_qps").map(MlperfText::plain))
                .fact(Fact.SEED, r.text("schedule_rng_seed"));
        OptionalDouble completed = r.number("completed samples per second");
        run.whole(Formula.REQUESTS_LOADGEN,
                completed.isPresent() ? completed : r.number("samples per second"));
        OptionalDouble tokens = r.number("completed tokens per second");
        run.whole(Formula.OUTPUT_LOADGEN, tokens.isPresent() ? tokens : r.number("tokens per second"));
        run.mean(Formula.E2E_SUT_SCHEDULED, r.nanos("mean latency (ns)"))
                .mean(Formula.TTFT_SUT_SCHEDULED, r.nanos("mean first token latency (ns)"));
        OptionalDouble tpot = r.nanos("mean time per output token (ns)");
        run.mean(Formula.TPOT_SUT, tpot.isPresent() ? tpot : r.nanos("mean time to output token (ns)"));
        for (String label : rows.keySet()) {
            Matcher m = PERCENTILE.matcher(label);
            if (m.matches() && Double.parseDouble(m.group(1)) > 0) {
                run.percentile(formula(m.group(2)), Double.parseDouble(m.group(1)), QuantileRule.FLOOR,
                        r.nanos(label));
            }
        }
        validity(run, r.text("result is").orElse(""), source);
        for (String check : List.of("performance constraints satisfied", "min duration satisfied",
                "min queries satisfied", "early stopping satisfied")) {
            r.text(check).filter(v -> v.equalsIgnoreCase("no"))
                    .ifPresent(v -> run.note("LoadGen: " + check + ": NO"));
        }
        return finish(run);
    }

    static ImportedRun detail(String text, String source) {
        Map<String, JsonValue> keys = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            int at = line.indexOf(DETAIL);
            if (at >= 0) {
                Fields f = Fields
                        .of(Json.parse(line.substring(at + DETAIL.length()), source + " line " + number));
                f.object().get("value").ifPresent(v -> f.text("key").ifPresent(k -> keys.put(k, v)));
            }
        }
        Fields f = new Fields(JsonValue.Obj.of(keys));
        RunBuilder run = new RunBuilder(Tool.LOADGEN, source).part(ImportedRun.Part.SUMMARY)
                .fact(Fact.ARRIVALS, f.text("effective_scenario").map(MlperfText::scenario))
                .fact(Fact.RATE, f.text("effective_target_qps"))
                .fact(Fact.SEED, f.text("effective_schedule_rng_seed"))
                .fact(Fact.REQUESTS, f.text("result_query_count"))
                .counts(f.count("result_query_count"), f.count("result_query_count"), OptionalLong.empty())
                .mean(Formula.E2E_SUT_SCHEDULED, RunBuilder.scaled(f.number("result_mean_latency_ns"), MS))
                .mean(Formula.TTFT_SUT_SCHEDULED,
                        RunBuilder.scaled(f.number("result_first_token_mean_latency_ns"), MS))
                .mean(Formula.TPOT_SUT, RunBuilder.scaled(f.number("result_time_to_output_token_mean"), MS));
        OptionalDouble samples = f.number("result_completed_samples_per_sec");
        run.whole(Formula.REQUESTS_LOADGEN,
                samples.isPresent() ? samples : f.number("result_samples_per_second"));
        OptionalDouble tokens = f.number("result_completed_tokens_per_second");
        run.whole(Formula.OUTPUT_LOADGEN, tokens.isPresent() ? tokens : f.number("result_tokens_per_second"));
        for (String key : keys.keySet()) {
            Matcher m = DETAIL_PERCENTILE.matcher(key);
            if (m.matches() && Double.parseDouble(m.group(2)) > 0) {
                Formula formula = switch (m.group(1)) {
                    case "first_token_" -> Formula.TTFT_SUT_SCHEDULED;
                    case "time_per_output_token_" -> Formula.TPOT_SUT;
                    default -> Formula.E2E_SUT_SCHEDULED;
                };
                run.percentile(formula, Double.parseDouble(m.group(2)), QuantileRule.FLOOR,
                        RunBuilder.scaled(f.number(key), MS));
            }
        }
        validity(run, f.text("result_validity").orElse(""), source);
        return finish(run);
    }

    private static ImportedRun finish(RunBuilder run) {
        return run.note("LoadGen trusts the system under test for the moments of its tokens").build();
    }

    private static void validity(RunBuilder run, String result, String source) {
        if (result.isEmpty()) {
            throw AssayException.misuse(source
                    + ": the run's result (VALID or INVALID) is missing; the log is cut off or of another kind");
        }
        if (!result.equals("VALID")) {
            run.invalid("LoadGen: result is " + result.replaceAll("\\p{Cntrl}", "?"));
        }
    }

    private static Formula formula(String name) {
        return switch (name) {
            case "latency" -> Formula.E2E_SUT_SCHEDULED;
            case "first token latency" -> Formula.TTFT_SUT_SCHEDULED;
            default -> Formula.TPOT_SUT;
        };
    }

    private static String scenario(String name) {
        return name.equals("Server") ? "poisson (LoadGen Server)" : "LoadGen " + name;
    }

    private static String plain(String number) {
        return number.matches("\\d{1,15}(\\.\\d+)?") ? Fields.plain(Double.parseDouble(number)) : number;
    }

    private record Rows(Map<String, String> rows, String source) {
        Optional<String> text(String label) {
            return Optional.ofNullable(rows.get(label)).filter(t -> !t.isEmpty());
        }

        OptionalDouble number(String label) {
            Optional<String> text = text(label);
            if (text.isEmpty() || text.get().equalsIgnoreCase("nan") || text.get().contains("inf")) {
                return OptionalDouble.empty();
            }
            try {
                return OptionalDouble.of(Double.parseDouble(text.get()));
            } catch (NumberFormatException e) {
                throw AssayException.misuse(source + ": row '" + label + "': expected a number, found '"
                        + text.get().replaceAll("\\p{Cntrl}", "?") + "'");
            }
        }

        OptionalDouble nanos(String label) {
            return RunBuilder.scaled(number(label), MS);
        }
    }
}
