package dev.assay.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected figures: scipy_oracles.py (numpy lstsq, scipy.optimize.nnls). */
class LeastSquaresTest {
    private static final double[][] X = {{1, 1, .5}, {1, 2, 1.5}, {1, 3, 1}, {1, 4, 4}, {1, 5, 3.5},
            {1, 6, 7}, {1, 7, 6}, {1, 8, 9.5}};
    private static final double[] Y = {1.1, 2.3, 2.9, 5.2, 5.8, 8.1, 8.4, 11.2};
    private static final double[] W = {1, 2, 1, .5, 1, 2, 1, .25};
    private static final Offset<Double> CLOSE = within(1e-11);

    @Test
    void weightedFitMatchesNumpy() {
        LeastSquares fit = LeastSquares.fit(X, Y, W);
        double[][] covariance = {{0.006563280932340058, -0.002543516833282302, 0.0013439058394046105},
                {-0.0025435168332822995, 0.0018759397188067703, -0.0013985500412609605},
                {0.0013439058394046123, -0.0013985500412609607, 0.0011919266529916365}};
        assertThat(fit.coefficients().get(0)).isCloseTo(0.016208828754955818, CLOSE);
        assertThat(fit.coefficients().get(1)).isCloseTo(0.8105781057810578, CLOSE);
        assertThat(fit.coefficients().get(2)).isCloseTo(0.46570999043323724, CLOSE);
        assertThat(fit.residualSd().orElseThrow()).isCloseTo(0.09680420295905053, CLOSE);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                assertThat(fit.covariance().get(i).get(j)).isCloseTo(covariance[i][j], CLOSE);
            }
        }
        assertThat(fit.df()).isEqualTo(5);
        assertThat(fit.predictionError(0, 1, 0).orElseThrow()).isCloseTo(Math.sqrt(covariance[1][1]), CLOSE);
        assertThat(fit.predict(1, 2, 1.5)).isCloseTo(2.3359300259669276, CLOSE);
    }

    @Test
    void nonNegativeFitMatchesScipy() {
        double[][] a = {{1, 2, .5}, {2, 1, 3}, {3, 4, 1}, {1, 1, 1}, {4, 0, 2}};
        LeastSquares fit = LeastSquares.fitNonNegative(a, new double[]{1, -2, 3, .5, 2}, ones(5));
        assertThat(fit.coefficients().get(0)).isCloseTo(0.27099237, within(5e-9));
        assertThat(fit.coefficients().get(1)).isCloseTo(0.35877863, within(5e-9));
        assertThat(fit.coefficients().get(2)).isZero();
        assertThat(fit.held()).containsExactly(2);
        assertThat(fit.covariance().get(2)).containsExactly(0.0, 0.0, 0.0);
        assertThat(fit.residualSd().orElseThrow() * Math.sqrt(3)).isCloseTo(3.1362203147412053, CLOSE);
        double[][] b = {{73, 71, 52}, {87, 74, 46}, {72, 2, 7}, {80, 89, 71}};
        assertThat(
                LeastSquares.fitNonNegative(b, new double[]{49, 67, 68, 20}, ones(4)).coefficients().get(0))
                .isCloseTo(0.64953844, within(5e-9));
    }

    /** The best non-negative fit is the best of the feasible fits over all subsets of columns. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nonNegativeFitIsTheBestOfAllSubsets(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int columns = 2 + random.nextInt(4);
        double[][] x = new double[12][];
        Arrays.setAll(x, _ -> random.doubles(columns).toArray());
        double[] y = random.doubles(12).map(v -> v - 0.3).toArray();
        double[] w = random.doubles(12).map(v -> v + 0.1).toArray();
        double best = rss(x, y, w, new double[columns]);
        for (int subset = 1; subset < 1 << columns; subset++) {
            int chosen = subset;
            int[] kept = java.util.stream.IntStream.range(0, columns).filter(j -> (chosen >> j & 1) == 1)
                    .toArray();
            double[][] part = Arrays.stream(x)
                    .map(row -> Arrays.stream(kept).mapToDouble(j -> row[j]).toArray())
                    .toArray(double[][]::new);
            LeastSquares fit = LeastSquares.fit(part, y, w);
            if (fit.coefficients().stream().allMatch(c -> c >= 0)) {
                double[] full = new double[columns];
                for (int i = 0; i < kept.length; i++) {
                    full[kept[i]] = fit.coefficients().get(i);
                }
                best = Math.min(best, rss(x, y, w, full));
            }
        }
        double[] found = LeastSquares.fitNonNegative(x, y, w).coefficients().stream().mapToDouble(c -> c)
                .toArray();
        assertThat(Arrays.stream(found).min().orElseThrow()).isNotNegative();
        assertThat(rss(x, y, w, found)).isCloseTo(best, within(1e-10));
    }

    @Test
    void badlyScaledColumnsAreFitted() {
        double[][] x = {{1, 1e12}, {1, 2e12}, {1, 3e12}};
        LeastSquares fit = LeastSquares.fit(x, new double[]{3, 5, 7}, ones(3));
        assertThat(fit.coefficients().get(0)).isCloseTo(1, within(1e-10));
        assertThat(fit.coefficients().get(1)).isCloseTo(2e-12, within(1e-22));
    }

    @Test
    void dependentColumnsAndBadShapesAreRefused() {
        double[][] twice = {{1, 2}, {2, 4}, {3, 6}};
        assertThatThrownBy(() -> LeastSquares.fit(twice, new double[]{1, 2, 3}, ones(3)))
                .hasMessage("free column 1 of the fit: expected it to be independent of those before it");
        assertThatThrownBy(() -> LeastSquares.fit(twice, new double[]{1, 2}, ones(3)))
                .hasMessage("3 rows, 2 values, 3 weights: expected the same number, at least 1");
        assertThatThrownBy(() -> LeastSquares.fit(twice, new double[]{1, 2, Double.NaN}, ones(3)))
                .hasMessage("value 2 is NaN: expected a finite number");
    }

    @Test
    void anExactFitWithoutFreedomHasNoSpread() {
        LeastSquares fit = LeastSquares.fit(new double[][]{{1, 0}, {1, 1}}, new double[]{2, 5}, ones(2));
        assertThat(fit.coefficients().get(1)).isCloseTo(3, CLOSE);
        assertThat(fit.residualSd()).isEmpty();
        assertThat(fit.predictionError(1, 1)).isEmpty();
    }

    private static double rss(double[][] x, double[] y, double[] w, double[] b) {
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            double r = y[i];
            for (int j = 0; j < b.length; j++) {
                r -= x[i][j] * b[j];
            }
            sum += w[i] * r * r;
        }
        return sum;
    }

    private static double[] ones(int n) {
        double[] w = new double[n];
        Arrays.fill(w, 1);
        return w;
    }
}
