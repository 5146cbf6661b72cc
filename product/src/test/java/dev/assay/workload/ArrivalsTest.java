package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalsTest {
    private static double[] gaps(Arrivals arrivals, long seed, int n) {
        Arrivals.Times times = arrivals.times(seed);
        double[] gaps = new double[n];
        long at = 0;
        for (int i = 0; i < n; i++) {
            long then = times.nextNanos();
            gaps[i] = (then - at) / 1e9;
            at = then;
        }
        return gaps;
    }

    /** Kolmogorov–Smirnov against the exponential law; with the fixed seeds the test is exact and never flickers. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 77, 123456789})
    void poissonGapsAreExponential(long seed) {
        double[] gaps = gaps(new Arrivals.Poisson(20), seed, 4000);
        double p = KolmogorovSmirnovTest.withDefaults()
                .test(gaps, ExponentialDistribution.of(1 / 20.0)::cumulativeProbability).getPValue();
        assertThat(p).isGreaterThan(0.001);
    }

    /** Variance over mean of counts in windows is 1 for a Poisson process, 0 for equal gaps. */
    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7})
    void dispersionIsWhatTheNamePromises(long seed) {
        assertThat(dispersion(gaps(new Arrivals.Poisson(20), seed, 20_000))).isCloseTo(1, within(0.15));
        assertThat(dispersion(gaps(new Arrivals.Constant(20), seed, 20_000))).isLessThan(0.01);
    }

    private static double dispersion(double[] gaps) {
        double total = Arrays.stream(gaps).sum();
        int windows = (int) total;
        double[] counts = new double[windows];
        double at = 0;
        for (double gap : gaps) {
            at += gap;
            if (at < windows) {
                counts[(int) at]++;
            }
        }
        double mean = Arrays.stream(counts).average().orElseThrow();
        return Arrays.stream(counts).map(c -> (c - mean) * (c - mean)).sum() / (windows - 1) / mean;
    }

    @Test
    void sameSeedSameTimesAndAnotherSeedOthers() {
        Arrivals poisson = new Arrivals.Poisson(3);
        assertThat(gaps(poisson, 9, 50)).isEqualTo(gaps(poisson, 9, 50)).isNotEqualTo(gaps(poisson, 10, 50));
    }

    @Test
    void badRatesAreNamed() {
        assertThatThrownBy(() -> new Arrivals.Poisson(0)).hasMessageContaining("rate is 0.0");
        assertThatThrownBy(() -> new Arrivals.ClosedLoop(0)).hasMessageContaining("concurrency is 0");
    }
}
