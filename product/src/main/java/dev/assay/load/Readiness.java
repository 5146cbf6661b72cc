package dev.assay.load;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * When a server counts as ready: one of the paths answers with the status, and a line of its output matches.
 *
 * @param paths asked in order; one that answers 404 is passed over; none means that only the output counts
 * @param status that a ready server answers with
 * @param logLine looked for in each line of the output, empty for no such condition
 */
public record Readiness(List<String> paths, int status, Optional<Pattern> logLine, long timeoutNanos) {
    private static final List<String> HEALTH = List.of("/health", "/v1/models");

    public Readiness {
        paths = List.copyOf(paths);
        if (paths.isEmpty() && logLine.isEmpty()) {
            throw new IllegalArgumentException("readiness: no path and no log line; expected at least one");
        }
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("readiness: status " + status + "; expected 100 to 599");
        }
        if (timeoutNanos <= 0) {
            throw new IllegalArgumentException(
                    "readiness: timeout " + timeoutNanos + " ns; expected more than 0");
        }
    }

    /** The usual paths of inference servers, with status 200. */
    public static Readiness within(long timeoutNanos) {
        return new Readiness(HEALTH, 200, Optional.empty(), timeoutNanos);
    }

    /** The same with other paths. */
    public Readiness withPaths(List<String> others) {
        return new Readiness(others, status, logLine, timeoutNanos);
    }

    /** The same with another status. */
    public Readiness withStatus(int other) {
        return new Readiness(paths, other, logLine, timeoutNanos);
    }

    /** The same with a line of the output that must have come. */
    public Readiness withLogLine(Pattern line) {
        return new Readiness(paths, status, Optional.of(line), timeoutNanos);
    }
}
