package dev.assay.engine;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The innermost loops: products of a few rows with a few vectors of outputs, all sums held in registers.
 *
 * <p>Output {@code j} of stream {@code o} has its weights at {@code w[o + k * ldw + j]}; row {@code r} has its inputs at
 * {@code x[x0 + r * ldx + k]}. Each output has one accumulator and takes k in ascending order by fused multiply-add, so
 * that neither the number of rows nor the width of a vector changes a bit. With {@code add} the sums go on from
 * {@code y}. The loops are written out because a vector that lives in an array or crosses a call is allocated.
 */
final class VectorTiles {
    /** The widest vectors that the machine likes, of 16 lanes at most: the width of a panel. */
    static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED.length() > 16
            ? FloatVector.SPECIES_512
            : FloatVector.SPECIES_PREFERRED;
    /** Lanes of one vector. */
    static final int LANES = SPECIES.length();

    private VectorTiles() {}

    private static FloatVector start(float[] y, int at, boolean add) {
        return add ? FloatVector.fromArray(SPECIES, y, at) : FloatVector.zero(SPECIES);
    }

    /** One row by two vectors of outputs. */
    static void tile1x2(float[] w, int o0, int o1, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
    }

    /** Two rows by two vectors of outputs. */
    static void tile2x2(float[] w, int o0, int o1, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        FloatVector a1 = start(y, y0 + ldy, add);
        FloatVector b1 = start(y, y0 + ldy + LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
            FloatVector in1 = FloatVector.broadcast(SPECIES, x[x0 + ldx + k]);
            a1 = w0.fma(in1, a1);
            b1 = w1.fma(in1, b1);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
        a1.intoArray(y, y0 + ldy);
        b1.intoArray(y, y0 + ldy + LANES);
    }

    /** Three rows by two vectors of outputs. */
    static void tile3x2(float[] w, int o0, int o1, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        FloatVector a1 = start(y, y0 + ldy, add);
        FloatVector b1 = start(y, y0 + ldy + LANES, add);
        FloatVector a2 = start(y, y0 + 2 * ldy, add);
        FloatVector b2 = start(y, y0 + 2 * ldy + LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
            FloatVector in1 = FloatVector.broadcast(SPECIES, x[x0 + ldx + k]);
            a1 = w0.fma(in1, a1);
            b1 = w1.fma(in1, b1);
            FloatVector in2 = FloatVector.broadcast(SPECIES, x[x0 + 2 * ldx + k]);
            a2 = w0.fma(in2, a2);
            b2 = w1.fma(in2, b2);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
        a1.intoArray(y, y0 + ldy);
        b1.intoArray(y, y0 + ldy + LANES);
        a2.intoArray(y, y0 + 2 * ldy);
        b2.intoArray(y, y0 + 2 * ldy + LANES);
    }

    /** Four rows by two vectors of outputs. */
    static void tile4x2(float[] w, int o0, int o1, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        FloatVector a1 = start(y, y0 + ldy, add);
        FloatVector b1 = start(y, y0 + ldy + LANES, add);
        FloatVector a2 = start(y, y0 + 2 * ldy, add);
        FloatVector b2 = start(y, y0 + 2 * ldy + LANES, add);
        FloatVector a3 = start(y, y0 + 3 * ldy, add);
        FloatVector b3 = start(y, y0 + 3 * ldy + LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
            FloatVector in1 = FloatVector.broadcast(SPECIES, x[x0 + ldx + k]);
            a1 = w0.fma(in1, a1);
            b1 = w1.fma(in1, b1);
            FloatVector in2 = FloatVector.broadcast(SPECIES, x[x0 + 2 * ldx + k]);
            a2 = w0.fma(in2, a2);
            b2 = w1.fma(in2, b2);
            FloatVector in3 = FloatVector.broadcast(SPECIES, x[x0 + 3 * ldx + k]);
            a3 = w0.fma(in3, a3);
            b3 = w1.fma(in3, b3);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
        a1.intoArray(y, y0 + ldy);
        b1.intoArray(y, y0 + ldy + LANES);
        a2.intoArray(y, y0 + 2 * ldy);
        b2.intoArray(y, y0 + 2 * ldy + LANES);
        a3.intoArray(y, y0 + 3 * ldy);
        b3.intoArray(y, y0 + 3 * ldy + LANES);
    }

    /** Five rows by two vectors of outputs. */
    static void tile5x2(float[] w, int o0, int o1, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        FloatVector a1 = start(y, y0 + ldy, add);
        FloatVector b1 = start(y, y0 + ldy + LANES, add);
        FloatVector a2 = start(y, y0 + 2 * ldy, add);
        FloatVector b2 = start(y, y0 + 2 * ldy + LANES, add);
        FloatVector a3 = start(y, y0 + 3 * ldy, add);
        FloatVector b3 = start(y, y0 + 3 * ldy + LANES, add);
        FloatVector a4 = start(y, y0 + 4 * ldy, add);
        FloatVector b4 = start(y, y0 + 4 * ldy + LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
            FloatVector in1 = FloatVector.broadcast(SPECIES, x[x0 + ldx + k]);
            a1 = w0.fma(in1, a1);
            b1 = w1.fma(in1, b1);
            FloatVector in2 = FloatVector.broadcast(SPECIES, x[x0 + 2 * ldx + k]);
            a2 = w0.fma(in2, a2);
            b2 = w1.fma(in2, b2);
            FloatVector in3 = FloatVector.broadcast(SPECIES, x[x0 + 3 * ldx + k]);
            a3 = w0.fma(in3, a3);
            b3 = w1.fma(in3, b3);
            FloatVector in4 = FloatVector.broadcast(SPECIES, x[x0 + 4 * ldx + k]);
            a4 = w0.fma(in4, a4);
            b4 = w1.fma(in4, b4);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
        a1.intoArray(y, y0 + ldy);
        b1.intoArray(y, y0 + ldy + LANES);
        a2.intoArray(y, y0 + 2 * ldy);
        b2.intoArray(y, y0 + 2 * ldy + LANES);
        a3.intoArray(y, y0 + 3 * ldy);
        b3.intoArray(y, y0 + 3 * ldy + LANES);
        a4.intoArray(y, y0 + 4 * ldy);
        b4.intoArray(y, y0 + 4 * ldy + LANES);
    }

    /** Six rows by two vectors of outputs. */
    static void tile6x2(float[] w, int o0, int o1, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        FloatVector a1 = start(y, y0 + ldy, add);
        FloatVector b1 = start(y, y0 + ldy + LANES, add);
        FloatVector a2 = start(y, y0 + 2 * ldy, add);
        FloatVector b2 = start(y, y0 + 2 * ldy + LANES, add);
        FloatVector a3 = start(y, y0 + 3 * ldy, add);
        FloatVector b3 = start(y, y0 + 3 * ldy + LANES, add);
        FloatVector a4 = start(y, y0 + 4 * ldy, add);
        FloatVector b4 = start(y, y0 + 4 * ldy + LANES, add);
        FloatVector a5 = start(y, y0 + 5 * ldy, add);
        FloatVector b5 = start(y, y0 + 5 * ldy + LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
            FloatVector in1 = FloatVector.broadcast(SPECIES, x[x0 + ldx + k]);
            a1 = w0.fma(in1, a1);
            b1 = w1.fma(in1, b1);
            FloatVector in2 = FloatVector.broadcast(SPECIES, x[x0 + 2 * ldx + k]);
            a2 = w0.fma(in2, a2);
            b2 = w1.fma(in2, b2);
            FloatVector in3 = FloatVector.broadcast(SPECIES, x[x0 + 3 * ldx + k]);
            a3 = w0.fma(in3, a3);
            b3 = w1.fma(in3, b3);
            FloatVector in4 = FloatVector.broadcast(SPECIES, x[x0 + 4 * ldx + k]);
            a4 = w0.fma(in4, a4);
            b4 = w1.fma(in4, b4);
            FloatVector in5 = FloatVector.broadcast(SPECIES, x[x0 + 5 * ldx + k]);
            a5 = w0.fma(in5, a5);
            b5 = w1.fma(in5, b5);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
        a1.intoArray(y, y0 + ldy);
        b1.intoArray(y, y0 + ldy + LANES);
        a2.intoArray(y, y0 + 2 * ldy);
        b2.intoArray(y, y0 + 2 * ldy + LANES);
        a3.intoArray(y, y0 + 3 * ldy);
        b3.intoArray(y, y0 + 3 * ldy + LANES);
        a4.intoArray(y, y0 + 4 * ldy);
        b4.intoArray(y, y0 + 4 * ldy + LANES);
        a5.intoArray(y, y0 + 5 * ldy);
        b5.intoArray(y, y0 + 5 * ldy + LANES);
    }

    /** One row by four vectors of outputs. */
    static void tile1x4(float[] w, int o0, int o1, int o2, int o3, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        FloatVector c0 = start(y, y0 + 2 * LANES, add);
        FloatVector d0 = start(y, y0 + 3 * LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector w2 = FloatVector.fromArray(SPECIES, w, o2 + k * ldw);
            FloatVector w3 = FloatVector.fromArray(SPECIES, w, o3 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
            c0 = w2.fma(in0, c0);
            d0 = w3.fma(in0, d0);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
        c0.intoArray(y, y0 + 2 * LANES);
        d0.intoArray(y, y0 + 3 * LANES);
    }

    /** Two rows by four vectors of outputs. */
    static void tile2x4(float[] w, int o0, int o1, int o2, int o3, int ldw, int n, float[] x, int x0, int ldx,
            float[] y, int y0, int ldy, boolean add) {
        FloatVector a0 = start(y, y0, add);
        FloatVector b0 = start(y, y0 + LANES, add);
        FloatVector c0 = start(y, y0 + 2 * LANES, add);
        FloatVector d0 = start(y, y0 + 3 * LANES, add);
        FloatVector a1 = start(y, y0 + ldy, add);
        FloatVector b1 = start(y, y0 + ldy + LANES, add);
        FloatVector c1 = start(y, y0 + ldy + 2 * LANES, add);
        FloatVector d1 = start(y, y0 + ldy + 3 * LANES, add);
        for (int k = 0; k < n; k++) {
            FloatVector w0 = FloatVector.fromArray(SPECIES, w, o0 + k * ldw);
            FloatVector w1 = FloatVector.fromArray(SPECIES, w, o1 + k * ldw);
            FloatVector w2 = FloatVector.fromArray(SPECIES, w, o2 + k * ldw);
            FloatVector w3 = FloatVector.fromArray(SPECIES, w, o3 + k * ldw);
            FloatVector in0 = FloatVector.broadcast(SPECIES, x[x0 + k]);
            a0 = w0.fma(in0, a0);
            b0 = w1.fma(in0, b0);
            c0 = w2.fma(in0, c0);
            d0 = w3.fma(in0, d0);
            FloatVector in1 = FloatVector.broadcast(SPECIES, x[x0 + ldx + k]);
            a1 = w0.fma(in1, a1);
            b1 = w1.fma(in1, b1);
            c1 = w2.fma(in1, c1);
            d1 = w3.fma(in1, d1);
        }
        a0.intoArray(y, y0);
        b0.intoArray(y, y0 + LANES);
        c0.intoArray(y, y0 + 2 * LANES);
        d0.intoArray(y, y0 + 3 * LANES);
        a1.intoArray(y, y0 + ldy);
        b1.intoArray(y, y0 + ldy + LANES);
        c1.intoArray(y, y0 + ldy + 2 * LANES);
        d1.intoArray(y, y0 + ldy + 3 * LANES);
    }

}
