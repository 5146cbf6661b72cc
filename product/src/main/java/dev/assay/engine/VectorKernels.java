package dev.assay.engine;

import static dev.assay.engine.VectorTiles.LANES;
import static dev.assay.engine.VectorTiles.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The kernels by the Vector API, for vectors of 2 to 16 lanes. Widths and offsets are multiples of 16. */
final class VectorKernels implements Kernels {

    /** As many shorts and bytes as a float vector has lanes; the shortest byte vector has eight. */
    private static final VectorSpecies<Short> SHORTS = VectorSpecies.of(short.class,
            VectorShape.forBitSize(LANES * Short.SIZE));
    private static final VectorSpecies<Integer> INTS = SPECIES.withLanes(int.class);
    private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class,
            VectorShape.forBitSize(Math.max(64, LANES * Byte.SIZE)));

    @Override
    public void pair(float[] w, int a, int b, int ldw, int n, float[] x, int x0, int ldx, int rows, float[] y,
            int y0,
            int ldy, boolean add) {
        if (LANES == FOLD) {
            streams(w, a, b, ldw, n, x, x0, ldx, rows, y, y0, ldy, add);
            return;
        }
        for (int v = 0; v < PAIR; v += 4 * LANES) {
            int o0 = at(a, b, v);
            int o1 = at(a, b, v + LANES);
            int o2 = at(a, b, v + 2 * LANES);
            int o3 = at(a, b, v + 3 * LANES);
            if (rows == 1) {
                VectorTiles.tile1x4(w, o0, o1, o2, o3, ldw, n, x, x0, ldx, y, y0 + v, ldy, add);
            } else if (rows == 2) {
                VectorTiles.tile2x4(w, o0, o1, o2, o3, ldw, n, x, x0, ldx, y, y0 + v, ldy, add);
            } else {
                streams(w, o0, o1, ldw, n, x, x0, ldx, rows, y, y0 + v, ldy, add);
                streams(w, o2, o3, ldw, n, x, x0, ldx, rows, y, y0 + v + 2 * LANES, ldy, add);
            }
        }
    }

    /** Where the vector that holds output {@code j} of a pair has its weights. */
    private static int at(int a, int b, int j) {
        return j < FOLD ? a + j : b + j - FOLD;
    }

    /** All rows by two vectors of outputs, in groups of rows that fill the registers. */
    private static void streams(float[] w, int a, int b, int ldw, int n, float[] x, int x0, int ldx, int rows,
            float[] y, int y0, int ldy, boolean add) {
        int r = 0;
        for (; rows - r >= 8; r += 4) {
            VectorTiles.tile4x2(w, a, b, ldw, n, x, x0 + r * ldx, ldx, y, y0 + r * ldy, ldy, add);
        }
        while (r < rows) {
            int xr = x0 + r * ldx;
            int yr = y0 + r * ldy;
            switch (rows - r) {
                case 1 -> VectorTiles.tile1x2(w, a, b, ldw, n, x, xr, ldx, y, yr, ldy, add);
                case 2 -> VectorTiles.tile2x2(w, a, b, ldw, n, x, xr, ldx, y, yr, ldy, add);
                case 3 -> VectorTiles.tile3x2(w, a, b, ldw, n, x, xr, ldx, y, yr, ldy, add);
                case 5 -> VectorTiles.tile5x2(w, a, b, ldw, n, x, xr, ldx, y, yr, ldy, add);
                case 6 -> VectorTiles.tile6x2(w, a, b, ldw, n, x, xr, ldx, y, yr, ldy, add);
                default -> VectorTiles.tile4x2(w, a, b, ldw, n, x, xr, ldx, y, yr, ldy, add);
            }
            int left = rows - r;
            r += left == 7 ? 4 : left;
        }
    }

    @Override
    public void rmsNorm(float[] x, int x0, float[] weight, int width, int n, double eps, float[] out,
            int o0) {
        float[] lanes = new float[FOLD];
        for (int v = 0; v < FOLD; v += LANES) {
            FloatVector sum = FloatVector.zero(SPECIES);
            for (int i = v; i < width; i += FOLD) {
                FloatVector value = FloatVector.fromArray(SPECIES, x, x0 + i);
                sum = value.fma(value, sum);
            }
            sum.intoArray(lanes, v);
        }
        FloatVector inverse = FloatVector.broadcast(SPECIES,
                (float) (1 / Math.sqrt(Kernels.fold(lanes) / (double) n + eps)));
        for (int i = 0; i < width; i += LANES) {
            FloatVector.fromArray(SPECIES, x, x0 + i)
                    .mul(inverse)
                    .mul(FloatVector.fromArray(SPECIES, weight, i))
                    .intoArray(out, o0 + i);
        }
    }

    @Override
    public float softmax(float[] s, int s0, int n) {
        int width = Math.ceilDiv(n, FOLD) * FOLD;
        for (int i = n; i < width; i++) {
            s[s0 + i] = Float.NEGATIVE_INFINITY;
        }
        FloatVector greatest = FloatVector.fromArray(SPECIES, s, s0);
        for (int i = LANES; i < width; i += LANES) {
            greatest = greatest.max(FloatVector.fromArray(SPECIES, s, s0 + i));
        }
        float max = greatest.reduceLanes(VectorOperators.MAX);
        for (int i = 0; i < width; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, s, s0 + i).sub(max);
            x = x.max(-Exp.LIMIT).min(Exp.LIMIT);
            FloatVector shifted = x.fma(FloatVector.broadcast(SPECIES, Exp.LOG2E),
                    FloatVector.broadcast(SPECIES, Exp.ROUND));
            FloatVector whole = shifted.sub(Exp.ROUND);
            FloatVector r = whole.fma(FloatVector.broadcast(SPECIES, -Exp.LN2_HIGH), x);
            r = whole.fma(FloatVector.broadcast(SPECIES, -Exp.LN2_LOW), r);
            FloatVector p = r.fma(FloatVector.broadcast(SPECIES, Exp.C0),
                    FloatVector.broadcast(SPECIES, Exp.C1));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C2));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C3));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C4));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C5));
            p = p.fma(r.mul(r), r).add(1f);
            IntVector bits = shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, Exp.MANTISSA_BITS);
            p.reinterpretAsInts().add(bits).reinterpretAsFloats().intoArray(s, s0 + i);
        }
        for (int i = n; i < width; i++) {
            s[s0 + i] = 0;
        }
        return sum(s, s0, width);
    }

    private static float sum(float[] s, int s0, int width) {
        float[] lanes = new float[FOLD];
        for (int v = 0; v < FOLD; v += LANES) {
            FloatVector sum = FloatVector.zero(SPECIES);
            for (int i = v; i < width; i += FOLD) {
                sum = sum.add(FloatVector.fromArray(SPECIES, s, s0 + i));
            }
            sum.intoArray(lanes, v);
        }
        return Kernels.fold(lanes);
    }

    @Override
    public void gate(float[] x, int gate, int up, int n, float[] out, int o0) {
        for (int i = 0; i < n; i += LANES) {
            FloatVector g = FloatVector.fromArray(SPECIES, x, gate + i);
            FloatVector e = g.neg().max(-Exp.LIMIT).min(Exp.LIMIT);
            FloatVector shifted = e.fma(FloatVector.broadcast(SPECIES, Exp.LOG2E),
                    FloatVector.broadcast(SPECIES, Exp.ROUND));
            FloatVector whole = shifted.sub(Exp.ROUND);
            FloatVector r = whole.fma(FloatVector.broadcast(SPECIES, -Exp.LN2_HIGH), e);
            r = whole.fma(FloatVector.broadcast(SPECIES, -Exp.LN2_LOW), r);
            FloatVector p = r.fma(FloatVector.broadcast(SPECIES, Exp.C0),
                    FloatVector.broadcast(SPECIES, Exp.C1));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C2));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C3));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C4));
            p = p.fma(r, FloatVector.broadcast(SPECIES, Exp.C5));
            p = p.fma(r.mul(r), r).add(1f);
            IntVector bits = shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, Exp.MANTISSA_BITS);
            FloatVector exp = p.reinterpretAsInts().add(bits).reinterpretAsFloats();
            g.div(exp.add(1f)).mul(FloatVector.fromArray(SPECIES, x, up + i)).intoArray(out, o0 + i);
        }
    }

    @Override
    public void add(float[] x, int x0, float[] y, int y0, int n) {
        for (int i = 0; i < n; i += LANES) {
            FloatVector.fromArray(SPECIES, x, x0 + i)
                    .add(FloatVector.fromArray(SPECIES, y, y0 + i))
                    .intoArray(x, x0 + i);
        }
    }

    @Override
    public void scale(float[] x, int x0, float factor, int n, float[] y, int y0) {
        for (int i = 0; i < n; i += LANES) {
            FloatVector.fromArray(SPECIES, x, x0 + i).mul(factor).intoArray(y, y0 + i);
        }
    }

    @Override
    public void rotate(float[] x, int x0, int half, float[] cos, float[] sin, int c0, float factor) {
        for (int i = 0; i < half; i += LANES) {
            FloatVector u = FloatVector.fromArray(SPECIES, x, x0 + i);
            FloatVector v = FloatVector.fromArray(SPECIES, x, x0 + half + i);
            FloatVector c = FloatVector.fromArray(SPECIES, cos, c0 + i);
            FloatVector s = FloatVector.fromArray(SPECIES, sin, c0 + i);
            u.mul(c).sub(v.mul(s)).mul(factor).intoArray(x, x0 + i);
            u.mul(s).add(v.mul(c)).mul(factor).intoArray(x, x0 + half + i);
        }
    }

    @Override
    public void widenBf16(short[] h, int h0, int n, float[] out) {
        for (int i = 0; i < n; i += LANES) {
            ShortVector.fromArray(SHORTS, h, h0 + i)
                    .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0)
                    .reinterpretAsInts()
                    .lanewise(VectorOperators.LSHL, 16)
                    .reinterpretAsFloats()
                    .intoArray(out, i);
        }
    }

    @Override
    public void widenF16(short[] h, int h0, int n, float[] out) {
        // C2 turns this loop into the hardware's conversion; the Vector API has none.
        for (int i = 0; i < n; i++) {
            out[i] = Float.float16ToFloat(h[h0 + i]);
        }
    }

    @Override
    public void widenQ8(byte[] q, int q0, short[] scales, int s0, int n, float[] out) {
        float[] scale = new float[FOLD];
        int block = Formats.BLOCK * FOLD;
        for (int i = 0, s = s0; i < n; i += block, s += FOLD) {
            for (int j = 0; j < FOLD; j++) {
                scale[j] = Float.float16ToFloat(scales[s + j]);
            }
            for (int v = 0; v < FOLD; v += BYTES.length()) {
                if (BYTES.length() == LANES) {
                    widenBlock(q, q0 + i + v, scale, v, out, i + v);
                } else {
                    widenNarrow(q, q0 + i + v, scale, v, out, i + v);
                }
            }
        }
    }

    private static void widenBlock(byte[] q, int q0, float[] scale, int s0, float[] out, int o0) {
        FloatVector factor = FloatVector.fromArray(SPECIES, scale, s0);
        for (int k = 0; k < Formats.BLOCK; k++) {
            ByteVector.fromArray(BYTES, q, q0 + k * FOLD)
                    .convertShape(VectorOperators.B2F, SPECIES, 0)
                    .reinterpretAsFloats()
                    .mul(factor)
                    .intoArray(out, o0 + k * FOLD);
        }
    }

    /** For float vectors of less than eight lanes. */
    private static void widenNarrow(byte[] q, int q0, float[] scale, int s0, float[] out, int o0) {
        for (int k = 0; k < Formats.BLOCK; k++) {
            for (int j = 0; j < BYTES.length(); j++) {
                out[o0 + k * FOLD + j] = scale[s0 + j] * q[q0 + k * FOLD + j];
            }
        }
    }
}
