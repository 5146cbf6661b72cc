package dev.assay.load;

import dev.assay.stats.KolmogorovSmirnov;
import dev.assay.workload.Metrics;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Request;
import dev.assay.workload.ValidityCheck;
import dev.assay.workload.ValidityCheck.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * How a server was warmed: with requests that count nowhere, until the latest of them cannot be told from those before
 * them, or a limit was hit.
 *
 * <p>The test takes the later half of all requests so far, halves it again by time, and compares the two quarters'
 * TTFT and TPOT (Kolmogorov and Smirnov at 5 %). It has more power the longer the warm-up already took.
 *
 * @param warm whether the test passed
 * @param requests sent
 * @param seconds that it took
 * @param detail one line for people
 */
public record ServerWarmup(boolean warm, int requests, double seconds, String detail) {
    /** p value from which two windows count as alike. */
    static final double ALIKE = 0.05;
    /** Fewest values in each window. */
    static final int WINDOW = 10;
    private static final int CHUNK_PER_STREAM = 2;
    private static final double NANOS = 1e9;

    /**
     * Warms a server in a closed loop.
     *
     * @param least goes on at least this long, in nanoseconds
     * @param most gives up after this long, in nanoseconds
     * @param chunk the requests of each part, by its number from 0: at least {@link #chunkSize}
     */
    public static ServerWarmup run(Target target, int streams, long least, long most,
            IntFunction<List<Request>> chunk) {
        return run(target, streams, least, most, chunk, () -> false);
    }

    /** The same, given up as soon as {@code stop} says so. */
    public static ServerWarmup run(Target target, int streams, long least, long most,
            IntFunction<List<Request>> chunk, BooleanSupplier stop) {
        List<RequestOutcome> all = new ArrayList<>();
        long from = System.nanoTime();
        for (int k = 0;; k++) {
            long before = System.nanoTime() - from;
            LoadRun run = LoadGenerator.run(target, chunk.apply(k),
                    LoadOptions.closedLoop(streams).withStopSending(Math.max(1, most - before))
                            .withDrain(Math.round(20 * NANOS)));
            run.outcomes().stream().sorted(Comparator.comparingLong(RequestOutcome::endNanos))
                    .forEach(all::add);
            long spent = System.nanoTime() - from;
            String doubt = doubt(all);
            boolean nothing = run.outcomes().stream().noneMatch(RequestOutcome::completed);
            if (doubt.isEmpty() && spent >= least) {
                return new ServerWarmup(true, all.size(), spent / NANOS, String.format(Locale.ROOT,
                        "warm after %d requests in %.1f s: TTFT and TPOT settled", all.size(),
                        spent / NANOS));
            }
            if (spent >= most || nothing || stop.getAsBoolean()) {
                return new ServerWarmup(false, all.size(), spent / NANOS, String.format(Locale.ROOT,
                        "not settled after %d requests in %.1f s: %s", all.size(), spent / NANOS,
                        stop.getAsBoolean()
                                ? "cut short"
                                : nothing
                                        ? "no request completed"
                                        : doubt.isEmpty() ? "the limit is shorter" : doubt));
            }
        }
    }

    /** Requests of one part of the warm-up. */
    public static int chunkSize(int streams) {
        return Math.max(WINDOW, CHUNK_PER_STREAM * streams);
    }

    /** Why requests in the order of their ends do not look settled; empty where they do. */
    static String doubt(List<RequestOutcome> outcomes) {
        List<RequestOutcome> done = outcomes.stream().filter(RequestOutcome::completed).toList();
        List<RequestOutcome> later = done.subList(done.size() / 2, done.size());
        List<RequestOutcome> first = later.subList(0, later.size() / 2);
        List<RequestOutcome> last = later.subList(later.size() / 2, later.size());
        if (first.size() < WINDOW) {
            return "too few requests to tell";
        }
        String ttft = changed("TTFT", first, last, Metrics.PerRequest::ttftFromSentMs);
        return ttft.isEmpty() ? changed("TPOT", first, last, Metrics.PerRequest::tpotMs) : ttft;
    }

    private static String changed(String name, List<RequestOutcome> first, List<RequestOutcome> last,
            Function<Metrics.PerRequest, OptionalDouble> metric) {
        double[] a = values(first, metric);
        double[] b = values(last, metric);
        if (a.length < WINDOW || b.length < WINDOW) {
            return "";
        }
        double p = KolmogorovSmirnov.p(a, b);
        return p >= ALIKE ? "" : String.format(Locale.ROOT, "%s still changes (p = %.3f)", name, p);
    }

    private static double[] values(List<RequestOutcome> outcomes,
            Function<Metrics.PerRequest, OptionalDouble> metric) {
        return outcomes.stream().map(Metrics::perRequest).map(metric).flatMapToDouble(OptionalDouble::stream)
                .toArray();
    }

    /** The warm-up as a check of the runs after it: it never voids them. */
    public ValidityCheck check() {
        return new ValidityCheck("warm-up", warm ? Status.PASS : Status.WARN, detail);
    }
}
