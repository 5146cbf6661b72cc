package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the load generator reaches on this machine against a server that costs nothing, as {@code assay load
 * --self-test} measures it.
 *
 * @param requestsPerS requests with one token each
 * @param eventsPerS token events that arrive one by one
 * @param streams concurrent streams held open
 * @param measured date of the measurement, ISO 8601
 * @param machine what it was measured on
 */
public record Ceiling(double requestsPerS, double eventsPerS, int streams, String measured, String machine) {
    public Ceiling {
        if (!(requestsPerS > 0) || !(eventsPerS > 0) || streams < 1) {
            throw new IllegalArgumentException("ceiling " + requestsPerS + " requests/s, " + eventsPerS
                    + " events/s, " + streams + " streams; expected more than 0 of each");
        }
    }

    /** Where this user's ceiling is kept: {@code $XDG_CACHE_HOME/assay/ceiling.json}, else under {@code ~/.cache}. */
    public static Path file(Map<String, String> environment, String home) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        return (cache.isEmpty() ? Path.of(home, ".cache") : Path.of(cache)).resolve("assay")
                .resolve("ceiling.json");
    }

    /** This user's ceiling, empty where none was measured or the file is damaged: it only adds a check. */
    public static Optional<Ceiling> ofThisUser() {
        return read(file(System.getenv(), System.getProperty("user.home", ".")));
    }

    /** The ceiling in a file, empty where there is none that reads. */
    public static Optional<Ceiling> read(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.readFile(file, Ceiling.class));
        } catch (AssayException e) {
            return Optional.empty();
        }
    }

    /** Keeps it in a file. */
    public void write(Path file) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.writeString(file, Json.pretty(this));
        } catch (IOException e) {
            throw AssayException.environment(file + ": not written: " + e.getMessage(), e);
        }
    }

    /** The largest share of a limit that a run used. */
    public double used(LoadRun run) {
        double seconds = run.windowNanos() / 1e9;
        long events = run.outcomes().stream().mapToLong(o -> o.contentNanos().length).sum();
        double weight = run.weight();
        return Math.max(weight * run.outcomes().size() / seconds / requestsPerS,
                Math.max(weight * events / seconds / eventsPerS,
                        run.client().peakInFlight() / (double) streams));
    }
}
