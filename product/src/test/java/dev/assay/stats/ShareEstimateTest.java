package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ShareEstimateTest {
    private static final int SEEDS = 400;
    private static final double SHARE = 0.9;

    /** A two-state Markov chain with this share of ones and this correlation between neighbours. */
    private static boolean[] chain(int n, double correlation, SplittableRandom random) {
        boolean[] series = new boolean[n];
        boolean now = random.nextDouble() < SHARE;
        for (int i = 0; i < n; i++) {
            if (random.nextDouble() >= correlation) {
                now = random.nextDouble() < SHARE;
            }
            series[i] = now;
        }
        return series;
    }

    private static double[] coverage(double correlation) {
        int own = 0;
        int independent = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            ShareEstimate e = ShareEstimate.of(chain(1500, correlation, new SplittableRandom(seed)), 0.95);
            own += e.interval().contains(SHARE) ? 1 : 0;
            independent += Proportion.wilson(e.hits(), e.trials(), 0.95).contains(SHARE) ? 1 : 0;
        }
        return new double[]{own / (double) SEEDS, independent / (double) SEEDS};
    }

    /** Oracle: the chain's integrated correlation time is (1 + ρ) / (1 − ρ), 9 at ρ = 0.8. */
    @Test
    void correlatedTrialsCountForLess() {
        double sum = 0;
        for (int seed = 0; seed < 50; seed++) {
            sum += ShareEstimate.of(chain(20_000, 0.8, new SplittableRandom(seed)), 0.95).correlationTime()
                    / 50;
        }
        assertThat(sum).isCloseTo(9, within(0.6));
        assertThat(coverage(0.8)[0]).isGreaterThan(0.91);
        assertThat(coverage(0.8)[1]).as("what independence would have covered").isLessThan(0.6);
    }

    @Test
    void independentTrialsKeepTheirInterval() {
        assertThat(coverage(0)[0]).isBetween(0.92, 0.99);
    }

    @Test
    void aConstantSeriesIsIndependentUnlessItsLatenciesSayOtherwise() {
        boolean[] good = new boolean[100];
        java.util.Arrays.fill(good, true);
        ShareEstimate alone = ShareEstimate.of(good, 0.95);
        assertThat(alone.correlationTime()).isEqualTo(1);
        // Oracle: Wilson's interval of 100 of 100, n / (n + z²).
        assertThat(alone.interval().low()).isCloseTo(100 / (100 + 3.841459), within(1e-6));
        assertThat(alone.interval().high()).isEqualTo(1);
        double[] rising = new double[100];
        for (int i = 0; i < 100; i++) {
            rising[i] = i;
        }
        ShareEstimate queued = ShareEstimate.of(good, rising, 0.95);
        assertThat(queued.effectiveTrials()).isLessThan(10);
        assertThat(queued.interval().low()).isLessThan(alone.interval().low());
    }
}
