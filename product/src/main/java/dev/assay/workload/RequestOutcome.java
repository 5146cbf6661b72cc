package dev.assay.workload;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What came back for one request, as raw times; every metric is computed from these by {@link Metrics}.
 *
 * <p>All times are nanoseconds from the start of the run on one monotonic clock. What did not happen is empty, never 0.
 *
 * @param request what was sent
 * @param sentNanos when the first byte was written
 * @param firstByteNanos when the first byte of the response arrived
 * @param headersNanos when the response's headers were complete
 * @param firstAnswerNanos when the first content that is no reasoning arrived
 * @param endNanos when the response ended or the request was given up
 * @param contentNanos arrival of each event that carried tokens, ascending; the first is the first content
 * @param contentTokens tokens that each of those events carried (1 where the server does not say); same length
 * @param outputTokens completion tokens by the server's usage, else the sum of {@code contentTokens}
 * @param usageReported whether the server's usage gave {@code outputTokens}
 * @param promptTokens prompt tokens by the server's usage
 * @param cachedTokens prompt tokens served from a prefix cache, where the server says so
 * @param failure empty where the request completed
 * @param detail one line on the failure, else empty text
 * @param text the generated text, empty where it was not kept
 */
public record RequestOutcome(Request request, OptionalLong sentNanos, OptionalLong firstByteNanos,
        OptionalLong headersNanos, OptionalLong firstAnswerNanos, long endNanos,
        long[] contentNanos, int[] contentTokens, int outputTokens, boolean usageReported,
        OptionalLong promptTokens,
        OptionalLong cachedTokens, Optional<FailureClass> failure, String detail, String text) {
    public RequestOutcome {
        if (contentNanos.length != contentTokens.length) {
            throw new IllegalArgumentException(
                    "contentNanos has " + contentNanos.length + " entries, contentTokens "
                            + contentTokens.length);
        }
    }

    /** Whether the request completed. */
    public boolean completed() {
        return failure.isEmpty();
    }

    /** When the first token came. */
    public OptionalLong firstContentNanos() {
        return contentNanos.length == 0 ? OptionalLong.empty() : OptionalLong.of(contentNanos[0]);
    }

    /** When the last token came. */
    public OptionalLong lastContentNanos() {
        return contentNanos.length == 0
                ? OptionalLong.empty()
                : OptionalLong.of(contentNanos[contentNanos.length - 1]);
    }

    /** The same without the generated text. */
    public RequestOutcome withoutText() {
        return text.isEmpty()
                ? this
                : new RequestOutcome(request, sentNanos, firstByteNanos, headersNanos, firstAnswerNanos,
                        endNanos,
                        contentNanos, contentTokens, outputTokens, usageReported, promptTokens, cachedTokens,
                        failure,
                        detail, "");
    }
}
