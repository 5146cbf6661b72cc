package dev.assay.workload;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The summary of one run, with the field names that every JSON output shares (DESIGN.md, "Commands").
 * Undefined values are absent, never 0.
 *
 * @param headroom 1 − the share of the load generator that the run used, where that was looked at
 */
public record RunSummary(Requests requests, Optional<Spread> ttftMs, Optional<Spread> ttftFromSentMs,
        Optional<Spread> tpotMs, Optional<Spread> itlMs, Optional<Spread> e2eMs, Throughput throughput,
        OptionalDouble goodputRps, OptionalDouble goodFraction, Optional<Spread> scheduleLagMs,
        double durationS,
        List<ValidityCheck> validity, OptionalDouble headroom) {

    /** A summary whose headroom is not known. */
    public RunSummary(Requests requests, Optional<Spread> ttftMs, Optional<Spread> ttftFromSentMs,
            Optional<Spread> tpotMs, Optional<Spread> itlMs, Optional<Spread> e2eMs, Throughput throughput,
            OptionalDouble goodputRps, OptionalDouble goodFraction, Optional<Spread> scheduleLagMs,
            double durationS, List<ValidityCheck> validity) {
        this(requests, ttftMs, ttftFromSentMs, tpotMs, itlMs, e2eMs, throughput, goodputRps, goodFraction,
                scheduleLagMs, durationS, validity, OptionalDouble.empty());
    }

    /** The same with what was left of the load generator, from 0 to 1. */
    public RunSummary withHeadroom(double share) {
        return new RunSummary(requests, ttftMs, ttftFromSentMs, tpotMs, itlMs, e2eMs, throughput, goodputRps,
                goodFraction, scheduleLagMs, durationS, validity, OptionalDouble.of(share));
    }

    /** Counts: scheduled = completed + the failures of each class (its name in lower case). */
    public record Requests(int scheduled, int completed, Map<String, Integer> failed) {}

    /** Location and tail of a sample; percentiles by linear interpolation (Hyndman–Fan type 7). */
    public record Spread(int n, double mean, double p50, double p90, double p95, double p99) {}

    /** Completed requests and output tokens per second of the run's window. */
    public record Throughput(double requestsPerS, double outputTokensPerS) {}
}
