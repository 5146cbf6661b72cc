package dev.assay.quality;

/**
 * The comparison of two arms' outputs with the raw answers from which every figure can be recomputed; stored as
 * evidence in its JSON form.
 */
public record QualityReport(QualityRaw raw, GreedyComparison greedy, LikelihoodComparison likelihood) {

    /** The report of raw answers: a pure function, so that recomputing gives the same figures to the last bit. */
    public static QualityReport recompute(QualityRaw raw) {
        return new QualityReport(raw,
                GreedyComparison.compare(raw.baseline().greedy(), raw.candidate().greedy()),
                LikelihoodComparison.compare(raw));
    }

    /** Whether the figures are those that the raw answers give. */
    public boolean reproduces() {
        return recompute(raw).equals(this);
    }
}
