package dev.assay.workload;

import java.util.Optional;

/**
 * One class of requests in a mix: how often, how long, how they begin, how many turns they have, and what they must
 * meet.
 *
 * @param weight its share among the classes' weights; conversations are drawn by it
 * @param input tokens of the new text of each turn, the group's prefix not counted
 * @param output tokens of each answer
 * @param prefix the groups whose common text begins the first turn's prompt
 * @param turns requests of a conversation, 1 for single requests
 * @param think between an answer and the next turn
 * @param slo its objective, where it has one of its own
 */
public record RequestClass(String name, double weight, LengthDistribution input, LengthDistribution output,
        Optional<PrefixGroups> prefix, LengthDistribution turns, Pause think, Optional<Slo> slo) {
    private static final LengthDistribution ONE = new LengthDistribution.Constant(1);

    public RequestClass {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a class has no name");
        }
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new IllegalArgumentException(
                    "class '" + name + "' has the weight " + weight + "; expected more than 0");
        }
    }

    /** Single requests of these lengths, without prefix and objective. */
    public static RequestClass of(String name, LengthDistribution input, LengthDistribution output) {
        return new RequestClass(name, 1, input, output, Optional.empty(), ONE, Pause.none(),
                Optional.empty());
    }

    /** The same as conversations. */
    public RequestClass withTurns(LengthDistribution requests) {
        return new RequestClass(name, weight, input, output, prefix, requests, think, slo);
    }

    /** The same with another pause before a later turn. */
    public RequestClass withThink(Pause pause) {
        return new RequestClass(name, weight, input, output, prefix, turns, pause, slo);
    }

    /** The same with prompts that begin with their group's text. */
    public RequestClass withPrefix(PrefixGroups groups) {
        return new RequestClass(name, weight, input, output, Optional.of(groups), turns, think, slo);
    }

    /** The same with these prompt and answer lengths. */
    public RequestClass withLengths(LengthDistribution prompt, LengthDistribution answer) {
        return new RequestClass(name, weight, prompt, answer, prefix, turns, think, slo);
    }

    /** Whether its requests are no conversations. */
    public boolean single() {
        return turns.equals(ONE);
    }
}
