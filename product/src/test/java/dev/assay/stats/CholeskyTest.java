package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The factor against a matrix whose inverse is known. */
class CholeskyTest {
    /** The inverse of the 3 x 3 Hilbert matrix is (9 -36 30; -36 192 -180; 30 -180 180), exactly. */
    private static final double[][] HILBERT = {{1, 1 / 2.0, 1 / 3.0}, {1 / 2.0, 1 / 3.0, 1 / 4.0},
            {1 / 3.0, 1 / 4.0, 1 / 5.0}};

    @Test
    void solves() {
        assertThat(Cholesky.of(HILBERT, 0).solve(new double[]{0, 1, 0})).containsExactly(
                new double[]{-36, 192, -180}, within(1e-9));
    }

    @Test
    void quadraticFormOfTheInverse() {
        Cholesky factor = Cholesky.of(HILBERT, 0);
        assertThat(factor.inverseForm(new double[]{0, 0, 1})).isCloseTo(180, within(1e-9));
        assertThat(factor.inverseForm(new double[]{1, 1, 1})).isCloseTo(9, within(1e-9));
    }

    @Test
    void dampingScalesTheDiagonal() {
        assertThat(Cholesky.of(new double[][]{{2, 0}, {0, 4}}, 0.5).solve(new double[]{3, 12}))
                .containsExactly(new double[]{1, 2}, within(1e-12));
    }

    @Test
    void refusesWhatIsNotPositiveDefinite() {
        assertThatThrownBy(() -> Cholesky.of(new double[][]{{1, 2}, {2, 1}}, 0))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("pivot 1");
    }
}
