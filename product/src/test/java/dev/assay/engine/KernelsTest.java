package dev.assay.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each vector kernel gives the bits of its scalar twin; the twins are held against double arithmetic. */
@Tag("kernels")
class KernelsTest {
    private static final int N = 37;

    private final Kernels vector = new VectorKernels();
    private final Kernels scalar = new ScalarKernels();
    private final SplittableRandom random = new SplittableRandom(11);

    private float[] random(int n, double scale) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = (float) (random.nextGaussian() * scale);
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 32})
    void productsForAnyNumberOfRows(int rows) {
        int ldw = 48;
        float[] w = random(ldw * N + 200, 1);
        float[] x = random(rows * 40, 1);
        for (boolean add : new boolean[]{false, true}) {
            float[] a = random(rows * 50, 1);
            float[] b = a.clone();
            vector.pair(w, 5, 130, ldw, N, x, 1, 40, rows, a, 7, 50, add);
            scalar.pair(w, 5, 130, ldw, N, x, 1, 40, rows, b, 7, 50, add);
            assertThat(a).containsExactly(b);
        }
    }

    @Test
    void productIsTheSumInDoublePrecision() {
        float[] w = random(2 * 16 * N, 1);
        float[] x = random(N, 1);
        float[] y = new float[32];
        vector.pair(w, 0, 16 * N, 16, N, x, 0, N, 1, y, 0, 32, false);
        for (int o = 0; o < 32; o++) {
            double sum = 0;
            for (int k = 0; k < N; k++) {
                sum += (double) w[(o / 16 * N + k) * 16 + o % 16] * x[k];
            }
            assertThat((double) y[o]).isCloseTo(sum, within(1e-5));
        }
    }

    @Test
    void norms() {
        float[] x = random(100, 3);
        float[] weight = random(96, 1);
        float[] a = new float[100];
        float[] b = new float[100];
        vector.rmsNorm(x, 2, weight, 96, 90, 1e-5, a, 3);
        scalar.rmsNorm(x, 2, weight, 96, 90, 1e-5, b, 3);
        assertThat(a).containsExactly(b);
        double squares = 0;
        for (int i = 0; i < 96; i++) {
            squares += (double) x[2 + i] * x[2 + i];
        }
        assertThat((double) a[3]).isCloseTo(x[2] / Math.sqrt(squares / 90 + 1e-5) * weight[0], within(1e-5));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 31, 33, 200})
    void softmax(int n) {
        float[] a = random(240, 20);
        float[] b = a.clone();
        float[] before = a.clone();
        float sumA = vector.softmax(a, 3, n);
        float sumB = scalar.softmax(b, 3, n);
        assertThat(a).containsExactly(b);
        assertThat(sumA).isEqualTo(sumB);
        double max = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            max = Math.max(max, before[3 + i]);
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += Math.exp(before[3 + i] - max);
        }
        assertThat((double) sumA).isCloseTo(sum, within(sum * 1e-6));
        assertThat(a[3 + Math.ceilDiv(n, 16) * 16]).isEqualTo(before[3 + Math.ceilDiv(n, 16) * 16]);
    }

    @Test
    void gateAndElementwise() {
        float[] x = random(300, 30);
        float[] a = new float[100];
        float[] b = new float[100];
        vector.gate(x, 1, 120, 96, a, 2);
        scalar.gate(x, 1, 120, 96, b, 2);
        assertThat(a).containsExactly(b);
        assertThat((double) a[2]).isCloseTo(x[1] / (1 + Math.exp(-x[1])) * x[120],
                within(1e-4 + Math.abs(a[2]) * 1e-6));
        vector.add(a, 1, x, 3, 64);
        scalar.add(b, 1, x, 3, 64);
        vector.scale(x, 7, 0.3f, 64, a, 20);
        scalar.scale(x, 7, 0.3f, 64, b, 20);
        assertThat(a).containsExactly(b);
    }

    @Test
    void rotation() {
        float[] a = random(80, 1);
        float[] b = a.clone();
        float[] before = a.clone();
        float[] cos = random(40, 1);
        float[] sin = random(40, 1);
        vector.rotate(a, 3, 32, cos, sin, 4, 0.125f);
        scalar.rotate(b, 3, 32, cos, sin, 4, 0.125f);
        assertThat(a).containsExactly(b);
        assertThat((double) a[3 + 32 + 5]).isCloseTo(
                (before[3 + 5] * (double) sin[9] + before[3 + 32 + 5] * (double) cos[9]) / 8, within(1e-6));
    }

    @Test
    void widening() {
        short[] halves = new short[2048];
        byte[] quants = new byte[2048];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = (short) random.nextInt();
            quants[i] = (byte) random.nextInt();
        }
        float[] a = new float[1024];
        float[] b = new float[1024];
        vector.widenBf16(halves, 3, 1024, a);
        scalar.widenBf16(halves, 3, 1024, b);
        assertThat(a).containsExactly(b);
        vector.widenF16(halves, 3, 1024, a);
        scalar.widenF16(halves, 3, 1024, b);
        assertThat(a).containsExactly(b);
        vector.widenQ8(quants, 512, halves, 32, 1024, a);
        scalar.widenQ8(quants, 512, halves, 32, 1024, b);
        assertThat(a).containsExactly(b);
    }

    @Test
    void exponentialIsWithinTwoUlp() {
        for (int i = 0; i < 100_000; i++) {
            float x = (float) random.nextDouble(-87, 87);
            double expected = Math.exp(x);
            assertThat((double) Exp.exp(x)).as("exp(%s)", x)
                    .isCloseTo(expected, within(2.0 * Math.ulp((float) expected)));
        }
    }
}
