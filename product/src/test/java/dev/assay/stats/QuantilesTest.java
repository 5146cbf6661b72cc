package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantilesTest {
    private static final double[] VALUES = {3.1, .2, 9.7, 4.4, 5, 1.3, 8.8, 2.6, 7.7, 6.1};

    /** perfolizer's HarrellDavisQuantileEstimatorTests. */
    @Test
    void harrellDavisPublishedValue() {
        assertThat(Quantiles.harrellDavis(new double[]{100, 25, 50, 75, 0}, .9)).isCloseTo(95.1870905,
                within(5e-8));
    }

    /** SciPy and NumPy: scipy_oracles.py. */
    @ParameterizedTest
    @CsvSource({".1,0.82678303,1.19", ".5,4.74224982,4.7", ".9,9.14020567,8.89", ".95,9.49934342,9.295"})
    void matchesScipy(double p, double harrellDavis, double type7) {
        assertThat(Quantiles.harrellDavis(VALUES, p)).isCloseTo(harrellDavis, within(5e-9));
        assertThat(Quantiles.type7(VALUES, p)).isCloseTo(type7, within(1e-12));
    }

    @Test
    void edges() {
        assertThat(Quantiles.type7(VALUES, 0)).isEqualTo(.2);
        assertThat(Quantiles.type7(VALUES, 1)).isEqualTo(9.7);
        assertThat(Quantiles.type7(new double[]{3}, .99)).isEqualTo(3);
        assertThat(Quantiles.type7(new double[]{Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, 1}, .25))
                .isEqualTo(Double.NEGATIVE_INFINITY);
        assertThatThrownBy(() -> Quantiles.type7(new double[0], .5))
                .hasMessage("0 values: expected at least 1");
        assertThatThrownBy(() -> Quantiles.type7(new double[]{1, Double.NaN}, .5))
                .hasMessage("NaN among the values: expected numbers");
    }

    /** The oracle of the statistics reference, section 2.5. */
    @Test
    void intervalScore() {
        Interval predicted = new Interval(1.05, 1.20);
        assertThat(predicted.score(1.02, .1)).isCloseTo(.75, within(1e-12));
        assertThat(predicted.score(1.11, .1)).isCloseTo(.15, within(1e-12));
        assertThat(predicted.score(1.21, .1)).isCloseTo(.35, within(1e-12));
    }
}
