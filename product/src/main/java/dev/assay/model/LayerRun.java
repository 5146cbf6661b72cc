package dev.assay.model;

/**
 * Layers of one kind, wherever they stand in the model.
 *
 * @param count how many
 * @param norms norm vectors of the hidden size in each
 */
public record LayerRun(int count, AttentionSpec attention, FeedForward feedForward, int norms) {
    public LayerRun {
        Bounds.atLeast("layers", count, 1);
        Bounds.atLeast("norms", norms, 0);
    }
}
