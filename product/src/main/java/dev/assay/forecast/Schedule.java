package dev.assay.forecast;

import dev.assay.scheduler.Sequence;
import dev.assay.workload.Request;
import java.util.List;

/**
 * A run's requests for the twin, in order of arrival.
 *
 * @param tokens each prompt's tokens, where prefixes are shared; empty where the lengths say all
 */
record Schedule(List<Request> requests, int longestTokens, List<int[]> tokens) {
    static Schedule of(List<Request> requests) {
        return of(requests, List.of());
    }

    static Schedule of(List<Request> requests, List<int[]> tokens) {
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
        return new Schedule(List.copyOf(requests), longest, tokens);
    }

    /** The same requests by their lengths alone. */
    Schedule withoutTokens() {
        return new Schedule(requests, longestTokens, List.of());
    }

    /** A request as the scheduler takes it. */
    Sequence sequence(int index) {
        Request r = requests.get(index);
        return tokens.isEmpty()
                ? Sequence.ofLength(index, r.promptTokens(), r.outputTokens())
                : Sequence.ofTokens(index, tokens.get(index), r.outputTokens());
    }
}
