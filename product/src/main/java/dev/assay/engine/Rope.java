package dev.assay.engine;

import dev.assay.model.ModelShape;
import java.util.Arrays;

/**
 * Cosines and sines of the rotary positions, the same bits on every machine; grows to the longest position seen. Angle of
 * pair i: {@code position * base^(-2i / headDim)}. Each position is the one before it turned by one step in double
 * precision, whose error (below 1e-11 at a million positions) vanishes in single precision.
 */
final class Rope {
    private static final int FIRST = 256;

    private final double[] stepCos;
    private final double[] stepSin;
    private final double[] nextCos;
    private final double[] nextSin;
    private final int half;
    private float[] cos = new float[0];
    private float[] sin = new float[0];
    private int positions;

    /** Tables of {@code half} pairs for each position, zero past the head's own. */
    Rope(ModelShape shape, int half) {
        this.half = half;
        int pairs = shape.headDim() / 2;
        stepCos = new double[pairs];
        stepSin = new double[pairs];
        nextCos = new double[pairs];
        nextSin = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            double angle = StrictMath.pow(shape.ropeBase(), -2.0 * i / shape.headDim());
            stepCos[i] = StrictMath.cos(angle);
            stepSin[i] = StrictMath.sin(angle);
            nextCos[i] = 1;
        }
        reach(FIRST - 1);
    }

    /** Makes sure that the tables hold {@code position}. */
    void reach(int position) {
        if (position < positions) {
            return;
        }
        int end = Math.max(position + 1, positions * 2);
        cos = Arrays.copyOf(cos, end * half);
        sin = Arrays.copyOf(sin, end * half);
        for (int p = positions; p < end; p++) {
            for (int i = 0; i < stepCos.length; i++) {
                double c = nextCos[i];
                double d = nextSin[i];
                cos[p * half + i] = (float) c;
                sin[p * half + i] = (float) d;
                nextCos[i] = c * stepCos[i] - d * stepSin[i];
                nextSin[i] = d * stepCos[i] + c * stepSin[i];
            }
        }
        positions = end;
    }

    /** Rotates one head at {@code x0} for {@code position} and multiplies by {@code factor}. */
    void rotate(Kernels kernels, float[] x, int x0, int position, float factor) {
        kernels.rotate(x, x0, half, cos, sin, position * half, factor);
    }
}
