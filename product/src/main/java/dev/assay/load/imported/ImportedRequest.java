package dev.assay.load.imported;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One request of a result that keeps its requests. What the file lacks is empty.
 *
 * @param completed whether it ended without a failure; only such requests give latencies
 * @param scheduledToSentMs how long after its planned time it was sent
 * @param ttftMs first content − sent
 * @param lastMs last content − sent
 * @param gapsMs gaps between chunks, after the first
 * @param outputTokens completion tokens
 */
public record ImportedRequest(boolean completed, OptionalDouble scheduledToSentMs, OptionalDouble ttftMs,
        OptionalDouble lastMs, double[] gapsMs, OptionalInt inputTokens, OptionalInt outputTokens) {

    /** (last − first) / (tokens − 1); empty for fewer than two tokens or one chunk. */
    OptionalDouble tpotMs() {
        int tokens = outputTokens.orElse(0);
        if (ttftMs.isEmpty() || lastMs.isEmpty() || tokens < 2
                || lastMs.getAsDouble() <= ttftMs.getAsDouble()) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of((lastMs.getAsDouble() - ttftMs.getAsDouble()) / (tokens - 1));
    }
}
