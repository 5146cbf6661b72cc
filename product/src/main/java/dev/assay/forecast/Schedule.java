package dev.assay.forecast;

import dev.assay.workload.Request;
import java.util.List;

/** A run's requests for the twin, in order of arrival. */
record Schedule(List<Request> requests, int longestTokens) {
    static Schedule of(List<Request> requests) {
        int longest = 1;
        long before = 0;
        for (Request r : requests) {
            if (r.arrivalNanos() < before) {
                throw new IllegalArgumentException(
                        "request " + r.id() + " arrives before the one ahead of it");
            }
            before = r.arrivalNanos();
            longest = Math.max(longest, Math.addExact(r.promptTokens(), r.outputTokens()));
        }
        return new Schedule(List.copyOf(requests), longest);
    }
}
