package dev.assay.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Scrapes a server before, during (four times a second, from a thread of its own) and after a slot, and reads energy
 * beside. The times are fixed beforehand: a scrape that is late or slow moves none of the others, and a place that it
 * missed stays empty. Each has a time limit, and each is recorded with its start, duration and outcome.
 */
public final class MetricsSampler implements AutoCloseable {
    private static final long PERIOD_NANOS = 250_000_000;
    private static final long ENERGY_NANOS = 1_000_000_000;
    private static final int LIMIT_MILLIS = 1000;
    /** The first and the last scrape may take longer, as without them there are no differences. */
    private static final int EDGE_MILLIS = 3000;
    /** Ten minutes of samples; past that every second one goes and the period doubles, so that memory is bounded. */
    private static final int SAMPLE_LIMIT = 2400;
    private static final int SCRAPE_LIMIT = 20_000;

    private final URI base;
    private final Optional<String> apiKey;
    private final List<EnergyMeter> meters;
    private final List<MetricsScraper.Attempt> attempts = new ArrayList<>();
    private final Optional<MetricsSnapshot> before;
    private final Set<String> fallen = new TreeSet<>();
    private List<MetricsSnapshot> during = new ArrayList<>();
    private @Nullable MetricsSnapshot latest;
    private String path = MetricsScraper.PATHS.getFirst();
    private long periodNanos = PERIOD_NANOS;
    private final @Nullable Thread thread;

    private MetricsSampler(URI base, Optional<String> apiKey, List<EnergyMeter> meters) {
        this.base = base;
        this.apiKey = apiKey;
        this.meters = List.copyOf(meters);
        this.before = first();
        this.latest = before.orElse(null);
        meters.forEach(EnergyMeter::read);
        this.thread = before.isPresent() || !meters.isEmpty()
                ? Thread.ofPlatform().daemon().name("assay-metrics").start(this::sample)
                : null;
    }

    /**
     * Takes the first scrape and begins to sample; a server without metrics costs two requests. Where the server is on
     * this machine and the machine shows RAPL, the energy of its processors is read too.
     */
    public static MetricsSampler start(URI base, Optional<String> apiKey) {
        return start(base, apiKey, Optional.empty());
    }

    /** The same with the energy of the GPUs on the page of a DCGM exporter, where its address is given. */
    public static MetricsSampler start(URI base, Optional<String> apiKey, Optional<URI> dcgm) {
        List<EnergyMeter> meters = new ArrayList<>();
        dcgm.ifPresent(page -> meters.add(EnergyMeter.dcgm(page, Map.of())));
        if (local(base)) {
            meters.add(EnergyMeter.rapl(EnergyMeter.POWERCAP));
        }
        return start(base, apiKey, List.copyOf(meters));
    }

    /** The same with the meters given, which are the sampler's from now on. */
    public static MetricsSampler start(URI base, Optional<String> apiKey, List<EnergyMeter> meters) {
        return new MetricsSampler(base, apiKey, meters);
    }

    private static boolean local(URI base) {
        try {
            return base.getHost() != null && InetAddress.getByName(base.getHost()).isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * What a server said of itself before, during and after a slot, the size of its model where it tells, every scrape
     * with its outcome, and the energy by each meter.
     */
    public record Recorded(Optional<MetricsPage> before, List<MetricsPage> during,
            Optional<MetricsPage> after,
            Optional<Long> modelBytes, Optional<Scrapes> scrapes, Optional<List<EnergyRecord>> energy) {
        public Recorded {
            during = List.copyOf(during);
            energy = energy.map(List::copyOf);
        }

        /** The slot's {@link Telemetry} with sources and reasons. */
        public Telemetry.Account account() {
            Telemetry.Account server = server();
            Map<String, Double> values = new TreeMap<>(server.values());
            Map<String, String> sources = new TreeMap<>(server.sources());
            Map<String, String> absent = new TreeMap<>(server.absent());
            modelBytes.ifPresent(bytes -> {
                if (values.putIfAbsent("resident_weight_bytes", (double) bytes) == null) {
                    sources.put("resident_weight_bytes", "the size of the model file, by /v1/models");
                }
            });
            scrapes.ifPresent(s -> values.putAll(s.telemetry()));
            energy.ifPresent(records -> EnergyAccount.add(records, values, sources, absent));
            return new Telemetry.Account(server.server(), values, sources, absent);
        }

        private Telemetry.Account server() {
            if (before.isEmpty() || after.isEmpty()) {
                return Telemetry.Account.none(before.isEmpty()
                        ? "no page of metrics before the slot" + outcome(0)
                        : "no page of metrics after the slot" + outcome(-1));
            }
            Set<String> fallen = scrapes.map(s -> Set.copyOf(s.fallen())).orElse(Set.of());
            return Telemetry.account(new MetricWindow(before.get().snapshot(), after.get().snapshot(),
                    during.stream().map(MetricsPage::snapshot).toList(), fallen, scrapes.isEmpty()));
        }

        private String outcome(int which) {
            return scrapes.map(Scrapes::scrapes).filter(s -> !s.isEmpty())
                    .map(s -> " (" + (which == 0 ? s.getFirst() : s.getLast()).outcome() + ")").orElse("");
        }

        /** The slot's {@link Telemetry} alone. */
        public Map<String, Double> telemetry() {
            return new TreeMap<>(account().values());
        }
    }

    /** Ends the sampling and gives the slot's {@link Telemetry}, empty where the server reports nothing. */
    public Map<String, Double> finish() {
        return record().telemetry();
    }

    /** Ends the sampling and gives all that was scraped. */
    public Recorded record() {
        close();
        Optional<MetricsSnapshot> after = before.isPresent() ? scrape(path, EDGE_MILLIS) : Optional.empty();
        meters.forEach(EnergyMeter::read);
        OptionalLong bytes = Probe.modelBytes(base, apiKey);
        List<EnergyRecord> energy = meters.stream().map(EnergyMeter::record).toList();
        synchronized (attempts) {
            Scrapes scrapes = new Scrapes(PERIOD_NANOS, attempts.stream().map(a -> new Scrapes.Scrape(
                    a.startNanos(), a.durationNanos(), a.outcome().wire())).toList(), List.copyOf(fallen));
            return new Recorded(before.map(MetricsPage::of), during.stream().map(MetricsPage::of).toList(),
                    after.map(MetricsPage::of),
                    bytes.isPresent() ? Optional.of(bytes.getAsLong()) : Optional.empty(),
                    Optional.of(scrapes),
                    energy.isEmpty() ? Optional.empty() : Optional.of(energy));
        }
    }

    private Optional<MetricsSnapshot> first() {
        for (String candidate : MetricsScraper.PATHS) {
            Optional<MetricsSnapshot> page = scrape(candidate, EDGE_MILLIS);
            if (page.isPresent()) {
                path = candidate;
                return page;
            }
            if (attempts.isEmpty()) {
                // Interrupted before there was an answer.
                return page;
            }
            MetricsScraper.Outcome outcome = attempts.getLast().outcome();
            if (outcome != MetricsScraper.Outcome.HTTP_ERROR
                    && outcome != MetricsScraper.Outcome.NO_METRICS) {
                return page;
            }
        }
        return Optional.empty();
    }

    private Optional<MetricsSnapshot> scrape(String from, int limitMillis) {
        MetricsScraper.Attempt attempt = MetricsScraper.attempt(base, from, apiKey, limitMillis,
                MetricsScraper::noBucket);
        if (!attempt.ok() && Thread.currentThread().isInterrupted()) {
            // Cut off by the end of the slot, which says nothing about the server.
            return Optional.empty();
        }
        synchronized (attempts) {
            if (attempts.size() < SCRAPE_LIMIT) {
                attempts.add(new MetricsScraper.Attempt(attempt.startNanos(), attempt.durationNanos(),
                        attempt.outcome(), Optional.empty()));
            }
            MetricsSnapshot earlier = latest;
            attempt.page().ifPresent(page -> {
                if (earlier != null) {
                    fallen.addAll(MetricWindow.fallen(earlier, page));
                }
                latest = page;
            });
        }
        return attempt.page();
    }

    private void sample() {
        long next = System.nanoTime() + periodNanos;
        long energy = System.nanoTime() + ENERGY_NANOS;
        try {
            while (true) {
                long wait = next - System.nanoTime();
                if (wait > 0) {
                    Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
                }
                if (before.isPresent()) {
                    scrape(path, LIMIT_MILLIS).map(MetricsSampler::levelsOnly).ifPresent(this::keep);
                }
                if (Thread.interrupted()) {
                    return;
                }
                if (System.nanoTime() - energy >= 0) {
                    meters.forEach(EnergyMeter::read);
                    energy += ENERGY_NANOS;
                }
                long now = System.nanoTime();
                next += periodNanos * Math.max(1, (now - next) / periodNanos + 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keep(MetricsSnapshot page) {
        synchronized (attempts) {
            during.add(page);
            if (during.size() < SAMPLE_LIMIT) {
                return;
            }
            List<MetricsSnapshot> half = new ArrayList<>();
            for (int i = 0; i < during.size(); i += 2) {
                half.add(during.get(i));
            }
            during = half;
            periodNanos *= 2;
        }
    }

    /** Keeps what is read from samples, as a page of vLLM has hundreds of series. */
    private static MetricsSnapshot levelsOnly(MetricsSnapshot full) {
        Map<MetricsSnapshot.Series, Double> kept = new HashMap<>();
        full.values().forEach((series, value) -> {
            if (MetricNames.table().sampled(series.name())) {
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
                thread.join(2L * LIMIT_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
