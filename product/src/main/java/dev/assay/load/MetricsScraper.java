package dev.assay.load;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Fetches a server's page of metrics within a time limit, and says how that went. */
final class MetricsScraper {
    /** Where servers have their page; TensorRT-LLM's {@code /metrics} is JSON, its text is at the second path. */
    static final List<String> PATHS = List.of("/metrics", "/prometheus/metrics");

    private static final long NANOS_PER_MILLI = 1_000_000;

    private MetricsScraper() {}

    /** How a scrape ended. */
    enum Outcome {
        /** The page was read. */
        OK,
        /** It did not come, or not to its end, within the time limit. */
        TIMEOUT,
        /** The connection was refused or broke. */
        NO_ANSWER,
        /** The status was not 200. */
        HTTP_ERROR,
        /** The answer holds no sample of the text format. */
        NO_METRICS;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One scrape: when it began, how long it took, how it ended and what it gave. */
    record Attempt(long startNanos, long durationNanos, Outcome outcome, Optional<MetricsSnapshot> page) {
        boolean ok() {
            return outcome == Outcome.OK;
        }
    }

    /** Buckets are most of a page, and only sums and counts are read. */
    static boolean noBucket(String name) {
        return !name.endsWith("_bucket");
    }

    /** One scrape that ends within the limit, however slowly the server answers. */
    static Attempt attempt(URI base, String path, Optional<String> apiKey, int limitMillis,
            Predicate<String> wanted) {
        long start = System.nanoTime();
        BoundedGet.Answer answer = BoundedGet.get(base, path, apiKey, limitMillis);
        Optional<Http.Reply> reply = answer.reply();
        long taken = System.nanoTime() - start;
        if (reply.isEmpty()) {
            // A single read has the same limit as the whole, so that it may be the one that ran out.
            boolean late = answer.timedOut() || taken >= limitMillis * NANOS_PER_MILLI;
            return new Attempt(start, taken, late ? Outcome.TIMEOUT : Outcome.NO_ANSWER, Optional.empty());
        }
        if (reply.get().status() != 200) {
            return new Attempt(start, taken, Outcome.HTTP_ERROR, Optional.empty());
        }
        MetricsSnapshot page = new MetricsSnapshot(start + taken / 2,
                MetricsText.parse(reply.get().body(), wanted));
        return page.values().isEmpty()
                ? new Attempt(start, taken, Outcome.NO_METRICS, Optional.empty())
                : new Attempt(start, taken, Outcome.OK, Optional.of(page));
    }
}
