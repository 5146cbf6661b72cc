package dev.assay.review;

import dev.assay.review.Expectation.Band;
import dev.assay.stats.DetectionLimit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says where a predicted effect lies under what the planned blocks can show, and which measurement could decide it:
 * more blocks where they are few enough, else one of the part that the change touches.
 */
final class Detectability {
    private static final double LEVEL = 0.95;
    private static final double POWER = 0.8;
    /** More blocks than this are no plan. */
    private static final int MOST_BLOCKS = 96;
    /** An effect below this is none. */
    private static final double NONE = 1e-4;

    private Detectability() {}

    /** One sentence that begins with a space, or nothing where every effect can be seen. */
    static String words(List<Band> bands, int blocks) {
        List<Band> under = bands.stream().filter(Detectability::under).toList();
        if (under.isEmpty()) {
            return "";
        }
        Band largest = under.stream().max(Comparator.comparingDouble(Detectability::effect)).orElseThrow();
        String where = under.size() == bands.size() && bands.size() > 1
                ? "every load point"
                : under.stream().map(b -> String.format(Locale.ROOT, "%.3g", b.offeredRps()))
                        .collect(Collectors.joining(", ")) + " requests/s";
        double limit = 1 + largest.detectionLimit();
        return String.format(Locale.ROOT,
                " At %s the effect lies under what %d blocks can show (at %.3g/s ×%.3f, limit ×%.3f): %s.",
                where,
                blocks, largest.offeredRps(), largest.estimate(), largest.estimate() < 1 ? 1 / limit : limit,
                decider(largest, blocks));
    }

    private static boolean under(Band band) {
        return band.detectionLimit() > 0 && effect(band) < Math.log1p(band.detectionLimit());
    }

    private static double effect(Band band) {
        return band.estimate() > 0 ? Math.abs(Math.log(band.estimate())) : 0;
    }

    private static String decider(Band band, int blocks) {
        double sd = Math.log1p(band.detectionLimit())
                / DetectionLimit.of(blocks, 1, LEVEL, POWER).orElse(Double.NaN);
        Optional<Integer> needed = effect(band) < NONE || !(sd > 0)
                ? Optional.empty()
                : needed(effect(band), sd, blocks);
        return needed.map(n -> "about " + n + " blocks would decide it")
                .orElse("a measurement of the part itself (kernel or step time) has to decide it, not even "
                        + MOST_BLOCKS + " blocks would");
    }

    /** The fewest blocks whose detection limit is the effect. */
    private static Optional<Integer> needed(double effect, double sd, int from) {
        if (limit(MOST_BLOCKS, sd) > effect) {
            return Optional.empty();
        }
        int low = from;
        int high = MOST_BLOCKS;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (limit(middle, sd) <= effect) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Optional.of(high);
    }

    private static double limit(int blocks, double sd) {
        return DetectionLimit.of(blocks, sd, LEVEL, POWER).orElse(Double.POSITIVE_INFINITY);
    }
}
