package dev.assay.load.imported;

import dev.assay.load.RequestLog;
import dev.assay.workload.RequestOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Assay's own {@code requests.parquet}: raw times, from which the shared formulas are computed beside Assay's own. */
final class AssayRequests {
    private static final double MS = 1e-6;

    private AssayRequests() {}

    static ImportedRun read(Path file, String source) {
        List<RequestOutcome> outcomes = RequestLog.read(file);
        List<ImportedRequest> requests = new ArrayList<>();
        outcomes.forEach(o -> requests.add(request(o)));
        long completed = requests.stream().filter(ImportedRequest::completed).count();
        return new RunBuilder(Tool.ASSAY, source).part(ImportedRun.Part.REQUESTS)
                .counts(OptionalLong.of(completed), OptionalLong.of(requests.size() - completed))
                .fact(Fact.REQUESTS, Optional.of(Integer.toString(requests.size())))
                .fact(Fact.MEAN_INPUT_TOKENS, AiperfRecordsFormat.mean(requests, true))
                .fact(Fact.MEAN_OUTPUT_TOKENS, AiperfRecordsFormat.mean(requests, false))
                .duration(OptionalDouble.of(dev.assay.workload.Metrics.windowNanos(outcomes) / 1e9))
                .perSecond(Formula.REQUESTS_OVER_WINDOW, OptionalLong.of(completed))
                .perSecond(Formula.OUTPUT_OVER_WINDOW,
                        OptionalLong.of(requests.stream().filter(ImportedRequest::completed)
                                .mapToLong(r -> r.outputTokens().orElse(0)).sum()))
                .requests(requests, Formula.TTFT_CONTENT_SCHEDULED, Formula.TTFT_CONTENT_SENT,
                        Formula.TPOT_CONTENT, Formula.NTPOT_CONTENT, Formula.ITL_CHUNKS,
                        Formula.E2E_CONTENT_SCHEDULED, Formula.E2E_CONTENT_SENT)
                .build();
    }

    private static ImportedRequest request(RequestOutcome o) {
        long[] at = o.contentNanos();
        boolean known = o.sentNanos().isPresent() && at.length > 0;
        long sent = o.sentNanos().orElse(0);
        double[] gaps = new double[Math.max(0, at.length - 1)];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = (at[i + 1] - at[i]) * MS;
        }
        return new ImportedRequest(o.completed(),
                o.sentNanos().isPresent()
                        ? OptionalDouble.of((sent - o.request().arrivalNanos()) * MS)
                        : OptionalDouble.empty(),
                known ? OptionalDouble.of((at[0] - sent) * MS) : OptionalDouble.empty(),
                known ? OptionalDouble.of((at[at.length - 1] - sent) * MS) : OptionalDouble.empty(), gaps,
                o.promptTokens().isPresent()
                        ? OptionalInt.of((int) o.promptTokens().getAsLong())
                        : OptionalInt.empty(),
                o.outputTokens() > 0 ? OptionalInt.of(o.outputTokens()) : OptionalInt.empty());
    }
}
