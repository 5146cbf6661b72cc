package dev.assay.load;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Scrapes a server before, during (every 250 ms, from its own thread) and after a slot. */
public final class MetricsSampler implements AutoCloseable {
    private static final long PERIOD_MILLIS = 250;
    private static final int SAMPLE_LIMIT = 20_000;

    private final URI base;
    private final Optional<String> apiKey;
    private final Optional<MetricsSnapshot> before;
    private final List<MetricsSnapshot> during = new ArrayList<>();
    private final @Nullable Thread thread;

    private MetricsSampler(URI base, Optional<String> apiKey) {
        this.base = base;
        this.apiKey = apiKey;
        this.before = MetricsScraper.scrape(base, apiKey);
        this.thread = before.isPresent()
                ? Thread.ofPlatform().daemon().name("assay-metrics").start(this::sample)
                : null;
    }

    /** Takes the first scrape and begins to sample; a server without {@code /metrics} costs one request. */
    public static MetricsSampler start(URI base, Optional<String> apiKey) {
        return new MetricsSampler(base, apiKey);
    }

    /** What a server said of itself before, during and after a slot, and the size of its model where it tells. */
    public record Recorded(Optional<MetricsPage> before, List<MetricsPage> during,
            Optional<MetricsPage> after,
            Optional<Long> modelBytes) {
        public Recorded {
            during = List.copyOf(during);
        }

        /** The slot's {@link Telemetry}, empty where the server reports nothing. */
        public Map<String, Double> telemetry() {
            Map<String, Double> telemetry = new TreeMap<>();
            if (before.isPresent() && after.isPresent()) {
                telemetry.putAll(Telemetry.between(before.get().snapshot(), after.get().snapshot(),
                        during.stream().map(MetricsPage::snapshot).toList()));
            }
            modelBytes.ifPresent(bytes -> telemetry.putIfAbsent("resident_weight_bytes", (double) bytes));
            return telemetry;
        }
    }

    /** Ends the sampling and gives the slot's {@link Telemetry}, empty where the server reports nothing. */
    public Map<String, Double> finish() {
        return record().telemetry();
    }

    /** Ends the sampling and gives all that was scraped. */
    public Recorded record() {
        close();
        Optional<MetricsSnapshot> after = before.isPresent()
                ? MetricsScraper.scrape(base, apiKey)
                : Optional.empty();
        OptionalLong bytes = Probe.modelBytes(base, apiKey);
        synchronized (during) {
            return new Recorded(before.map(MetricsPage::of), during.stream().map(MetricsPage::of).toList(),
                    after.map(MetricsPage::of),
                    bytes.isPresent() ? Optional.of(bytes.getAsLong()) : Optional.empty());
        }
    }

    private void sample() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                Optional<MetricsSnapshot> one = MetricsScraper.scrape(base, apiKey)
                        .map(MetricsSampler::gaugesOnly);
                synchronized (during) {
                    if (one.isPresent() && during.size() < SAMPLE_LIMIT) {
                        during.add(one.get());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps what is read from samples, as a page of vLLM has hundreds of bucket series. */
    private static MetricsSnapshot gaugesOnly(MetricsSnapshot full) {
        Map<MetricsSnapshot.Series, Double> kept = new java.util.HashMap<>();
        full.values().forEach((series, value) -> {
            String name = series.name();
            if (name.contains("num_requests_") || name.contains("cache_usage_")
                    || name.contains(":requests_")) {
                kept.put(series, value);
            }
        });
        return new MetricsSnapshot(full.nanos(), kept);
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join(PERIOD_MILLIS * 4);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
