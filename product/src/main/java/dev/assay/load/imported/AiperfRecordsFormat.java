package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** {@code profile_export.jsonl} of AIPerf: one request a line. Warm-up requests are left out. */
final class AiperfRecordsFormat implements JsonFormat {
    @Override
    public boolean accepts(JsonValue first) {
        return first instanceof JsonValue.Obj o && o.get("metadata").isPresent()
                && o.fields().containsKey("metrics")
                && Fields.has(o.require("metadata"), "request_start_ns", "request_end_ns");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        List<ImportedRequest> requests = new ArrayList<>();
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        long tokens = 0;
        for (Optional<JsonValue> next = Optional.of(first); next.isPresent(); next = rest.next()) {
            if (!accepts(next.get())) {
                throw Fields.wrong("metadata", next.get(), "another request of AIPerf");
            }
            Fields line = Fields.of(next.get());
            Fields meta = line.child("metadata");
            if (meta.text("benchmark_phase").orElse("").equals("warmup")) {
                continue;
            }
            ImportedRequest request = request(line, meta);
            requests.add(request);
            start = Math.min(start, meta.count("request_start_ns").orElse(Long.MAX_VALUE));
            end = Math.max(end, meta.count("request_end_ns").orElse(Long.MIN_VALUE));
            tokens += request.completed() ? request.outputTokens().orElse(0) : 0;
        }
        long completed = requests.stream().filter(ImportedRequest::completed).count();
        RunBuilder run = new RunBuilder(Tool.AIPERF, source).part(ImportedRun.Part.REQUESTS)
                .counts(OptionalLong.of(completed), OptionalLong.of(requests.size() - completed))
                .duration(end > start ? OptionalDouble.of((end - start) / 1e9) : OptionalDouble.empty())
                .whenEpoch(end > start ? OptionalDouble.of(start / 1e9) : OptionalDouble.empty())
                .fact(Fact.REQUESTS, Optional.of(Integer.toString(requests.size())))
                .fact(Fact.MEAN_OUTPUT_TOKENS, mean(requests, false))
                .fact(Fact.MEAN_INPUT_TOKENS, mean(requests, true));
        run.perSecond(Formula.REQUESTS_OVER_WINDOW, OptionalLong.of(completed))
                .perSecond(Formula.OUTPUT_OVER_WINDOW,
                        tokens == 0 ? OptionalLong.empty() : OptionalLong.of(tokens))
                .requests(requests, Formula.TTFT_CONTENT_SENT, Formula.TPOT_CONTENT, Formula.NTPOT_CONTENT,
                        Formula.ITL_CHUNKS, Formula.E2E_CONTENT_SENT);
        return List.of(run.build());
    }

    private static ImportedRequest request(Fields line, Fields meta) {
        Fields metrics = line.child("metrics");
        boolean failed = line.object().get("error").isPresent()
                || meta.text("was_cancelled").orElse("false").equals("true");
        OptionalDouble ttft = ServeKeys
                .millis(RunBuilder.scaled(value(metrics, "time_to_first_token"), 1e-3));
        OptionalDouble last = ServeKeys.millis(RunBuilder.scaled(value(metrics, "request_latency"), 1e-3));
        Fields gaps = metrics.child("inter_chunk_latency");
        double factor = gaps.isEmpty() ? 1 : AiperfFormat.millis(gaps, "inter_chunk_latency");
        return new ImportedRequest(!failed && last.isPresent(), OptionalDouble.empty(), ttft, last,
                Arrays.stream(gaps.numbers("value")).map(g -> g * factor).toArray(),
                count(metrics, "input_sequence_length"), count(metrics, "output_sequence_length"));
    }

    private static OptionalDouble value(Fields metrics, String name) {
        Fields metric = metrics.child(name);
        return metric.isEmpty()
                ? OptionalDouble.empty()
                : RunBuilder.scaled(metric.number("value"), AiperfFormat.millis(metric, name));
    }

    private static OptionalInt count(Fields metrics, String name) {
        OptionalLong n = metrics.child(name).count("value");
        return n.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) n.getAsLong());
    }

    static Optional<String> mean(List<ImportedRequest> requests, boolean input) {
        return AiperfFormat.rounded(requests.stream().filter(ImportedRequest::completed)
                .map(r -> input ? r.inputTokens() : r.outputTokens())
                .filter(OptionalInt::isPresent).mapToInt(OptionalInt::getAsInt).average());
    }
}
