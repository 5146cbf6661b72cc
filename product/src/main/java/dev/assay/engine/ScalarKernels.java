package dev.assay.engine;

/** The kernels in plain Java: the control of {@link VectorKernels} in tests, and the fallback without vectors. */
final class ScalarKernels implements Kernels {
    @Override
    public void pair(float[] w, int a, int b, int ldw, int n, float[] x, int x0, int ldx, int rows, float[] y,
            int y0,
            int ldy, boolean add) {
        for (int r = 0; r < rows; r++) {
            for (int j = 0; j < FOLD; j++) {
                int at = y0 + r * ldy + j;
                y[at] = dot(w, a + j, ldw, n, x, x0 + r * ldx, add ? y[at] : 0);
                y[at + FOLD] = dot(w, b + j, ldw, n, x, x0 + r * ldx, add ? y[at + FOLD] : 0);
            }
        }
    }

    private static float dot(float[] w, int at, int ldw, int n, float[] x, int x0, float start) {
        float sum = start;
        for (int k = 0; k < n; k++) {
            sum = Math.fma(w[at + k * ldw], x[x0 + k], sum);
        }
        return sum;
    }

    @Override
    public void rmsNorm(float[] x, int x0, float[] weight, int width, int n, double eps, float[] out,
            int o0) {
        float[] lanes = new float[FOLD];
        for (int i = 0; i < width; i++) {
            lanes[i % FOLD] = Math.fma(x[x0 + i], x[x0 + i], lanes[i % FOLD]);
        }
        float inverse = (float) (1 / Math.sqrt(Kernels.fold(lanes) / (double) n + eps));
        for (int i = 0; i < width; i++) {
            out[o0 + i] = x[x0 + i] * inverse * weight[i];
        }
    }

    @Override
    public float softmax(float[] s, int s0, int n) {
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            max = Math.max(max, s[s0 + i]);
        }
        float[] lanes = new float[FOLD];
        for (int i = 0; i < n; i++) {
            s[s0 + i] = Exp.exp(s[s0 + i] - max);
            lanes[i % FOLD] += s[s0 + i];
        }
        for (int i = n; i % FOLD != 0; i++) {
            s[s0 + i] = 0;
        }
        return Kernels.fold(lanes);
    }

    @Override
    public void gate(float[] x, int gate, int up, int n, float[] out, int o0) {
        for (int i = 0; i < n; i++) {
            float g = x[gate + i];
            out[o0 + i] = g / (1 + Exp.exp(-g)) * x[up + i];
        }
    }

    @Override
    public void add(float[] x, int x0, float[] y, int y0, int n) {
        for (int i = 0; i < n; i++) {
            x[x0 + i] += y[y0 + i];
        }
    }

    @Override
    public void scale(float[] x, int x0, float factor, int n, float[] y, int y0) {
        for (int i = 0; i < n; i++) {
            y[y0 + i] = x[x0 + i] * factor;
        }
    }

    @Override
    public void rotate(float[] x, int x0, int half, float[] cos, float[] sin, int c0, float factor) {
        for (int i = 0; i < half; i++) {
            float u = x[x0 + i];
            float v = x[x0 + half + i];
            x[x0 + i] = (u * cos[c0 + i] - v * sin[c0 + i]) * factor;
            x[x0 + half + i] = (u * sin[c0 + i] + v * cos[c0 + i]) * factor;
        }
    }

    @Override
    public void widenBf16(short[] h, int h0, int n, float[] out) {
        for (int i = 0; i < n; i++) {
            out[i] = Formats.fromBf16(h[h0 + i]);
        }
    }

    @Override
    public void widenF16(short[] h, int h0, int n, float[] out) {
        for (int i = 0; i < n; i++) {
            out[i] = Float.float16ToFloat(h[h0 + i]);
        }
    }

    @Override
    public void widenQ8(byte[] q, int q0, short[] scales, int s0, int n, float[] out) {
        int block = Formats.BLOCK * FOLD;
        for (int i = 0; i < n; i++) {
            out[i] = Float.float16ToFloat(scales[s0 + i / block * FOLD + i % FOLD]) * q[q0 + i];
        }
    }
}
