package dev.assay.load;

import java.net.URI;
import java.util.Optional;

/** Fetches a server's {@code /metrics}. */
public final class MetricsScraper {
    private static final int LIMIT_MILLIS = 3000;

    private MetricsScraper() {}

    /** The page now; empty where the server has none or does not answer in time. */
    public static Optional<MetricsSnapshot> scrape(URI base, Optional<String> apiKey) {
        return Http.get(base, "/metrics", apiKey, LIMIT_MILLIS).filter(r -> r.status() == 200)
                .map(r -> new MetricsSnapshot(System.nanoTime(), MetricsText.parse(r.body())))
                .filter(s -> !s.values().isEmpty());
    }
}
