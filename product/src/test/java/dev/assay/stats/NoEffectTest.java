package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulated A/A experiments: no effect, so every interval that excludes 1 is a false alarm. */
class NoEffectTest {
    private static final int EXPERIMENTS = 2000;
    private static final int BLOCKS = 6;

    /** Slots with 2 % noise, a start-to-start spread of 1 % and the given drift per slot; order ABBA or BAAB. */
    private static List<Block> blocks(SplittableRandom random, double driftPerSlot) {
        List<Block> blocks = new ArrayList<>();
        int slot = 0;
        for (int b = 0; b < BLOCKS; b++) {
            double[] v = new double[4];
            double level = 100 * Math.exp(0.05 * random.nextGaussian());
            for (int i = 0; i < 4; i++) {
                v[i] = level * Math.exp(
                        driftPerSlot * slot++ + 0.02 * random.nextGaussian() + 0.01 * random.nextGaussian());
            }
            blocks.add(random.nextBoolean()
                    ? new Block(v[0], v[1], v[2], v[3])
                    : new Block(v[1], v[0], v[3], v[2]));
        }
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.004})
    void theIntervalMissesNoMoreOftenThanItSays(double drift) {
        SplittableRandom random = new SplittableRandom(20261129);
        int misses = 0;
        int rejections = 0;
        double sum = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            BlockRatio ratio = BlockRatio.of(blocks(random, drift), 0.95);
            misses += ratio.interval().orElseThrow().contains(1) ? 0 : 1;
            rejections += ratio.log().orElseThrow().signFlipP().orElseThrow() <= 0.05 ? 1 : 0;
            sum += ratio.log().orElseThrow().mean();
        }
        assertThat(Proportion.testGreater(misses, EXPERIMENTS, 0.05)).as("misses %d", misses)
                .isGreaterThan(0.001);
        // A working simulation also misses sometimes: an interval that never does would be far too wide.
        assertThat(Proportion.testLess(misses, EXPERIMENTS, 0.05)).as("misses %d", misses)
                .isGreaterThan(0.001);
        assertThat(Proportion.testGreater(rejections, EXPERIMENTS, 1.0 / 32)).isGreaterThan(0.001);
        // Standard error of the mean log ratio: 2.24 % / sqrt(6 blocks) / sqrt(experiments).
        assertThat(sum / EXPERIMENTS).isCloseTo(0,
                within(4 * 0.0224 / Math.sqrt(BLOCKS * (double) EXPERIMENTS)));
    }

    @Test
    void linearDriftCancelsWithinABlock() {
        double drift = 0.03;
        double[] v = {1, Math.exp(drift), Math.exp(2 * drift), Math.exp(3 * drift)};
        assertThat(new Block(v[0], v[1], v[2], v[3]).logRatio()).isCloseTo(0, within(1e-15));
        assertThat(new Block(v[1], v[0], v[3], v[2]).logRatio()).isCloseTo(0, within(1e-15));
        // AABB, which no block may be, would keep twice the drift: the property above is not empty.
        assertThat(new Block(v[0], v[2], v[3], v[1]).logRatio()).isCloseTo(2 * drift, within(1e-15));
    }
}
