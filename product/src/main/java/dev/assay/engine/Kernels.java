package dev.assay.engine;

/**
 * The arithmetic of a step on plain arrays. Two implementations, {@link VectorKernels} and {@link ScalarKernels}, give
 * the same bits: sums over k take one accumulator in ascending order with fused multiply-add; sums within a row go over
 * {@value #FOLD} virtual lanes, folded 8, 4, 2, 1.
 */
interface Kernels {
    /** Outputs of one panel, and virtual lanes of a sum. */
    int FOLD = 16;
    /** Outputs of one product: two panels. */
    int PAIR = 2 * FOLD;

    /**
     * Products of {@code rows} rows with two panels of 16 outputs: output {@code j} of the first panel has its weights
     * at {@code w[a + k * ldw + j]}, of the second at {@code w[b + k * ldw + j]}. Row {@code r} has its inputs at
     * {@code x[x0 + r * ldx + k]}, its 32 outputs at {@code y[y0 + r * ldy]}. With {@code add} the sums go on from y.
     */
    void pair(float[] w, int a, int b, int ldw, int n, float[] x, int x0, int ldx, int rows, float[] y,
            int y0,
            int ldy, boolean add);

    /** {@code out[i] = x[i] / sqrt(mean(x^2) + eps) * weight[i]} over {@code width} values of which {@code n} count. */
    void rmsNorm(float[] x, int x0, float[] weight, int width, int n, double eps, float[] out, int o0);

    /**
     * Replaces {@code s[s0..s0 + n)} by {@code exp(s - max)} and what follows up to a multiple of 16 by 0; returns the
     * sum.
     */
    float softmax(float[] s, int s0, int n);

    /** {@code out[i] = silu(gate[i]) * up[i]} with {@code silu(g) = g / (1 + exp(-g))}. */
    void gate(float[] x, int gate, int up, int n, float[] out, int o0);

    /** {@code x[i] += y[i]}. */
    void add(float[] x, int x0, float[] y, int y0, int n);

    /** {@code y[y0 + i] = x[x0 + i] * factor}. */
    void scale(float[] x, int x0, float factor, int n, float[] y, int y0);

    /**
     * Rotates the pairs {@code (x[i], x[half + i])} by angles with the given cosines and sines, then multiplies by
     * {@code factor}.
     */
    void rotate(float[] x, int x0, int half, float[] cos, float[] sin, int c0, float factor);

    /** {@code out[i] = h[h0 + i]}, bfloat16 widened. */
    void widenBf16(short[] h, int h0, int n, float[] out);

    /** {@code out[i] = h[h0 + i]}, binary16 widened. */
    void widenF16(short[] h, int h0, int n, float[] out);

    /**
     * Widens panels of Q8_0: {@code out[k * 16 + j] = scale[k / 32][j] * q[k * 16 + j]} with the scales, binary16, at
     * {@code scales[s0 + k / 32 * 16 + j]}.
     */
    void widenQ8(byte[] q, int q0, short[] scales, int s0, int n, float[] out);

    /**
     * The vector kernels where the JVM has the module {@code jdk.incubator.vector} and the machine vectors of four lanes
     * or more, else the scalar ones.
     */
    static Kernels best() {
        boolean vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        return vectors && VectorTiles.LANES >= 4 ? new VectorKernels() : new ScalarKernels();
    }

    /** The kernels that {@link #best} chooses, with their width, for reports. */
    static String describe() {
        return best() instanceof VectorKernels
                ? "vector " + VectorTiles.LANES * Float.SIZE + " bit"
                : "scalar";
    }

    /** The sum of 16 lanes, folded 8, 4, 2, 1; destroys {@code lanes}. */
    static float fold(float[] lanes) {
        for (int step = FOLD / 2; step > 0; step /= 2) {
            for (int i = 0; i < step; i++) {
                lanes[i] += lanes[i + step];
            }
        }
        return lanes[0];
    }
}
