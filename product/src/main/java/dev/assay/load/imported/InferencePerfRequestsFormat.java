package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * {@code per_request_lifecycle_metrics.json} of inference-perf: a list of requests with their chunk times in seconds of
 * a monotonic clock. It holds no planned times, so a backlog of the client cannot be found in it.
 */
final class InferencePerfRequestsFormat implements JsonFormat {
    @Override
    public boolean accepts(JsonValue first) {
        return first instanceof JsonValue.Arr list && !list.items().isEmpty()
                && Fields.has(list.items().getFirst(), "start_time", "end_time", "info");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        JsonFormat.requireEnd(rest, "inference-perf");
        List<JsonValue> items = first.asList();
        List<ImportedRequest> requests = items.stream().map(i -> request(Fields.of(i))).toList();
        double start = items.stream()
                .mapToDouble(i -> Fields.of(i).number("start_time").orElse(Double.MAX_VALUE))
                .min().orElseThrow();
        double end = items.stream().mapToDouble(i -> Fields.of(i).number("end_time").orElse(0)).max()
                .orElseThrow();
        long completed = requests.stream().filter(ImportedRequest::completed).count();
        long tokens = requests.stream().filter(ImportedRequest::completed)
                .mapToLong(r -> r.outputTokens().orElse(0)).sum();
        RunBuilder run = new RunBuilder(Tool.INFERENCE_PERF, source).part(ImportedRun.Part.REQUESTS)
                .counts(OptionalLong.of(completed), OptionalLong.of(requests.size() - completed))
                .fact(Fact.REQUESTS, java.util.Optional.of(Integer.toString(requests.size())))
                .fact(Fact.MEAN_INPUT_TOKENS, AiperfRecordsFormat.mean(requests, true))
                .fact(Fact.MEAN_OUTPUT_TOKENS, AiperfRecordsFormat.mean(requests, false))
                .duration(OptionalDouble.of(end - start))
                .perSecond(Formula.REQUESTS_OVER_WINDOW, OptionalLong.of(completed))
                .perSecond(Formula.OUTPUT_OVER_WINDOW,
                        tokens == 0 ? OptionalLong.empty() : OptionalLong.of(tokens))
                .requests(requests, Formula.TTFT_CONTENT_SENT, Formula.TPOT_CONTENT, Formula.NTPOT_CONTENT,
                        Formula.ITL_CHUNKS, Formula.E2E_CONTENT_SENT);
        return List.of(run.build());
    }

    private static ImportedRequest request(Fields r) {
        Fields response = r.at("info", "response_metrics");
        OptionalDouble sent = r.number("start_time");
        double[] chunks = response.numbers("chunk_times");
        OptionalLong tokens = response.count("output_tokens");
        OptionalLong server = response.child("server_usage").count("completion_tokens");
        OptionalLong input = r.at("info", "request_metrics", "text").count("input_tokens");
        boolean known = chunks.length > 0 && sent.isPresent();
        return new ImportedRequest(r.object().get("error").isEmpty() && known, OptionalDouble.empty(),
                known ? OptionalDouble.of((chunks[0] - sent.getAsDouble()) * 1000) : OptionalDouble.empty(),
                known
                        ? OptionalDouble.of((chunks[chunks.length - 1] - sent.getAsDouble()) * 1000)
                        : OptionalDouble.empty(),
                gaps(chunks), count(input), count(server.isPresent() ? server : tokens));
    }

    private static double[] gaps(double[] times) {
        double[] gaps = new double[Math.max(0, times.length - 1)];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = (times[i + 1] - times[i]) * 1000;
        }
        return gaps;
    }

    private static OptionalInt count(OptionalLong n) {
        return n.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) n.getAsLong());
    }
}
