package dev.assay.quality;

/** A token's name and its natural log-probability. A token that is no whole text is named {@code bytes:\xNN...}. */
public record TokenLogprob(String token, double logprob) {
    public TokenLogprob {
        if (!Double.isFinite(logprob)) {
            throw new IllegalArgumentException("log-probability " + logprob + ": expected a finite number");
        }
        // The canonical file form has no negative zero, and recomputing from it must give equal values.
        logprob = logprob + 0.0;
    }
}
