package dev.assay.workload;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A conversation, or a single request, before it has a time, ids and texts.
 *
 * @param recordedNanos when the trace saw it, or when it is due in the trace's pattern; 0 where there is no trace
 */
record Session(long recordedNanos, String requestClass, List<Draft> turns) {
    Session {
        turns = List.copyOf(turns);
    }

    /**
     * One turn of it.
     *
     * @param promptTokens tokens of the whole prompt, with the history as planned
     * @param thinkNanos after the answer before
     */
    record Draft(PromptPlan plan, int promptTokens, int outputTokens, long thinkNanos) {}

    /** Makes the sessions of a run in their order. */
    interface Source {
        /** The next session, whose first request has this id; empty at the end. */
        Optional<Session> next(int firstId);

        /** How many requests it makes in all, where that is known and it ends. */
        default OptionalInt requests() {
            return OptionalInt.empty();
        }
    }
}
