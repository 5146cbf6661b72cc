package dev.assay.forecast;

import dev.assay.workload.Request;
import java.util.List;

/**
 * A run's requests for the twin, in order of arrival.
 *
 * @param tokens each prompt's tokens, where prefixes are shared; empty where the lengths say all
 */
record Schedule(List<Request> requests, int longestTokens, List<int[]> tokens) {
    private static final int[] NO_TOKENS = {};

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

    /** The tokens of a request's prompt; none where its length says all. */
    int[] tokensOf(int index) {
        return tokens.isEmpty() ? NO_TOKENS : tokens.get(index);
    }
}
