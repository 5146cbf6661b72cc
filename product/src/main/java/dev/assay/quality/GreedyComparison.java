package dev.assay.quality;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The two arms' greedy outputs held against each other, prompt by prompt.
 *
 * @param unit what was compared: tokens, or code points of the text where an arm told no tokens
 * @param prompts one per prompt, in the baseline's order
 * @param identical prompts with the same output
 * @param matched units before the first divergence, summed over prompts
 * @param compared units of the longer output, summed over prompts
 */
public record GreedyComparison(Unit unit, List<PromptComparison> prompts, int identical, int matched,
        int compared) {

    /** What is compared. */
    public enum Unit {
        /** The server's tokens by name. */
        TOKENS,
        /** Unicode code points of the text, since at least one arm gave no log-probabilities. */
        CODE_POINTS
    }

    /**
     * One prompt.
     *
     * @param firstDivergence index of the first unit that differs; absent where the outputs are identical
     * @param matched units before it
     */
    public record PromptComparison(String promptId, boolean identical, Optional<Integer> firstDivergence,
            int matched,
            int baselineLength, int candidateLength) {}

    public GreedyComparison {
        prompts = List.copyOf(prompts);
    }

    /** Compares outputs of the same prompts; their order in the candidate's list does not matter. */
    public static GreedyComparison compare(List<GreedyOutput> baseline, List<GreedyOutput> candidate) {
        Map<String, GreedyOutput> others = new LinkedHashMap<>();
        candidate.forEach(output -> others.put(output.promptId(), output));
        boolean tokens = baseline.stream().allMatch(GreedyOutput::hasTokens)
                && candidate.stream().allMatch(GreedyOutput::hasTokens);
        List<PromptComparison> prompts = new ArrayList<>();
        for (GreedyOutput output : baseline) {
            GreedyOutput other = others.remove(output.promptId());
            if (other == null || !other.prompt().equals(output.prompt())) {
                throw new IllegalArgumentException("prompt '" + output.promptId()
                        + "': expected the same prompt in the candidate's outputs");
            }
            prompts.add(tokens
                    ? prompt(output.promptId(), output.tokens(), other.tokens())
                    : prompt(output.promptId(), GreedyOutput.codePoints(output.text()),
                            GreedyOutput.codePoints(other.text())));
        }
        if (!others.isEmpty()) {
            throw new IllegalArgumentException("prompt '" + others.keySet().iterator().next()
                    + "': expected it once in each arm's outputs");
        }
        return new GreedyComparison(tokens ? Unit.TOKENS : Unit.CODE_POINTS, prompts,
                (int) prompts.stream().filter(PromptComparison::identical).count(),
                prompts.stream().mapToInt(PromptComparison::matched).sum(),
                prompts.stream().mapToInt(p -> Math.max(p.baselineLength(), p.candidateLength())).sum());
    }

    private static PromptComparison prompt(String id, List<String> a, List<String> b) {
        int shorter = Math.min(a.size(), b.size());
        int matched = 0;
        while (matched < shorter && a.get(matched).equals(b.get(matched))) {
            matched++;
        }
        boolean identical = matched == a.size() && matched == b.size();
        return new PromptComparison(id, identical, identical ? Optional.empty() : Optional.of(matched),
                matched, a.size(),
                b.size());
    }
}
