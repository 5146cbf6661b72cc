package dev.assay.workload;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The summary of one run, with the field names that every JSON output shares (DESIGN.md, "Commands").
 * Undefined values are absent, never 0.
 *
 * @param ttfoMs time to the first output token that is no reasoning, from the scheduled arrival; only where it differs
 * from TTFT in some request
 * @param classes each class of requests, only where there is more than one
 * @param headroom 1 − the share of the load generator that the run used, where that was looked at
 */
public record RunSummary(Requests requests, Optional<Spread> ttftMs, Optional<Spread> ttftFromSentMs,
        Optional<Spread> ttfoMs, Optional<Spread> tpotMs, Optional<Spread> itlMs, Optional<Spread> e2eMs,
        Throughput throughput, OptionalDouble goodputRps, OptionalDouble goodFraction,
        Optional<Spread> scheduleLagMs, double durationS, List<ValidityCheck> validity,
        Optional<Map<String, ClassSummary>> classes, OptionalDouble headroom) {

    /** A run of one class without reasoning, whose headroom is not known. */
    public RunSummary(Requests requests, Optional<Spread> ttftMs, Optional<Spread> ttftFromSentMs,
            Optional<Spread> tpotMs, Optional<Spread> itlMs, Optional<Spread> e2eMs, Throughput throughput,
            OptionalDouble goodputRps, OptionalDouble goodFraction, Optional<Spread> scheduleLagMs,
            double durationS, List<ValidityCheck> validity) {
        this(requests, ttftMs, ttftFromSentMs, Optional.empty(), tpotMs, itlMs, e2eMs, throughput, goodputRps,
                goodFraction, scheduleLagMs, durationS, validity, Optional.empty(), OptionalDouble.empty());
    }

    /** The same with what was left of the load generator, from 0 to 1. */
    public RunSummary withHeadroom(double share) {
        return new RunSummary(requests, ttftMs, ttftFromSentMs, ttfoMs, tpotMs, itlMs, e2eMs, throughput,
                goodputRps, goodFraction, scheduleLagMs, durationS, validity, classes,
                OptionalDouble.of(share));
    }

    /** The same with other checks. */
    public RunSummary withValidity(List<ValidityCheck> checks) {
        return new RunSummary(requests, ttftMs, ttftFromSentMs, ttfoMs, tpotMs, itlMs, e2eMs, throughput,
                goodputRps, goodFraction, scheduleLagMs, durationS, checks, classes, headroom);
    }

    /** Counts: scheduled = completed + the failures of each class (its name in lower case). */
    public record Requests(int scheduled, int completed, Map<String, Integer> failed) {}

    /** Location and tail of a sample; percentiles by linear interpolation (Hyndman–Fan type 7). */
    public record Spread(long n, double mean, double p50, double p90, double p95, double p99) {}

    /** Completed requests and output tokens per second of the run's window. */
    public record Throughput(double requestsPerS, double outputTokensPerS) {}

    /** One class of requests: its counts, goodput, and good requests over all of it. */
    public record ClassSummary(Requests requests, double goodputRps, OptionalDouble goodFraction) {}
}
