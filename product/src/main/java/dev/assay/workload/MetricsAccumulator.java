package dev.assay.workload;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sums up a run while its requests end, by the definitions of {@link Metrics}; memory is bounded however long the run
 * is. Up to a million values a metric the summary is exact; beyond it percentiles are within 0.01 % and the rest stays
 * exact. For one thread at a time.
 */
public final class MetricsAccumulator {
    private static final double NANOS_PER_S = 1e9;

    private final Function<String, Slo> sloOfClass;
    private final Values ttft;
    private final Values ttftFromSent;
    private final Values ttfo;
    private final Values tpot;
    private final Values itl;
    private final Values e2e;
    private final Values lag;
    private final Map<String, Tally> tallies = new HashMap<>();
    private @Nullable Tally last;
    private boolean reasoned;
    private long outputTokens;

    MetricsAccumulator(Function<String, Slo> sloOfClass) {
        this(sloOfClass, Values::new);
    }

    MetricsAccumulator(Function<String, Slo> sloOfClass, Supplier<Values> values) {
        this.sloOfClass = sloOfClass;
        ttft = values.get();
        ttftFromSent = values.get();
        ttfo = values.get();
        tpot = values.get();
        itl = values.get();
        e2e = values.get();
        lag = values.get();
    }

    /** Counts one request that has ended. */
    public void add(RequestOutcome o) {
        Tally tally = tally(o.request().requestClass());
        tally.scheduled++;
        long scheduled = o.request().arrivalNanos();
        if (o.sentNanos().isPresent()) {
            lag.add(Metrics.ms(o.sentNanos().getAsLong() - scheduled));
        }
        if (o.failure().isPresent()) {
            tally.failed.merge(o.failure().get(), 1, Integer::sum);
            return;
        }
        outputTokens += o.outputTokens();
        long[] content = o.contentNanos();
        if (content.length == 0) {
            tally.good++;
            return;
        }
        double toFirst = Metrics.ms(content[0] - scheduled);
        double perToken = Metrics.tpot(o);
        double whole = Metrics.ms(content[content.length - 1] - scheduled);
        ttft.add(toFirst);
        e2e.add(whole);
        if (o.sentNanos().isPresent()) {
            ttftFromSent.add(Metrics.ms(content[0] - o.sentNanos().getAsLong()));
        }
        if (perToken >= 0) {
            tpot.add(perToken);
        }
        if (o.firstAnswerNanos().isPresent()) {
            long answer = o.firstAnswerNanos().getAsLong();
            reasoned |= answer != content[0];
            ttfo.add(Metrics.ms(answer - scheduled));
        }
        itl.addGaps(content, o.contentTokens());
        if (within(toFirst, tally.ttftBound) && !(perToken > tally.tpotBound)
                && within(whole, tally.e2eBound)) {
            tally.good++;
        }
    }

    private static boolean within(double value, double bound) {
        return value <= bound;
    }

    private Tally tally(String requestClass) {
        Tally known = last;
        if (known == null || !known.name.equals(requestClass)) {
            known = tallies.computeIfAbsent(requestClass, name -> new Tally(name, sloOfClass.apply(name)));
            last = known;
        }
        return known;
    }

    /**
     * The summary of what was added so far. Goodput and throughput are per second of {@code windowNanos} and count
     * completed requests only.
     */
    public RunSummary summary(long windowNanos, List<ValidityCheck> validity) {
        if (windowNanos <= 0) {
            throw new IllegalArgumentException("windowNanos is " + windowNanos + "; expected more than 0");
        }
        double seconds = windowNanos / NANOS_PER_S;
        Tally all = new Tally("", Slo.none());
        tallies.values().forEach(all::plus);
        Map<String, RunSummary.ClassSummary> classes = new TreeMap<>();
        tallies.forEach((name, tally) -> classes.put(name, tally.summary(seconds)));
        RunSummary.ClassSummary total = all.summary(seconds);
        return new RunSummary(total.requests(), ttft.spread(), ttftFromSent.spread(),
                reasoned ? ttfo.spread() : Optional.empty(), tpot.spread(), itl.spread(), e2e.spread(),
                new RunSummary.Throughput(total.requests().completed() / seconds, outputTokens / seconds),
                OptionalDouble.of(total.goodputRps()), total.goodFraction(), lag.spread(), seconds,
                List.copyOf(validity), classes.size() > 1 ? Optional.of(classes) : Optional.empty(),
                OptionalDouble.empty());
    }

    /** What is counted for a class of requests. */
    private static final class Tally {
        private final String name;
        private final double ttftBound;
        private final double tpotBound;
        private final double e2eBound;
        private final Map<FailureClass, Integer> failed = new EnumMap<>(FailureClass.class);
        private int scheduled;
        private int good;

        Tally(String name, Slo slo) {
            this.name = name;
            this.ttftBound = slo.ttftMs().orElse(Double.POSITIVE_INFINITY);
            this.tpotBound = slo.tpotMs().orElse(Double.POSITIVE_INFINITY);
            this.e2eBound = slo.e2eMs().orElse(Double.POSITIVE_INFINITY);
        }

        void plus(Tally other) {
            scheduled += other.scheduled;
            good += other.good;
            other.failed.forEach((failure, count) -> failed.merge(failure, count, Integer::sum));
        }

        RunSummary.ClassSummary summary(double seconds) {
            Map<String, Integer> byName = new TreeMap<>();
            failed.forEach((failure, count) -> byName.put(failure.name().toLowerCase(Locale.ROOT), count));
            int failures = failed.values().stream().mapToInt(Integer::intValue).sum();
            return new RunSummary.ClassSummary(
                    new RunSummary.Requests(scheduled, scheduled - failures, byName), good / seconds,
                    scheduled == 0 ? OptionalDouble.empty() : OptionalDouble.of(good / (double) scheduled));
        }
    }
}
