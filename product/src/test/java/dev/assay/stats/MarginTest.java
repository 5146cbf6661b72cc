package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.stats.NonInferiority.Better;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Expected p values: scipy_oracles.py (one-sided ttest_1samp against the log of the margin). */
class MarginTest {
    private static final BlockRatio RATIO = BlockRatio.of(BlockRatioTest.WORKED, 0.95);

    @Test
    void higherIsBetter() {
        NonInferiority test = NonInferiority.ofRatio(RATIO, Better.HIGHER, 0.02, 0.05);
        assertThat(test.outcome()).isEqualTo(NonInferiority.Outcome.NOT_INFERIOR);
        assertThat(Math.exp(test.bound().orElseThrow())).isCloseTo(1.05483088, within(5e-9));
        assertThat(test.p().orElseThrow()).isLessThan(1e-6);
    }

    @Test
    void lowerIsBetter() {
        NonInferiority within7 = NonInferiority.ofRatio(RATIO, Better.LOWER, 0.07, 0.05);
        assertThat(within7.outcome()).isEqualTo(NonInferiority.Outcome.NOT_INFERIOR);
        assertThat(within7.p().orElseThrow()).isCloseTo(0.005293663197549742, within(1e-12));
        assertThat(NonInferiority.ofRatio(RATIO, Better.LOWER, 0.06, 0.05).outcome())
                .isEqualTo(NonInferiority.Outcome.UNDECIDED);
        assertThat(NonInferiority.ofRatio(RATIO, Better.LOWER, 0.02, 0.05).outcome())
                .isEqualTo(NonInferiority.Outcome.INFERIOR);
    }

    @Test
    void differencesUseTheirOwnUnit() {
        List<Block> attainment = List.of(new Block(.97, .96, .95, .98), new Block(.98, .97, .95, .97),
                new Block(.96, .95, .96, .97));
        BlockDifference difference = BlockDifference.of(attainment, 0.95);
        NonInferiority test = NonInferiority.ofDifference(difference, Better.HIGHER, 0.05, 0.05);
        // Differences -.02, -.015, -.01: mean -.015, sd .005, t(2, .95) = 2.919986 (tables).
        assertThat(test.bound().orElseThrow()).isCloseTo(-.015 - 2.919986 * .005 / Math.sqrt(3),
                within(1e-8));
        assertThat(test.outcome()).isEqualTo(NonInferiority.Outcome.NOT_INFERIOR);
    }

    @Test
    void oneBlockIsUntestable() {
        BlockRatio one = BlockRatio.of(BlockRatioTest.WORKED.subList(0, 1), 0.95);
        assertThat(NonInferiority.ofRatio(one, Better.HIGHER, 0.02, 0.05).outcome())
                .isEqualTo(NonInferiority.Outcome.UNTESTABLE);
        assertThat(Equivalence.ofRatio(one, new Interval(.9, 1.1), 0.05).outcome())
                .isEqualTo(Equivalence.Outcome.UNTESTABLE);
    }

    @Test
    void equivalenceIsTheNinetyPercentIntervalInsideTheRegion() {
        Equivalence inside = Equivalence.ofRatio(RATIO, new Interval(1.05, 1.07), 0.05);
        assertThat(inside.outcome()).isEqualTo(Equivalence.Outcome.INSIDE);
        assertThat(inside.p().orElseThrow()).isCloseTo(0.0054763169961842394, within(1e-12));
        assertThat(Equivalence.ofRatio(RATIO, new Interval(.97, 1.03), 0.05).outcome())
                .isEqualTo(Equivalence.Outcome.OUTSIDE);
        assertThat(Equivalence.ofRatio(RATIO, new Interval(.97, 1.06), 0.05).outcome())
                .isEqualTo(Equivalence.Outcome.UNDECIDED);
    }
}
