package dev.assay.quality;

/**
 * How much both arms are asked.
 *
 * @param maxTokens tokens of greedy output per prompt
 * @param positionsPerPrompt at most so many positions per prompt are scored
 * @param maxRequests at most so many scoring requests per arm in all
 * @param topK alternatives asked for per position; a server that refuses this number is asked for fewer
 * @param level of the intervals
 * @param resamples of the bootstrap over prompts
 * @param seed of that bootstrap, so that recomputing gives the same figures
 */
public record QualitySettings(int maxTokens, int positionsPerPrompt, int maxRequests, int topK, double level,
        int resamples, long seed) {
    /** Eight prompts of 24 positions: about ten seconds per arm on a small model. */
    public static final QualitySettings DEFAULT = new QualitySettings(32, 24, 192, 20, 0.95, 2000, 1);

    public QualitySettings {
        require("max tokens", maxTokens, 1, 100_000);
        require("positions per prompt", positionsPerPrompt, 0, 100_000);
        require("max requests", maxRequests, 0, 1_000_000);
        require("top k", topK, 1, 1000);
        require("resamples", resamples, 1, 1_000_000);
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("level " + level + ": expected a number in (0, 1)");
        }
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + ": expected " + least + " to " + most);
        }
    }
}
