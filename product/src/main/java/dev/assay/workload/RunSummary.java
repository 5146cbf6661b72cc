package dev.assay.workload;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The summary of one run, with the field names that every JSON output shares (DESIGN.md, "Commands").
 * Undefined values are absent, never 0.
 */
public record RunSummary(Requests requests, Optional<Spread> ttftMs, Optional<Spread> ttftFromSentMs,
        Optional<Spread> tpotMs, Optional<Spread> itlMs, Optional<Spread> e2eMs, Throughput throughput,
        OptionalDouble goodputRps, OptionalDouble goodFraction, Optional<Spread> scheduleLagMs,
        double durationS,
        List<ValidityCheck> validity) {

    /** Counts: scheduled = completed + the failures of each class (its name in lower case). */
    public record Requests(int scheduled, int completed, Map<String, Integer> failed) {}

    /** Location and tail of a sample; percentiles by linear interpolation (Hyndman–Fan type 7). */
    public record Spread(int n, double mean, double p50, double p90, double p95, double p99) {}

    /** Completed requests and output tokens per second of the run's window. */
    public record Throughput(double requestsPerS, double outputTokensPerS) {}
}
