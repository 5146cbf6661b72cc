package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.TTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockRatioTest {
    /** The worked example of the statistics reference, section 2.1 (requests per second, ABBA). */
    static final List<Block> WORKED = List.of(new Block(41.2, 43.9, 44.3, 41.8),
            new Block(40.7, 43.1, 43.6, 41.0),
            new Block(42.0, 44.2, 44.9, 42.1), new Block(41.5, 43.4, 43.2, 41.1),
            new Block(40.9, 43.8, 44.0, 41.4),
            new Block(41.7, 44.1, 44.6, 41.9));

    @Test
    void workedExampleReproduces() {
        BlockRatio ratio = BlockRatio.of(WORKED, 0.95);
        MeanEstimate log = ratio.log().orElseThrow();
        assertThat(ratio.ratio().orElseThrow()).isCloseTo(1.05991, within(5e-6));
        assertThat(ratio.interval().orElseThrow().low()).isCloseTo(1.05343, within(5e-6));
        assertThat(ratio.interval().orElseThrow().high()).isCloseTo(1.06642, within(5e-6));
        assertThat(log.mean()).isCloseTo(0.058183932933517056, within(1e-15));
        assertThat(log.sd().orElseThrow()).isCloseTo(0.005839106199048962, within(1e-15));
        assertThat(log.t().orElseThrow()).isCloseTo(24.408007331438384, within(1e-9));
        assertThat(log.p().orElseThrow()).isCloseTo(2.1521038531218063e-06, within(1e-14));
        assertThat(log.signFlipP().orElseThrow()).isEqualTo(2.0 / 64);
        assertThat(log.signFlipFloor()).isEqualTo(1.0 / 32);
        assertThat(log.df()).isEqualTo(5);
        assertThat(ratio.doubts()).isEmpty();
        // SciPy: scipy_oracles.py
        assertThat(ratio.intervalAt(0.9).orElseThrow().low()).isCloseTo(1.05483088, within(5e-9));
        assertThat(ratio.intervalAt(0.9).orElseThrow().high()).isCloseTo(1.06501344, within(5e-9));
    }

    @Test
    void mixedSignsMatchScipy() {
        MeanEstimate e = MeanEstimate.of(new double[]{.02, -.01, .03, .015, -.002, .011, .007}, 0.95);
        assertThat(e.signFlipP().orElseThrow()).isEqualTo(0.109375);
        assertThat(e.t().orElseThrow()).isCloseTo(2.001257549557532, within(1e-12));
        assertThat(e.p().orElseThrow()).isCloseTo(0.09226539603529309, within(1e-12));
        assertThat(e.interval().orElseThrow().low()).isCloseTo(-0.0022586837546724747, within(1e-15));
        assertThat(e.interval().orElseThrow().high()).isCloseTo(0.022544398040386764, within(1e-15));
    }

    @Test
    void oneBlockGivesAnEstimateWithoutAnInterval() {
        BlockRatio ratio = BlockRatio.of(WORKED.subList(0, 1), 0.95);
        assertThat(ratio.ratio().orElseThrow()).isCloseTo(Math.sqrt(43.9 * 44.3 / 41.2 / 41.8),
                within(1e-12));
        assertThat(ratio.interval()).isEmpty();
        assertThat(ratio.log().orElseThrow().testable()).isFalse();
        assertThat(ratio.doubts()).extracting(Doubt::code)
                .containsExactly(Doubt.Code.ONE_BLOCK, Doubt.Code.UNTESTABLE_COUNT);
    }

    @Test
    void fiveBlocksAreUntestableAndSaySo() {
        BlockRatio ratio = BlockRatio.of(WORKED.subList(0, 5), 0.95);
        assertThat(ratio.interval()).isPresent();
        assertThat(ratio.log().orElseThrow().testable()).isFalse();
        assertThat(ratio.doubts()).singleElement().extracting(Doubt::detail)
                .isEqualTo("untestable at 5 blocks: the exact"
                        + " test cannot go below p = 0.0625; at least 6 blocks are needed");
    }

    @Test
    void valuesWithoutALogarithmMakeTheRatioAbsentWithTheReason() {
        List<Block> dead = List.of(WORKED.get(0), new Block(3, 0, 2, 3));
        BlockRatio ratio = BlockRatio.of(dead, 0.95);
        assertThat(ratio.ratio()).isEmpty();
        assertThat(ratio.doubts()).containsExactly(new Doubt(Doubt.Code.ZERO_VALUE,
                "block 2: B has a zero, so the ratio is undefined; the difference is not"));
        assertThat(BlockDifference.of(dead, 0.95).estimate().orElseThrow().mean())
                .isCloseTo(((43.9 + 44.3 - 41.2 - 41.8) / 2 - 2) / 2, within(1e-12));
        assertThat(BlockRatio.of(List.of(new Block(0, 1, 1, 0), new Block(0, 0, 0, 1)), 0.95).doubts())
                .extracting(Doubt::detail).containsExactly(
                        "block 1: A has a zero, so the ratio is undefined; the difference is not",
                        "block 2: A and B has a zero, so the ratio is undefined; the difference is not");
        assertThat(BlockRatio.of(List.of(new Block(1, -1, 1, 1)), 0.95).doubts()).extracting(Doubt::code)
                .containsExactly(Doubt.Code.NEGATIVE_VALUE);
        assertThat(BlockRatio.of(List.of(new Block(1, Double.NaN, 1, 1)), 0.95).doubts())
                .extracting(Doubt::code)
                .containsExactly(Doubt.Code.MISSING_VALUE);
        assertThat(BlockRatio.of(List.of(), 0.95).doubts()).extracting(Doubt::code)
                .containsExactly(Doubt.Code.NO_BLOCKS);
        assertThat(BlockDifference.of(List.of(), 0.95).estimate()).isEmpty();
    }

    @Test
    void equalBlocksStillGiveAVerdictButAreDoubted() {
        BlockRatio ratio = BlockRatio.of(java.util.Collections.nCopies(6, new Block(2, 4, 4, 2)), 0.95);
        assertThat(ratio.ratio().orElseThrow()).isCloseTo(2, within(1e-12));
        assertThat(ratio.log().orElseThrow().t()).isEmpty();
        assertThat(ratio.log().orElseThrow().signFlipP().orElseThrow()).isEqualTo(1.0 / 32);
        assertThat(ratio.doubts()).extracting(Doubt::code).containsExactly(Doubt.Code.NO_SPREAD);
    }

    @Test
    void aHugeSpreadHasNoRatioInterval() {
        BlockRatio ratio = BlockRatio.of(List.of(new Block(1, 1e40, 1e40, 1), new Block(1e40, 1, 1, 1e40)),
                0.95);
        assertThat(ratio.interval()).isEmpty();
        assertThat(ratio.doubts()).extracting(Doubt::code)
                .containsExactly(Doubt.Code.UNTESTABLE_COUNT, Doubt.Code.OVERFLOW);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void agreesWithCommonsTTestAndARecursiveEnumeration(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] d = random.doubles(2 + random.nextInt(9)).map(x -> x - 0.4).toArray();
        MeanEstimate e = MeanEstimate.of(d, 0.95);
        assertThat(e.p().orElseThrow()).isCloseTo(
                TTest.withDefaults().with(AlternativeHypothesis.TWO_SIDED).test(d).getPValue(),
                within(1e-12));
        double observed = Math.abs(java.util.Arrays.stream(d).sum());
        int extreme = countExtreme(d, 0, 0, observed - 1e-12);
        assertThat(e.signFlipP().orElseThrow()).isEqualTo(extreme / Math.pow(2, d.length));
    }

    private static int countExtreme(double[] d, int at, double sum, double reach) {
        if (at == d.length) {
            return Math.abs(sum) >= reach ? 1 : 0;
        }
        return countExtreme(d, at + 1, sum + d[at], reach) + countExtreme(d, at + 1, sum - d[at], reach);
    }

    @Test
    void manyBlocksAreNotEnumerated() {
        MeanEstimate e = MeanEstimate.of(IntStream.range(0, 21).mapToDouble(i -> i - 9).toArray(), 0.95);
        assertThat(e.signFlipP()).isEmpty();
        assertThat(e.doubts()).extracting(Doubt::code).containsExactly(Doubt.Code.NOT_ENUMERATED);
        assertThat(SignFlip.p(IntStream.range(0, 20).mapToDouble(i -> i + 1).toArray()).orElseThrow())
                .isEqualTo(SignFlip.floor(20));
    }

    @Test
    void badArgumentsNameValueAndBound() {
        assertThatThrownBy(() -> BlockRatio.of(WORKED, 95))
                .hasMessage("level 95.0: expected a number in (0, 1)");
        assertThatThrownBy(() -> MeanEstimate.of(new double[0], 0.95))
                .hasMessage("blocks 0: expected at least 1");
        assertThatThrownBy(() -> new Interval(2, 1))
                .hasMessage("interval [2.0, 1.0]: expected finite low <= high");
    }
}
