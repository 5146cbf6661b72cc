package dev.assay.model;

/** The feed-forward part of one kind of layer. */
public sealed interface FeedForward {
    /**
     * One network for every token.
     *
     * @param inner its inner width
     */
    record Dense(int inner) implements FeedForward {
        public Dense {
            Bounds.atLeast("intermediate_size", inner, 1);
        }
    }

    /**
     * Experts of which each token visits a few.
     *
     * @param experts routed experts
     * @param topK routed experts of one token
     * @param inner inner width of one routed expert
     * @param sharedInner inner width of all shared experts together, 0 where there is none
     * @param biases whether router and experts have biases
     * @param sharedGate whether the shared expert has a gate
     */
    record Mixture(int experts, int topK, int inner, int sharedInner, boolean biases, boolean sharedGate)
            implements
                FeedForward {
        public Mixture {
            Bounds.atLeast("experts", experts, 1);
            Bounds.atLeast("experts per token", topK, 1);
            Bounds.atLeast("expert intermediate size", inner, 1);
            Bounds.atLeast("shared expert intermediate size", sharedInner, 0);
            if (topK > experts) {
                throw new IllegalArgumentException(
                        "experts per token is " + topK + "; expected at most the experts, " + experts);
            }
        }

        /** Expected number of different experts that {@code tokens} visit under uniform routing: E(1-(1-k/E)^T). */
        public double expectedDistinct(double tokens) {
            return experts * -Math.expm1(tokens * Math.log1p(-(double) topK / experts));
        }
    }
}
