package dev.assay.workload;

/**
 * How many tokens a server's tokenizer and template make of a prompt of plain words: overhead + tokensPerWord × words.
 *
 * @param tokensPerWord tokens of one word with its space
 * @param overheadTokens tokens that every prompt has besides (start token, chat template)
 */
public record Calibration(double tokensPerWord, double overheadTokens) {
    /** What a common English word costs in the vocabularies of 2023 and later, where the server was not asked. */
    public static final Calibration ASSUMED = new Calibration(1.0, 0);

    public Calibration {
        if (!(tokensPerWord > 0) || !(overheadTokens >= 0)) {
            throw new IllegalArgumentException("calibration is " + overheadTokens + " + " + tokensPerWord
                    + " per word; expected more than 0 per word and no negative overhead");
        }
    }

    /** The line through two measured prompts; the overhead is cut at 0. */
    public static Calibration through(int words1, long tokens1, int words2, long tokens2) {
        double slope = (tokens2 - tokens1) / (double) (words2 - words1);
        return new Calibration(slope, Math.max(0, tokens1 - slope * words1));
    }

    /** The number of words whose prompt has about {@code tokens} tokens; at least one. */
    public int words(int tokens) {
        return (int) Math.max(1, Math.round((tokens - overheadTokens) / tokensPerWord));
    }
}
