package dev.assay.load.imported;

import dev.assay.json.JsonStream;
import dev.assay.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** {@code events.jsonl} of MLCommons endpoints: when each sample was issued, first answered and complete. */
final class EndpointsEventsFormat implements JsonFormat {
    private static final double MS = 1e-6;

    @Override
    public boolean accepts(JsonValue first) {
        return Fields.has(first, "event_type", "timestamp_ns", "sample_uuid");
    }

    @Override
    public List<ImportedRun> read(JsonValue first, JsonStream rest, String source) {
        Map<String, long[]> samples = new LinkedHashMap<>();
        for (Optional<JsonValue> next = Optional.of(first); next.isPresent(); next = rest.next()) {
            if (!accepts(next.get())) {
                throw Fields.wrong("event_type", next.get(), "another event of MLCommons endpoints");
            }
            Fields event = Fields.of(next.get());
            int step = switch (event.text("event_type").orElse("")) {
                case "sample.issued" -> 0;
                case "sample.recv_first" -> 1;
                case "sample.complete" -> 2;
                default -> -1;
            };
            if (step >= 0) {
                samples.computeIfAbsent(event.text("sample_uuid").orElse(""), k -> new long[3])[step] = event
                        .count("timestamp_ns").orElse(0);
            }
        }
        List<ImportedRequest> requests = new ArrayList<>();
        samples.values().forEach(t -> requests.add(request(t)));
        long completed = requests.stream().filter(ImportedRequest::completed).count();
        return List.of(new RunBuilder(Tool.ENDPOINTS, source).part(ImportedRun.Part.REQUESTS)
                .counts(OptionalLong.of(completed), OptionalLong.of(requests.size() - completed))
                .requests(requests, Formula.TTFT_CONTENT_ISSUED, Formula.E2E_ISSUED)
                .note("the events hold no token counts: TPOT cannot be recomputed").build());
    }

    private static ImportedRequest request(long[] t) {
        boolean whole = t[0] > 0 && t[2] > t[0];
        return new ImportedRequest(whole, OptionalDouble.empty(),
                t[0] > 0 && t[1] > t[0] ? OptionalDouble.of((t[1] - t[0]) * MS) : OptionalDouble.empty(),
                whole ? OptionalDouble.of((t[2] - t[0]) * MS) : OptionalDouble.empty(), new double[0],
                OptionalInt.empty(), OptionalInt.empty());
    }
}
