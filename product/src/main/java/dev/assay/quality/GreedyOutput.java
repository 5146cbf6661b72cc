package dev.assay.quality;

import java.util.List;
import java.util.Optional;

/**
 * What one arm wrote at temperature 0 for one prompt.
 *
 * @param tokens the tokens' names where the server gave log-probabilities, else the code points of the text
 * @param logprobs natural log-probability of each token; absent where the server gave none
 * @param text the output as one text
 */
public record GreedyOutput(String promptId, String prompt, List<String> tokens,
        Optional<List<Double>> logprobs,
        String text) {
    public GreedyOutput {
        tokens = List.copyOf(tokens);
        logprobs = logprobs.map(values -> values.stream().map(v -> v + 0.0).toList());
        if (logprobs.isPresent() && logprobs.get().size() != tokens.size()) {
            throw new IllegalArgumentException(
                    logprobs.get().size() + " log-probabilities of prompt '" + promptId
                            + "': expected one per token, " + tokens.size());
        }
    }

    /** Whether the server told its tokens. */
    boolean hasTokens() {
        return logprobs.isPresent();
    }

    static List<String> codePoints(String text) {
        return text.codePoints().mapToObj(Character::toString).toList();
    }
}
