package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Results of {@code vllm bench serve}: {@code --save-result} (one object), {@code --append-result} (one object after
 * another), {@code --save-detailed} (with parallel arrays in seconds). Keys as of vLLM 0.32.
 */
final class VllmFormat implements JsonFormat {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "backend", "num_prompts", "request_throughput", "completed");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        List<ImportedRun> runs = new ArrayList<>();
        Optional<JsonValue> more = rest.next();
        boolean several = more.isPresent();
        runs.add(run(Fields.of(first), several ? source + "#1" : source));
        while (more.isPresent()) {
            if (!accepts(more.get())) {
                throw Fields.wrong("backend", more.get(), "another result of vllm bench serve");
            }
            runs.add(run(Fields.of(more.get()), source + "#" + (runs.size() + 1)));
            more = rest.next();
        }
        return runs;
    }

    private static ImportedRun run(Fields f, String source) {
        Optional<String> backend = f.text("backend");
        boolean chat = backend.filter(b -> b.contains("chat")).isPresent();
        RunBuilder run = new RunBuilder(Tool.VLLM, source).when(f.text("date"), DATE)
                .fact(Fact.MODEL, f.text("model_id")).fact(Fact.TOKENIZER, f.text("tokenizer_id"))
                .fact(Fact.ENDPOINT, backend.map(VllmFormat::endpoint))
                .fact(Fact.REQUESTS, f.text("num_prompts"));
        load(run, f);
        OptionalDouble failed = f.number("failed");
        run.counts(f.count("num_prompts"), f.count("completed"),
                failed.isPresent() ? f.count("failed") : java.util.OptionalLong.empty());
        run.duration(f.number("duration"))
                .meanTokens(Fact.MEAN_INPUT_TOKENS, f.number("total_input_tokens"), f.count("completed"))
                .meanTokens(Fact.MEAN_OUTPUT_TOKENS, f.number("total_output_tokens"), f.count("completed"))
                .whole(Formula.REQUESTS_OVER_WINDOW, f.number("request_throughput"))
                .whole(Formula.OUTPUT_OVER_WINDOW, f.number("output_throughput"))
                .whole(Formula.GOOD_PER_SECOND, f.number("request_goodput"));
        ServeKeys.latency(run, f, "ttft", chat ? Formula.TTFT_CHUNK_SENT : Formula.TTFT_CONTENT_SENT);
        ServeKeys.latency(run, f, "tpot", Formula.TPOT_CHOICES);
        ServeKeys.latency(run, f, "itl", Formula.ITL_CHUNKS);
        ServeKeys.latency(run, f, "e2el", Formula.E2E_CHOICES_SENT);
        if (f.object().fields().keySet().stream().anyMatch(k -> k.startsWith("spec_decode_"))) {
            run.note("speculative decoding: chunks carry several tokens, so ITL is far above TPOT");
        }
        detail(run, f, chat);
        return run.build();
    }

    private static void load(RunBuilder run, Fields f) {
        Optional<String> rate = f.text("request_rate");
        String burstiness = f.text("burstiness").orElse("1");
        run.fact(Fact.RATE, rate.map(VllmFormat::rate)).fact(Fact.CONCURRENCY, f.text("max_concurrency"));
        rate.ifPresent(r -> run.fact(Fact.ARRIVALS, Optional.of(rate(r).equals("inf")
                ? "all at once"
                : burstiness.equals("1") ? "poisson" : "gamma, burstiness " + burstiness)));
        f.text("ramp_up_strategy").ifPresent(r -> run.fact(Fact.ARRIVALS, Optional.of("ramp " + r)));
    }

    static String rate(String text) {
        return text.equalsIgnoreCase("inf") || text.equalsIgnoreCase("infinity") ? "inf" : text;
    }

    static String endpoint(String backend) {
        return switch (backend) {
            case "openai", "vllm", "sglang-oai" -> "completions";
            case "openai-chat", "vllm-chat", "sglang-oai-chat" -> "chat";
            default -> backend;
        };
    }

    /** The arrays of --save-detailed. A chat's first chunk may hold no token, so there no token metric is recomputed. */
    private static void detail(RunBuilder run, Fields f, boolean chat) {
        double[] ttfts = f.numbers("ttfts");
        if (ttfts.length == 0) {
            return;
        }
        List<ImportedRequest> requests = requests(f, ttfts);
        if (chat) {
            run.requests(requests, Formula.TTFT_CHUNK_SENT, Formula.ITL_CHUNKS, Formula.E2E_CHOICES_SENT)
                    .note("chat: the first chunk may carry no token, so TTFT and TPOT by Assay's formulas"
                            + " cannot be recomputed");
        } else {
            run.requests(requests, Formula.TTFT_CONTENT_SENT, Formula.TPOT_CONTENT, Formula.NTPOT_CONTENT,
                    Formula.ITL_CHUNKS, Formula.E2E_CONTENT_SENT);
        }
    }

    static List<ImportedRequest> requests(Fields f, double[] ttfts) {
        List<JsonValue> gaps = f.list("itls");
        List<JsonValue> errors = f.list("errors");
        double[] inputs = f.numbers("input_lens");
        double[] outputs = f.numbers("output_lens");
        List<ImportedRequest> requests = new ArrayList<>();
        for (int i = 0; i < ttfts.length; i++) {
            double[] each = i < gaps.size() ? gapsMs(gaps.get(i)) : new double[0];
            boolean failed = i < errors.size() && errors.get(i) instanceof JsonValue.Str s
                    && !s.value().isEmpty();
            OptionalDouble ttft = ServeKeys.millis(OptionalDouble.of(ttfts[i]));
            OptionalInt tokens = tokens(outputs, i);
            boolean empty = tokens.isPresent() && tokens.getAsInt() == 0;
            boolean known = i < gaps.size() && ttft.isPresent();
            requests.add(new ImportedRequest(!failed && !empty, OptionalDouble.empty(), ttft,
                    known
                            ? OptionalDouble.of(ttft.getAsDouble() + Arrays.stream(each).sum())
                            : OptionalDouble.empty(),
                    each, tokens(inputs, i), tokens));
        }
        return requests;
    }

    private static OptionalInt tokens(double[] counts, int i) {
        return i < counts.length ? OptionalInt.of((int) counts[i]) : OptionalInt.empty();
    }

    private static double[] gapsMs(JsonValue list) {
        return list instanceof JsonValue.Arr a
                ? a.items().stream().mapToDouble(v -> Fields.number("itls", v) * 1000).toArray()
                : new double[0];
    }
}
