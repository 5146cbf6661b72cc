package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    private static final double[] LOADS = {1, 2, 4, 8};

    /** Three values have 27 equally likely resamples: the exact percentiles of their means are known by listing them. */
    @Test
    void matchesFullEnumerationOfThreeBlocks() {
        double[] v = {1, 2, 6};
        double[] all = IntStream.range(0, 27).mapToDouble(i -> (v[i % 3] + v[i / 3 % 3] + v[i / 9]) / 3)
                .toArray();
        BlockBootstrap boot = BlockBootstrap.of(3,
                drawn -> Arrays.stream(drawn).mapToDouble(i -> v[i]).sum() / 3, 0.8,
                20_000, new SplittableRandom(7));
        assertThat(boot.estimate().orElseThrow()).isEqualTo(3);
        assertThat(boot.low().orElseThrow()).isCloseTo(Quantiles.type7(all, 0.1), within(1e-12));
        assertThat(boot.high().orElseThrow()).isCloseTo(Quantiles.type7(all, 0.9), within(1e-12));
    }

    @Test
    void theSameSeedGivesTheSameInterval() {
        double[] v = new SplittableRandom(3).doubles(8).toArray();
        BlockBootstrap first = mean(v, 11);
        assertThat(mean(v, 11)).isEqualTo(first);
        assertThat(mean(v, 12)).isNotEqualTo(first);
    }

    private static BlockBootstrap mean(double[] v, long seed) {
        return BlockBootstrap.of(v.length,
                drawn -> Arrays.stream(drawn).mapToDouble(i -> v[i]).average().orElseThrow(),
                0.95, 500, new SplittableRandom(seed));
    }

    @Test
    void highestLoadInterpolatesTheFirstCrossing() {
        assertThat(HighestLoad.of(LOADS, new double[]{1, .99, .91, .5}, .95)).isCloseTo(3, within(1e-12));
        assertThat(HighestLoad.of(LOADS, new double[]{1, .9, .99, .5}, .95)).isCloseTo(1.5, within(1e-12));
        assertThat(HighestLoad.of(LOADS, new double[]{.9, .99, .99, .5}, .95))
                .isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(HighestLoad.of(LOADS, new double[]{1, 1, 1, .95}, .95))
                .isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(HighestLoad.of(LOADS, new double[]{1, Double.NaN, .5, .5}, .95)).isNaN();
        assertThat(HighestLoad.of(LOADS, new double[]{1, .99, .5, Double.NaN}, .95)).isBetween(2.0, 4.0);
        assertThatThrownBy(() -> HighestLoad.of(new double[]{2, 1}, new double[]{1, 1}, .95))
                .hasMessage("load 1.0 after 2.0: expected ascending");
    }

    @Test
    void notBracketedIsSaidAndNotGuessed() {
        double[][] never = {{1, 1, 1, .99}, {1, 1, 1, .98}, {1, 1, .99, .97}};
        BlockBootstrap above = HighestLoad.ofBlocks(LOADS, never, .95, .95, 200, new SplittableRandom(1));
        assertThat(above.estimate()).isEmpty();
        assertThat(above.low()).isEmpty();
        assertThat(above.doubts()).extracting(Doubt::code).containsExactly(Doubt.Code.NOT_BRACKETED);
        double[][] some = {{1, 1, 1, .99}, {1, 1, .97, .9}, {1, 1, .93, .8}};
        BlockBootstrap half = HighestLoad.ofBlocks(LOADS, some, .95, .95, 500, new SplittableRandom(1));
        assertThat(half.estimate()).isPresent();
        assertThat(half.low()).isPresent();
        assertThat(half.high()).isEmpty();
        assertThat(half.doubts()).extracting(Doubt::detail).containsExactly("not bracketed above");
        BlockBootstrap ratio = HighestLoad.ratio(LOADS, some, never, .95, .95, 500, new SplittableRandom(1));
        assertThat(ratio.low()).isEmpty();
        assertThat(ratio.undefined()).isEqualTo(500);
    }

    @Test
    void ratioOfHighestLoads() {
        double[][] a = {{1, .99, .91, .5}, {1, .98, .92, .5}, {1, .99, .9, .4}};
        double[][] b = {{1, 1, .99, .9}, {1, 1, .98, .92}, {1, .99, .98, .9}};
        BlockBootstrap ratio = HighestLoad.ratio(LOADS, a, b, .95, .95, 1000, new SplittableRandom(5));
        assertThat(ratio.undefined()).isZero();
        assertThat(ratio.low().orElseThrow()).isLessThan(ratio.estimate().orElseThrow());
        assertThat(ratio.high().orElseThrow()).isGreaterThan(ratio.estimate().orElseThrow());
        // Mean curves cross at 2 + 2*(.98667-.95)/(.98667-.91) and 4 + 4*(.98333-.95)/(.98333-.90667).
        assertThat(ratio.estimate().orElseThrow()).isCloseTo(
                (4 + 4 * (2.95 / 3 - .95) / (2.95 / 3 - 2.72 / 3))
                        / (2 + 2 * (2.96 / 3 - .95) / (2.96 / 3 - 2.73 / 3)),
                within(1e-9));
    }
}
