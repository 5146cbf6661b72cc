package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Results of SGLang's {@code bench_serving}: one object a line, appended. It counts no failures and no times of day; a
 * TTFT of 0 means that it was not measured.
 */
final class SglangFormat implements JsonFormat {
    private static final Formula[] RECOMPUTED = {Formula.TTFT_CONTENT_CONNECT, Formula.ITL_CHUNKS};

    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "backend", "dataset_name", "mean_e2e_latency_ms", "completed");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        List<ImportedRun> runs = new ArrayList<>();
        Optional<JsonValue> more = rest.next();
        runs.add(run(Fields.of(first), more.isPresent() ? source + "#1" : source));
        while (more.isPresent()) {
            if (!accepts(more.get())) {
                throw Fields.wrong("dataset_name", more.get(), "another result of SGLang's bench_serving");
            }
            runs.add(run(Fields.of(more.get()), source + "#" + (runs.size() + 1)));
            more = rest.next();
        }
        return runs;
    }

    private static ImportedRun run(Fields f, String source) {
        String backend = f.text("backend").orElse("");
        Optional<String> rate = f.text("request_rate").map(VllmFormat::rate);
        RunBuilder run = new RunBuilder(Tool.SGLANG, source)
                .fact(Fact.ENDPOINT, Optional.of(VllmFormat.endpoint(backend)))
                .fact(Fact.DATASET, f.text("dataset_name").map(d -> dataset(f, d)))
                .fact(Fact.RATE, rate.filter(r -> !r.equals("trace")))
                .fact(Fact.ARRIVALS, rate.map(SglangFormat::arrivals))
                .fact(Fact.CONCURRENCY, f.text("max_concurrency"))
                .counts(OptionalLong.empty(), f.count("completed"), OptionalLong.empty())
                .duration(f.number("duration"))
                .meanTokens(Fact.MEAN_INPUT_TOKENS, f.number("total_input_tokens"), f.count("completed"))
                .meanTokens(Fact.MEAN_OUTPUT_TOKENS, f.number("total_output_tokens"), f.count("completed"))
                .whole(Formula.REQUESTS_OVER_WINDOW, f.number("request_throughput"))
                .whole(Formula.OUTPUT_OVER_WINDOW, f.number("output_throughput"))
                .note("SGLang opens a connection for each request: TTFT holds its set-up");
        ServeKeys.latency(run, f, "ttft", Formula.TTFT_CONTENT_CONNECT);
        if (unmeasured(f)) {
            run.note("a TTFT is 0 (not measured), so TPOT holds a prefill: TPOT is left out");
        } else {
            ServeKeys.latency(run, f, "tpot", Formula.TPOT_STREAM_END);
        }
        ServeKeys.latency(run, f, "itl",
                backend.equals("sglang") || backend.equals("sglang-native")
                        ? Formula.ITL_CHUNK_OVER_TOKENS
                        : Formula.ITL_CHUNKS);
        ServeKeys.latency(run, f, "e2e_latency", Formula.E2E_STREAM_SENT);
        double[] ttfts = f.numbers("ttfts");
        if (ttfts.length > 0) {
            run.requests(VllmFormat.requests(f, ttfts),
                    backend.startsWith("sglang-oai") || !backend.startsWith("sglang")
                            ? RECOMPUTED
                            : new Formula[]{Formula.TTFT_CONTENT_CONNECT});
        }
        return run.build();
    }

    private static boolean unmeasured(Fields f) {
        OptionalDouble ttft = f.number("mean_ttft_ms");
        return ttft.isPresent() && ttft.getAsDouble() == 0
                || Arrays.stream(f.numbers("ttfts")).anyMatch(t -> t == 0);
    }

    private static String arrivals(String rate) {
        return rate.equals("inf") ? "all at once" : rate.equals("trace") ? "trace" : "poisson";
    }

    private static String dataset(Fields f, String name) {
        return name.startsWith("random")
                ? name + " " + f.text("random_input_len").orElse("?") + "/"
                        + f.text("random_output_len").orElse("?")
                        + " x" + f.text("random_range_ratio").orElse("?")
                : name;
    }
}
