package dev.assay.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The positions at which both arms are asked for their next-token probabilities after the same text: the prompt and
 * the beginning of the baseline's greedy output.
 *
 * @param positions what to ask, in prompt order
 * @param skippedText positions whose text is no whole UTF-8 text or could not be told from the tokens
 * @param skippedLimit positions beyond the limits of the settings
 * @param untokenized prompts whose baseline output came without log-probabilities, which leaves nothing to ask
 */
public record TeacherForcing(List<Position> positions, int skippedText, int skippedLimit, int untokenized) {

    /**
     * One position.
     *
     * @param index tokens of the output before this one
     * @param prefix the text to send
     * @param token the baseline's greedy token that follows
     */
    public record Position(String promptId, int index, String prefix, String token) {}

    public TeacherForcing {
        positions = List.copyOf(positions);
    }

    /** The plan from the baseline's outputs. Positions within a prompt come in order from its first token. */
    public static TeacherForcing of(List<GreedyOutput> baseline, QualitySettings settings) {
        List<Position> positions = new ArrayList<>();
        int skippedText = 0;
        int skippedLimit = 0;
        int untokenized = 0;
        for (GreedyOutput output : baseline) {
            if (!output.hasTokens()) {
                untokenized++;
                continue;
            }
            int asked = 0;
            for (int i = 0; i < output.tokens().size(); i++) {
                Optional<Position> position = position(output, i);
                if (asked == settings.positionsPerPrompt() || positions.size() == settings.maxRequests()) {
                    skippedLimit++;
                } else if (position.isEmpty()) {
                    skippedText++;
                } else {
                    positions.add(position.get());
                    asked++;
                }
            }
        }
        return new TeacherForcing(positions, skippedText, skippedLimit, untokenized);
    }

    private static Optional<Position> position(GreedyOutput output, int index) {
        String token = output.tokens().get(index);
        return TokenText.join(output.tokens().subList(0, index))
                // The text the server sent decides: a name that is not what the text shows is not a prefix to send.
                .filter(before -> output.text().startsWith(before) && !TokenText.hidden(token))
                .map(before -> new Position(output.promptId(), index, output.prompt() + before, token));
    }
}
