package dev.assay.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * A percentile bootstrap interval of a quantity derived from blocks (or other clusters), drawn with replacement.
 *
 * <p>The quantity may be infinite to say "below" or "above all that was measured" and {@code NaN} to say that it is
 * undefined in this resample. An end of the interval is absent where it is infinite; both are absent where more
 * resamples are undefined than the interval leaves out.
 *
 * @param clusters number of blocks or clusters
 * @param estimate on the clusters as they are; absent where infinite or undefined
 * @param level of the interval
 * @param low lower end; absent where not bracketed
 * @param high upper end; absent where not bracketed
 * @param resamples number drawn
 * @param undefined how many were undefined
 * @param doubts why something is absent
 */
public record BlockBootstrap(int clusters, OptionalDouble estimate, double level, OptionalDouble low,
        OptionalDouble high, int resamples, int undefined, List<Doubt> doubts) {
    /** Resamples where the caller has no reason for another number. */
    public static final int DEFAULT_RESAMPLES = 2000;

    public BlockBootstrap {
        doubts = List.copyOf(doubts);
    }

    /** The interval of {@code quantity}, a function of the indices of the drawn clusters (repetitions included). */
    public static BlockBootstrap of(int clusters, ToDoubleFunction<int[]> quantity, double level,
            int resamples,
            RandomGenerator random) {
        Levels.requireAtLeast("clusters", clusters, 1);
        Levels.requireAtLeast("resamples", resamples, 1);
        Levels.requireShare("level", level);
        int[] drawn = new int[clusters];
        Arrays.setAll(drawn, i -> i);
        double estimate = quantity.applyAsDouble(drawn.clone());
        double[] values = new double[resamples];
        int defined = 0;
        for (int r = 0; r < resamples; r++) {
            for (int i = 0; i < clusters; i++) {
                drawn[i] = random.nextInt(clusters);
            }
            double value = quantity.applyAsDouble(drawn.clone());
            if (!Double.isNaN(value)) {
                values[defined++] = value;
            }
        }
        return summarise(clusters, estimate, Arrays.copyOf(values, defined), level, resamples);
    }

    private static BlockBootstrap summarise(int clusters, double estimate, double[] values, double level,
            int resamples) {
        int undefined = resamples - values.length;
        List<Doubt> doubts = new ArrayList<>();
        OptionalDouble low = OptionalDouble.empty();
        OptionalDouble high = OptionalDouble.empty();
        if (clusters == 1) {
            doubts.add(new Doubt(Doubt.Code.ONE_BLOCK, "one block gives an estimate without an interval"));
        } else if (undefined <= (1 - level) * resamples) {
            low = finite(Quantiles.type7(values, (1 - level) / 2));
            high = finite(Quantiles.type7(values, (1 + level) / 2));
        }
        if (clusters > 1 && (low.isEmpty() || high.isEmpty())) {
            doubts.add(new Doubt(Doubt.Code.NOT_BRACKETED, low.isEmpty() && high.isEmpty()
                    ? "not bracketed: undefined in " + undefined + " of " + resamples
                            + " resamples or beyond all loads"
                    : "not bracketed " + (low.isEmpty() ? "below" : "above")));
        }
        return new BlockBootstrap(clusters, finite(estimate), level, low, high, resamples, undefined, doubts);
    }

    private static OptionalDouble finite(double x) {
        return Double.isFinite(x) ? OptionalDouble.of(x) : OptionalDouble.empty();
    }
}
