package dev.assay.workload;

import java.util.Optional;

/**
 * One request of a workload, before it is sent.
 *
 * @param id its index in the schedule, from 0
 * @param arrivalNanos when it is to be sent, from the start of the run
 * @param prompt the prompt's text; of a later turn only what is new in it
 * @param promptTokens the tokens that the prompt is meant to have, with the history of its conversation as planned; the
 * server's own count comes back in the outcome
 * @param outputTokens the tokens to generate: exact where the server honours {@code ignore_eos}, else an upper bound
 * @param requestClass the class whose SLO applies
 * @param turn its place in a conversation, where it belongs to one
 */
public record Request(int id, long arrivalNanos, String prompt, int promptTokens, int outputTokens,
        String requestClass, Optional<Turn> turn) {
    public Request {
        if (arrivalNanos < 0) {
            throw new IllegalArgumentException("arrivalNanos is " + arrivalNanos + "; expected 0 or more");
        }
        if (promptTokens < 1 || outputTokens < 1) {
            throw new IllegalArgumentException(
                    "a request needs at least one token in and out, found " + promptTokens
                            + " and " + outputTokens);
        }
    }

    /** The same request, scheduled at another time. */
    public Request at(long nanos) {
        return new Request(id, nanos, prompt, promptTokens, outputTokens, requestClass, turn);
    }

    /** The same request without its text, with other lengths. */
    public Request sized(int input, int output) {
        return new Request(id, arrivalNanos, "", input, output, requestClass, turn);
    }
}
