package dev.assay.workload;

/** What a turn's new text is made of; the text itself is made when the request is asked for. */
sealed interface PromptPlan {
    /** Words of its own. */
    record Words(int tokens) implements PromptPlan {}

    /** A group's common text, then words of its own. */
    record Prefixed(PrefixGroups.Group group, int tokens) implements PromptPlan {}

    /** Tokens {@code from} (included) to {@code to} of a prompt of hashed blocks; each round has other texts. */
    record Blocks(HashIds ids, long round, int blockTokens, int from, int to) implements PromptPlan {}

    /** A recorded text. */
    record Text(String text) implements PromptPlan {}

    /** The text for the request with this id. */
    default String text(long seed, int id, Calibration calibration) {
        return switch (this) {
            case Words w -> Prompts.text(seed, id, w.tokens(), calibration);
            case Prefixed p -> Prompts.prefixed(seed, id, p.group(), p.tokens(), calibration);
            case Blocks b -> Prompts.blocks(seed, id, b, calibration);
            case Text t -> t.text();
        };
    }
}
