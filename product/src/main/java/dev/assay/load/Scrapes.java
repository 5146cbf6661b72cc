package dev.assay.load;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every scrape of a slot, those that failed too.
 *
 * @param periodNanos the time between two at first; one that takes longer than this is slow
 * @param fallen names of counters that fell between two scrapes
 */
public record Scrapes(long periodNanos, List<Scrape> scrapes, List<String> fallen) {
    private static final double MS = 1e6;

    public Scrapes {
        scrapes = List.copyOf(scrapes);
        fallen = List.copyOf(fallen);
    }

    /**
     * One scrape.
     *
     * @param startNanos monotonic time at which it was sent
     * @param durationNanos until its page was read, or until it was given up
     * @param outcome {@code ok}, {@code timeout}, {@code no_answer}, {@code http_error} or {@code no_metrics}
     */
    public record Scrape(long startNanos, long durationNanos, String outcome) {
        boolean ok() {
            return outcome.equals(MetricsScraper.Outcome.OK.wire());
        }
    }

    /**
     * {@code scrapes}, {@code scrapes_failed}, {@code scrapes_slow}, {@code scrape_ms_p50} (of those that answered) and
     * {@code scrape_ms_max} (of all).
     */
    Map<String, Double> telemetry() {
        Map<String, Double> out = new TreeMap<>();
        out.put("scrapes", (double) scrapes.size());
        out.put("scrapes_failed", (double) scrapes.stream().filter(s -> !s.ok()).count());
        out.put("scrapes_slow", (double) scrapes.stream()
                .filter(s -> s.ok() && s.durationNanos() > periodNanos).count());
        long[] answered = scrapes.stream().filter(Scrape::ok).mapToLong(Scrape::durationNanos).sorted()
                .toArray();
        if (answered.length > 0) {
            out.put("scrape_ms_p50", answered[(answered.length - 1) / 2] / MS);
        }
        scrapes.stream().mapToLong(Scrape::durationNanos).max()
                .ifPresent(max -> out.put("scrape_ms_max", max / MS));
        return out;
    }
}
