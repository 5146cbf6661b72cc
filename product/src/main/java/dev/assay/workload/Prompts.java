package dev.assay.workload;

import dev.assay.Resources;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Prompts of plain words drawn from a seed. The first words encode the request's number, so that no two prompts of a
 * run share a prefix by accident; a new seed gives new prompts throughout.
 */
public final class Prompts {
    private static final List<String> WORDS = load();
    private static final String[] SPACED = WORDS.stream().map(word -> " " + word).toArray(String[]::new);

    private Prompts() {}

    /** The prompt of request {@code id} with about {@code tokens} tokens. */
    public static String text(long seed, int id, int tokens, Calibration calibration) {
        return ofWords(seed, id, calibration.words(tokens));
    }

    /** The prompt of request {@code id} with exactly {@code words} words. */
    public static String ofWords(long seed, int id, int words) {
        StringBuilder text = new StringBuilder(words * 6);
        own(text, seed, id, words);
        return text.toString();
    }

    /** The group's common text, then {@code tokens} of the request's own. */
    static String prefixed(long seed, int id, PrefixGroups.Group group, int tokens, Calibration calibration) {
        int common = common(group.tokens(), calibration);
        int all = calibration.words(group.tokens() + tokens);
        StringBuilder text = new StringBuilder((all + 1) * 6);
        SplittableRandom random = Seeds.stream(seed, Seeds.PREFIXES, group.text());
        for (int i = 0; i < common; i++) {
            word(text, random.nextInt(WORDS.size()));
        }
        own(text, seed, id, Math.max(1, all - common));
        return text.toString();
    }

    /** How many words a common text of so many tokens has, at least one. */
    static int common(int tokens, Calibration calibration) {
        return (int) Math.max(1, Math.round(tokens / calibration.tokensPerWord()));
    }

    /**
     * A part of a prompt of hashed blocks. A word belongs to the block in which its first token falls and is drawn from
     * that block's number, so that prompts whose leading numbers are equal share just those words. What no number
     * covers is the request's own.
     */
    static String blocks(long seed, int id, PromptPlan.Blocks plan, Calibration calibration) {
        int from = (int) Math.round(plan.from() / calibration.tokensPerWord());
        int to = Math.max(from + 1,
                plan.from() == 0
                        ? calibration.words(plan.to())
                        : (int) Math.round(plan.to() / calibration.tokensPerWord()));
        double wordsPerBlock = plan.blockTokens() / calibration.tokensPerWord();
        StringBuilder text = new StringBuilder((to - from) * 6);
        for (int block = (int) (from / wordsPerBlock); block < plan.ids().size(); block++) {
            int first = (int) Math.ceil(block * wordsPerBlock);
            int end = Math.min(to, (int) Math.ceil((block + 1) * wordsPerBlock));
            SplittableRandom random = Seeds.stream(seed, Seeds.BLOCKS,
                    plan.ids().get(block) + (plan.round() << 32));
            for (int i = first; i < end; i++) {
                int drawn = random.nextInt(WORDS.size());
                if (i >= from) {
                    word(text, drawn);
                }
            }
        }
        int covered = (int) Math.ceil(plan.ids().size() * wordsPerBlock);
        if (to > Math.max(from, covered)) {
            own(text, seed, id, to - Math.max(from, covered));
        }
        return text.toString();
    }

    /** Words of the request's own: two that say its number in base |WORDS|, shifted by the seed, then random ones. */
    private static void own(StringBuilder text, long seed, int id, int words) {
        SplittableRandom random = Seeds.stream(seed, Seeds.PROMPTS, id);
        SplittableRandom shared = Seeds.stream(seed, Seeds.PROMPTS, -1);
        int number = id;
        for (int i = 0; i < words; i++) {
            word(text, i < 2
                    ? Math.floorMod(number + shared.nextInt(WORDS.size()), WORDS.size())
                    : random.nextInt(WORDS.size()));
            number /= WORDS.size();
        }
    }

    private static void word(StringBuilder text, int index) {
        text.append(text.isEmpty() ? WORDS.get(index) : SPACED[index]);
    }

    static List<String> words() {
        return WORDS;
    }

    private static List<String> load() {
        return Resources.text(Prompts.class, "words.txt").lines()
                .flatMap(line -> List.of(line.split(" ")).stream()).filter(word -> !word.isEmpty()).toList();
    }
}
