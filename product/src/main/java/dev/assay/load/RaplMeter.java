package dev.assay.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Energy of the processor packages by Linux' powercap tree (Documentation/power/powercap): {@code intel-rapl:N} with
 * {@code name} {@code package-…} holds {@code energy_uj}, which rises in microjoules and begins again at 0 behind
 * {@code max_energy_range_uj}. What is below a package (core, uncore) is part of it, {@code psys} holds the packages and
 * {@code intel-rapl-mmio:N} is another way to the same counter: none of them is added.
 */
final class RaplMeter implements EnergyMeter {
    private static final Pattern DOMAIN = Pattern.compile("intel-rapl:\\d+");
    private static final double MICRO = 1e-6;

    private final Path root;
    private final Map<Path, Counter> counters = new LinkedHashMap<>();
    private @Nullable String fault;
    private boolean started;
    private long updates;

    /** A package's counter: its last value and the sum of what it rose. */
    private static final class Counter {
        final String name;
        final long range;
        long last;
        long sum;

        Counter(String name, long range, long last) {
            this.name = name;
            this.range = range;
            this.last = last;
        }
    }

    RaplMeter(Path root) {
        this.root = root;
    }

    @Override
    public void read() {
        if (fault != null) {
            return;
        }
        if (!started) {
            started = true;
            begin();
            return;
        }
        boolean changed = false;
        for (Map.Entry<Path, Counter> entry : counters.entrySet()) {
            Optional<Long> now = number(entry.getKey().resolve("energy_uj"));
            if (now.isEmpty()) {
                return;
            }
            Counter counter = entry.getValue();
            long rise = now.get() - counter.last;
            if (rise < 0) {
                rise += counter.range;
            }
            if (rise < 0) {
                fault = entry.getKey().getFileName() + "/energy_uj fell by more than its max_energy_range_uj";
                return;
            }
            changed |= rise > 0;
            counter.sum += rise;
            counter.last = now.get();
        }
        updates += changed ? 1 : 0;
    }

    private void begin() {
        List<Path> domains = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(root,
                p -> DOMAIN.matcher(p.getFileName().toString()).matches())) {
            all.forEach(domains::add);
        } catch (IOException e) {
            fault = root + ": not there; this machine shows no RAPL";
            return;
        }
        domains.sort(null);
        for (Path domain : domains) {
            Optional<String> name = text(domain.resolve("name"));
            if (name.filter(n -> n.startsWith("package")).isEmpty()) {
                continue;
            }
            Optional<Long> value = number(domain.resolve("energy_uj"));
            Optional<Long> range = number(domain.resolve("max_energy_range_uj"));
            if (value.isEmpty() || range.isEmpty()) {
                return;
            }
            counters.put(domain, new Counter(name.get(), range.get(), value.get()));
        }
        if (counters.isEmpty() && fault == null) {
            fault = root + ": no processor package; this machine shows no RAPL";
        }
    }

    private Optional<Long> number(Path file) {
        return text(file).flatMap(t -> {
            try {
                return Optional.of(Long.parseLong(t));
            } catch (NumberFormatException e) {
                fault = file + ": '" + t + "'; expected a whole number";
                return Optional.empty();
            }
        });
    }

    private Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            fault = file + ": cannot be read (Linux lets only root read it unless its mode is changed)";
            return Optional.empty();
        }
    }

    @Override
    public EnergyRecord record() {
        String source = "RAPL packages at " + root + ", all that runs on them included";
        String reason = fault;
        if (reason != null) {
            return EnergyRecord.absent(EnergyRecord.Kind.CPU, source, reason);
        }
        if (updates == 0) {
            return EnergyRecord.absent(EnergyRecord.Kind.CPU, source, "the counters did not move");
        }
        Map<String, Double> parts = new LinkedHashMap<>();
        counters.forEach(
                (path, c) -> parts.merge(path.getFileName() + " " + c.name, c.sum * MICRO, Double::sum));
        return EnergyRecord.of(EnergyRecord.Kind.CPU, source, parts, updates);
    }
}
