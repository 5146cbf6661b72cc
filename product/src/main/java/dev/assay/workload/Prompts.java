package dev.assay.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Prompts of plain words drawn from a seed. The first words encode the request's number, so that no two prompts of a
 * run share a prefix by accident; a new seed gives new prompts throughout.
 */
public final class Prompts {
    private static final List<String> WORDS = load();

    private Prompts() {}

    /** The prompt of request {@code id} with about {@code tokens} tokens. */
    public static String text(long seed, int id, int tokens, Calibration calibration) {
        return ofWords(seed, id, calibration.words(tokens));
    }

    /** The prompt of request {@code id} with exactly {@code words} words. */
    public static String ofWords(long seed, int id, int words) {
        SplittableRandom random = Seeds.stream(seed, Seeds.PROMPTS, id);
        SplittableRandom shared = Seeds.stream(seed, Seeds.PROMPTS, -1);
        StringBuilder text = new StringBuilder(words * 6);
        int number = id;
        for (int i = 0; i < words; i++) {
            // Two leading words are the digits of the id in base |WORDS|, shifted by the seed; the rest is random.
            int index = i < 2
                    ? Math.floorMod(number + shared.nextInt(WORDS.size()), WORDS.size())
                    : random.nextInt(WORDS.size());
            number /= WORDS.size();
            text.append(i == 0 ? "" : " ").append(WORDS.get(index));
        }
        return text.toString();
    }

    static List<String> words() {
        return WORDS;
    }

    private static List<String> load() {
        try (InputStream in = Prompts.class.getResourceAsStream("words.txt")) {
            if (in == null) {
                throw new IllegalStateException("words.txt is not in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .flatMap(line -> List.of(line.split(" ")).stream()).filter(word -> !word.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
