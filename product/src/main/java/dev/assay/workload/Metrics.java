package dev.assay.workload;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * The one place that turns raw times into metrics.
 *
 * <p>Per request, in milliseconds, each undefined where its parts are:
 *
 * <ul>
 * <li>TTFT = first content − <em>scheduled</em> arrival; beside it first content − sent;
 * <li>TPOT = (last content − first content) / (tokens after the first event), the form of MLCommons endpoints;
 * <li>ITL: the gap before each event after the first, divided over the tokens of that event: an event of <i>k</i>
 * tokens gives <i>k</i> values of gap/k, so bundling neither hides tokens nor makes zeros;
 * <li>TTFO = first content that is no reasoning − scheduled arrival;
 * <li>E2E = last content − scheduled arrival;
 * <li>schedule lag = sent − scheduled arrival.
 * </ul>
 *
 * <p>Odd cases: a reply in one event (one token, or all bundled) has no TPOT and no ITL. A role-only delta and a
 * usage-only chunk are no events (the reader of the stream leaves them out). An event without text whose usage count
 * grew is one. Without per-event counts each event counts as one token; where the final usage then names more tokens,
 * TPOT divides by (usage − first event's tokens). Without any usage, events are tokens. A response without a token
 * failed ({@code empty}). Failed requests give no latency; they stay in the denominator of {@code goodFraction}.
 */
public final class Metrics {
    private static final int SMALL_EXACT = 2048;
    private static final double NANOS_PER_MS = 1e6;

    private Metrics() {}

    /** The metrics of one request in milliseconds; empty where undefined or where the request failed. */
    public record PerRequest(OptionalDouble ttftMs, OptionalDouble ttftFromSentMs, OptionalDouble tpotMs,
            OptionalDouble e2eMs) {
        private static final PerRequest UNDEFINED = new PerRequest(OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(), OptionalDouble.empty());
    }

    /** TTFT, TPOT and E2E of one request. */
    public static PerRequest perRequest(RequestOutcome outcome) {
        long[] content = outcome.contentNanos();
        if (!outcome.completed() || content.length == 0) {
            return PerRequest.UNDEFINED;
        }
        long first = content[0];
        long scheduled = outcome.request().arrivalNanos();
        double tpot = tpot(outcome);
        return new PerRequest(OptionalDouble.of(ms(first - scheduled)), since(outcome.sentNanos(), first),
                tpot >= 0 ? OptionalDouble.of(tpot) : OptionalDouble.empty(),
                OptionalDouble.of(ms(content[content.length - 1] - scheduled)));
    }

    /** TPOT of a completed request with content in milliseconds, NaN where undefined. */
    static double tpot(RequestOutcome outcome) {
        long[] content = outcome.contentNanos();
        if (content.length < 2) {
            return Double.NaN;
        }
        long later = tokensAfterFirstEvent(outcome);
        return later < 1 ? Double.NaN : ms(content[content.length - 1] - content[0]) / later;
    }

    /** Whether the request completed and met each bound; a bound on an undefined metric counts as met. */
    public static boolean good(RequestOutcome outcome, Slo slo) {
        if (!outcome.completed()) {
            return false;
        }
        PerRequest m = perRequest(outcome);
        return within(m.ttftMs(), slo.ttftMs()) && within(m.tpotMs(), slo.tpotMs())
                && within(m.e2eMs(), slo.e2eMs());
    }

    /** Sums up a run while it goes on, in bounded memory; a class without an SLO has no bound. */
    public static MetricsAccumulator accumulator(Map<String, Slo> sloByClass) {
        return accumulator(name -> sloByClass.getOrDefault(name, Slo.none()));
    }

    /** As above, asked once for each class that comes. */
    public static MetricsAccumulator accumulator(Function<String, Slo> sloOfClass) {
        return new MetricsAccumulator(sloOfClass);
    }

    /** One of many that sum up at once: exact up to 2,048 values a metric, then percentiles within 0.4 %. */
    public static MetricsAccumulator smallAccumulator(Slo slo) {
        return new MetricsAccumulator(_ -> slo, () -> new Values(SMALL_EXACT, LogLinear.COARSE));
    }

    /** The summary under one SLO for every class. */
    public static RunSummary summarize(List<RequestOutcome> outcomes, Slo slo, long windowNanos,
            List<ValidityCheck> validity) {
        return summarize(outcomes, accumulator(_ -> slo), windowNanos, validity);
    }

    /**
     * The summary of a run. Goodput and throughput are per second of {@code windowNanos} and count completed requests
     * only; see {@link #windowNanos}.
     *
     * @param sloByClass the SLO of each request class; a class without one has no bound
     */
    public static RunSummary summarize(List<RequestOutcome> outcomes, Map<String, Slo> sloByClass,
            long windowNanos, List<ValidityCheck> validity) {
        return summarize(outcomes, accumulator(sloByClass), windowNanos, validity);
    }

    private static RunSummary summarize(List<RequestOutcome> outcomes, MetricsAccumulator sum,
            long windowNanos, List<ValidityCheck> validity) {
        outcomes.forEach(sum::add);
        return sum.summary(windowNanos, validity);
    }

    /** The window of a run: from its start to the last end of a request, as {@code vllm bench serve} has it. */
    public static long windowNanos(List<RequestOutcome> outcomes) {
        return Math.max(1, outcomes.stream().mapToLong(RequestOutcome::endNanos).max().orElse(1));
    }

    /** Schedule lag of each request that was sent, in milliseconds. */
    public static double[] scheduleLagMs(List<RequestOutcome> outcomes) {
        return defined(outcomes.stream().map(o -> o.sentNanos().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(ms(o.sentNanos().getAsLong() - o.request().arrivalNanos()))).toList());
    }

    /** Inter-token latencies of the completed requests, pooled, one value a token after the first event. */
    public static double[] itlMs(List<RequestOutcome> outcomes) {
        return outcomes.stream().filter(RequestOutcome::completed).flatMapToDouble(Metrics::itlOf).toArray();
    }

    private static DoubleStream itlOf(RequestOutcome outcome) {
        DoubleStream.Builder values = DoubleStream.builder();
        for (int i = 1; i < outcome.contentNanos().length; i++) {
            int tokens = outcome.contentTokens()[i];
            double gap = ms(outcome.contentNanos()[i] - outcome.contentNanos()[i - 1]) / tokens;
            for (int k = 0; k < tokens; k++) {
                values.add(gap);
            }
        }
        return values.build();
    }

    private static long tokensAfterFirstEvent(RequestOutcome outcome) {
        int[] tokens = outcome.contentTokens();
        if (outcome.usageReported()) {
            return (long) outcome.outputTokens() - tokens[0];
        }
        long later = 0;
        for (int i = 1; i < tokens.length; i++) {
            later += tokens[i];
        }
        return later;
    }

    private static double[] defined(List<OptionalDouble> values) {
        return values.stream().flatMapToDouble(OptionalDouble::stream).toArray();
    }

    private static OptionalDouble since(OptionalLong from, long to) {
        return from.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(ms(to - from.getAsLong()));
    }

    private static boolean within(OptionalDouble value, OptionalDouble bound) {
        return value.isEmpty() || bound.isEmpty() || value.getAsDouble() <= bound.getAsDouble();
    }

    static double ms(long nanos) {
        return nanos / NANOS_PER_MS;
    }
}
