package dev.assay.engine;

import java.util.Optional;

/**
 * One step's news for one request.
 *
 * @param token    the new token; negative where the request ended without one
 * @param text     the text that became complete with it, often none or that of earlier tokens too
 * @param logprobs present where asked for
 * @param finish   present on the last event
 * @param stopText the stop string that ended it
 */
record TokenEvent(int token, String text, Optional<TokenLogprobs> logprobs, Optional<FinishReason> finish,
        Optional<String> stopText) {
    /** The end of a request that gets no more tokens. */
    static TokenEvent aborted() {
        return new TokenEvent(-1, "", Optional.empty(), Optional.of(FinishReason.ABORT), Optional.empty());
    }
}
