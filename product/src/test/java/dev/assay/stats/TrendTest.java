package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TrendTest {
    /** Oracle: scipy.stats.linregress 1.17 on the same eight values. */
    @Test
    void theLineIsThatOfLeastSquares() {
        Trend t = Trend.of(new double[]{3.1, 2.9, 3.4, 3.3, 3.8, 3.6, 4.1, 3.9}, 8);
        assertThat(t.start()).isCloseTo(2.9833333333333334, within(1e-12));
        assertThat(t.change()).isCloseTo(1.0583333333333333, within(1e-12));
        assertThat(t.p()).isCloseTo(0.0024069000615589992, within(1e-12));
        assertThat(t.explained()).isCloseTo(0.8076210505232589, within(1e-12));
    }

    @Test
    void noiseHasNoTrendAtTheNominalRate() {
        int found = 0;
        for (int seed = 0; seed < 1000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] noise = new double[100];
            java.util.Arrays.setAll(noise, i -> random.nextGaussian());
            found += Trend.of(noise, 10).p() < 0.05 ? 1 : 0;
        }
        assertThat(found).isBetween(30, 72);
    }

    @Test
    void whatCannotBeTestedHasNoTrend() {
        assertThat(Trend.of(new double[]{1, 2}, 8).p()).isEqualTo(1);
        assertThat(Trend.of(new double[]{5, 5, 5, 5, 5}, 8).p()).isEqualTo(1);
        assertThat(Trend.of(new double[]{1, 2, 3, 4, 5, 6, 7, 8}, 8).p()).isZero();
    }

    /** Oracle: scipy.stats.ks_2samp 1.17: distances 5/12 and 0.225, exact p values 0.2337 and 0.2657. */
    @Test
    void kolmogorovAndSmirnov() {
        double[] a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        double[] b = {3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5};
        assertThat(KolmogorovSmirnov.distance(a, b)).isCloseTo(5 / 12.0, within(1e-12));
        assertThat(KolmogorovSmirnov.p(a, b)).isCloseTo(0.234, within(0.04));
        double[] x = new double[40];
        double[] y = new double[40];
        for (int i = 0; i < 40; i++) {
            x[i] = i;
            y[i] = 1.1 * i + 6;
        }
        assertThat(KolmogorovSmirnov.distance(x, y)).isCloseTo(0.225, within(1e-12));
        assertThat(KolmogorovSmirnov.p(x, y)).isCloseTo(0.2657, within(0.04));
        assertThat(KolmogorovSmirnov.p(x, x)).isEqualTo(1);
    }

    /** Oracle: by hand; the pair that rises is pooled to its weighted mean. */
    @Test
    void isotonicFit() {
        assertThat(Isotonic.falling(new double[]{1, 0.8, 0.9, 0.2}, new double[]{1, 1, 3, 1}))
                .containsExactly(new double[]{1, 0.875, 0.875, 0.2}, within(1e-12));
        assertThat(Isotonic.falling(new double[]{1, 2, 3}, new double[]{1, 1, 1}))
                .containsExactly(2, 2, 2);
        assertThat(Isotonic.falling(new double[0], new double[0])).isEmpty();
    }
}
