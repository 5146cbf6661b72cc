package dev.assay.engine;

import dev.assay.model.ModelShape;
import java.util.Arrays;

/**
 * Cosines and sines of the rotary positions, computed in double precision by {@link StrictMath} so that every machine
 * has the same bits; grows to the longest position seen. Angle of pair i: {@code position * base^(-2i / headDim)}.
 */
final class Rope {
    private final double[] frequency;
    private final int half;
    private float[] cos = new float[0];
    private float[] sin = new float[0];
    private int positions;

    /** Tables of {@code half} pairs for each position, zero past the head's own. */
    Rope(ModelShape shape, int half) {
        this.half = half;
        frequency = new double[shape.headDim() / 2];
        for (int i = 0; i < frequency.length; i++) {
            frequency[i] = StrictMath.pow(shape.ropeBase(), -2.0 * i / shape.headDim());
        }
    }

    /** Makes sure that the tables hold {@code position}. */
    void reach(int position) {
        if (position < positions) {
            return;
        }
        int end = Math.max(position + 1, Math.max(256, positions * 2));
        cos = Arrays.copyOf(cos, end * half);
        sin = Arrays.copyOf(sin, end * half);
        for (int p = positions; p < end; p++) {
            for (int i = 0; i < frequency.length; i++) {
                cos[p * half + i] = (float) StrictMath.cos(p * frequency[i]);
                sin[p * half + i] = (float) StrictMath.sin(p * frequency[i]);
            }
        }
        positions = end;
    }

    /** Rotates one head at {@code x0} for {@code position} and multiplies by {@code factor}. */
    void rotate(Kernels kernels, float[] x, int x0, int position, float factor) {
        kernels.rotate(x, x0, half, cos, sin, position * half, factor);
    }
}
