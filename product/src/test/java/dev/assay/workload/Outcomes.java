package dev.assay.workload;

import java.util.Optional;
import java.util.OptionalLong;

/** Makes outcomes for tests; times in milliseconds. */
public final class Outcomes {
    private Outcomes() {}

    public static Request request(int id, long arrivalMs, int outputTokens) {
        return new Request(id, arrivalMs * 1_000_000, "a prompt", 8, outputTokens, "default",
                Optional.empty());
    }

    /** A completed request without usage, sent on time, one token an event. */
    public static RequestOutcome completed(int id, long arrivalMs, long... contentMs) {
        int[] tokens = new int[contentMs.length];
        java.util.Arrays.fill(tokens, 1);
        return bundled(id, arrivalMs, contentMs, tokens, OptionalLong.empty());
    }

    public static RequestOutcome bundled(int id, long arrivalMs, long[] contentMs, int[] tokens,
            OptionalLong usage) {
        long[] nanos = new long[contentMs.length];
        int sum = 0;
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = contentMs[i] * 1_000_000;
            sum += tokens[i];
        }
        return new RequestOutcome(request(id, arrivalMs, Math.max(1, sum)),
                OptionalLong.of(arrivalMs * 1_000_000),
                OptionalLong.of(nanos[0]), OptionalLong.of(nanos[0]), OptionalLong.of(nanos[0]),
                nanos[nanos.length - 1], nanos, tokens, (int) usage.orElse(sum),
                usage.isPresent(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), "", "");
    }

    public static RequestOutcome failed(int id, long arrivalMs, FailureClass failure) {
        return new RequestOutcome(request(id, arrivalMs, 4), OptionalLong.empty(), OptionalLong.empty(),
                OptionalLong.empty(), OptionalLong.empty(), (arrivalMs + 1) * 1_000_000, new long[0],
                new int[0], 0, false, OptionalLong.empty(),
                OptionalLong.empty(), Optional.of(failure), "it failed", "");
    }
}
