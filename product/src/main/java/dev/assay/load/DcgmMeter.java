package dev.assay.load;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Energy of GPUs by a DCGM exporter's page: {@code DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION} (millijoules since the driver
 * was loaded) by difference, or where a GPU lacks it {@code DCGM_FI_DEV_POWER_USAGE} (watts) by trapezoids. Slices of a
 * GPU (MIG) each repeat the power of the whole board, so the series of one GPU count once.
 */
final class DcgmMeter implements EnergyMeter {
    private static final String ENERGY = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
    private static final String POWER = "DCGM_FI_DEV_POWER_USAGE";
    private static final double MILLI = 1e-3;
    private static final int LIMIT_MILLIS = 1000;
    /** Fewer changes than this, and the exporter's own period (30 s by default) is too long for the slot. */
    private static final long UPDATES_NEEDED = 2;

    private final URI page;
    private final Map<String, String> labels;
    private final Map<String, Gpu> gpus = new TreeMap<>();
    private @Nullable Reading last;
    private long updates;
    private int tries;
    private int failed;
    private boolean edgeFailed;

    /** Values by GPU at one time. */
    private record Reading(long nanos, Map<String, Double> energy, Map<String, Double> power) {}

    /** What was seen of one GPU. */
    private static final class Gpu {
        double counted;
        double integrated;
        boolean fell;
        boolean gap;
    }

    DcgmMeter(URI page, Map<String, String> labels) {
        this.page = page;
        this.labels = Map.copyOf(labels);
    }

    @Override
    public void read() {
        String path = page.getRawPath() == null || page.getRawPath().isEmpty()
                ? "/metrics"
                : page.getRawPath();
        URI base = URI.create(page.getScheme() + "://" + page.getRawAuthority());
        MetricsScraper.Attempt attempt = MetricsScraper.attempt(base, path, Optional.empty(), LIMIT_MILLIS,
                name -> name.equals(ENERGY) || name.equals(POWER));
        tries++;
        edgeFailed = attempt.page().isEmpty();
        attempt.page().ifPresentOrElse(this::add, () -> failed++);
    }

    /** Takes one page. */
    void add(MetricsSnapshot snapshot) {
        Reading now = new Reading(snapshot.nanos(), byGpu(snapshot, ENERGY), byGpu(snapshot, POWER));
        TreeSet<String> names = new TreeSet<>(now.energy().keySet());
        names.addAll(now.power().keySet());
        names.forEach(n -> gpus.computeIfAbsent(n, k -> new Gpu()));
        Reading before = last;
        if (before != null) {
            gpus.forEach((name, gpu) -> step(gpu, name, before, now));
            updates += now.energy().equals(before.energy()) && now.power().equals(before.power()) ? 0 : 1;
        }
        last = now;
    }

    private static void step(Gpu gpu, String name, Reading before, Reading now) {
        Double e0 = before.energy().get(name);
        Double e1 = now.energy().get(name);
        if (e0 == null || e1 == null) {
            gpu.gap = true;
        } else if (e1 < e0) {
            gpu.fell = true;
        } else {
            gpu.counted += (e1 - e0) * MILLI;
        }
        Double p0 = before.power().get(name);
        Double p1 = now.power().get(name);
        if (p0 == null || p1 == null) {
            gpu.integrated = Double.NaN;
        } else {
            gpu.integrated += (p0 + p1) / 2 * (now.nanos() - before.nanos()) / 1e9;
        }
    }

    /** One value a GPU, whatever its slices. */
    private Map<String, Double> byGpu(MetricsSnapshot snapshot, String metric) {
        Map<String, Double> out = new HashMap<>();
        snapshot.select(metric, labels).forEach((series, value) -> {
            String id = series.getOrDefault("UUID", series.getOrDefault("Hostname",
                    series.getOrDefault("hostname", "")) + " gpu " + series.getOrDefault("gpu", "?"));
            out.merge(id, value, Math::max);
        });
        return out;
    }

    @Override
    public EnergyRecord record() {
        String source = "DCGM exporter " + page + (labels.isEmpty() ? "" : " " + new TreeMap<>(labels));
        if (gpus.isEmpty()) {
            return absent(source, failed > 0
                    ? "the page could not be read (" + failed + " of " + tries + " tries)"
                    : "the page has neither " + ENERGY + " nor " + POWER);
        }
        if (edgeFailed) {
            return absent(source, "the page could not be read at the slot's end");
        }
        if (updates < UPDATES_NEEDED) {
            return absent(source, "the exporter's values changed " + updates
                    + " times during the slot, expected at least " + UPDATES_NEEDED
                    + ": its period is too long for the slot (dcgm-exporter --collect-interval)");
        }
        Map<String, Double> parts = new TreeMap<>();
        boolean integrated = false;
        for (Map.Entry<String, Gpu> entry : gpus.entrySet()) {
            Gpu gpu = entry.getValue();
            if (gpu.fell) {
                return absent(source, ENERGY + " of " + entry.getKey()
                        + " fell during the slot: the driver was loaded anew");
            }
            if (!gpu.gap) {
                parts.put(entry.getKey(), gpu.counted);
            } else if (!Double.isNaN(gpu.integrated)) {
                integrated = true;
                parts.put(entry.getKey(), gpu.integrated);
            } else {
                return absent(source, "a page of the slot lacks " + entry.getKey());
            }
        }
        return EnergyRecord.of(EnergyRecord.Kind.GPU,
                source + (integrated ? ", by trapezoids of " + POWER : ", by " + ENERGY), parts, updates);
    }

    private static EnergyRecord absent(String source, String reason) {
        return EnergyRecord.absent(EnergyRecord.Kind.GPU, source, reason);
    }
}
