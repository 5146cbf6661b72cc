package dev.assay.engine;

import dev.assay.AssayException;
import dev.assay.model.WeightFormat;

/**
 * A weight matrix packed for {@link Kernels}: panels of 16 outputs, {@code [output / 16][k][16]}, padded with zero
 * outputs to whole pairs of panels. Formats narrower than f32 are widened pair by pair into a scratch that stays in the
 * first-level cache, so that every format shares the f32 kernels.
 */
final class Panels {
    /** Inputs of one block of a product: with 32 rows of activations it fits the first-level cache. */
    private static final int K_BLOCK = 96;
    /** Rows that share one visit of a weight block. */
    private static final int ROW_BLOCK = 32;
    private static final float[] NO_FLOATS = {};
    private static final short[] NO_SHORTS = {};
    private static final byte[] NO_BYTES = {};

    private final WeightFormat format;
    private final int outputs;
    private final int inputs;
    private final float[] floats;
    /** bf16 or f16 values, or the f16 scales of Q8_0 as {@code [output / 16][k / 32][16]}. */
    private final short[] shorts;
    private final byte[] bytes;

    Panels(String name, WeightFormat format, int rows, int inputs) {
        this.format = format;
        this.inputs = inputs;
        this.outputs = Math.ceilDiv(rows, Kernels.PAIR) * Kernels.PAIR;
        long size = (long) outputs * inputs;
        if (size > Integer.MAX_VALUE - 64) {
            throw AssayException.misuse(
                    name + ": " + rows + " x " + inputs + " weights: expected fewer than 2^31 in one matrix");
        }
        if (format == WeightFormat.Q8_0 && inputs % Formats.BLOCK != 0) {
            throw AssayException
                    .misuse(name + ": " + inputs + " inputs cannot be stored as Q8_0: expected a multiple of "
                            + Formats.BLOCK);
        }
        floats = format == WeightFormat.F32 ? new float[(int) size] : NO_FLOATS;
        shorts = switch (format) {
            case F32 -> NO_SHORTS;
            case BF16, F16 -> new short[(int) size];
            case Q8_0 -> new short[(int) size / Formats.BLOCK];
        };
        bytes = format == WeightFormat.Q8_0 ? new byte[(int) size] : NO_BYTES;
    }

    /** Outputs, padding included: a multiple of 32. */
    int outputs() {
        return outputs;
    }

    int inputs() {
        return inputs;
    }

    int pairs() {
        return outputs / Kernels.PAIR;
    }

    /** Bytes in memory. */
    long memory() {
        return 4L * floats.length + 2L * shorts.length + bytes.length;
    }

    /** Floats of scratch that {@link #multiply} needs. */
    int scratch() {
        return format == WeightFormat.F32 ? 0 : Kernels.PAIR * inputs;
    }

    private int at(int output, int k) {
        return (output / Kernels.FOLD * inputs + k) * Kernels.FOLD + output % Kernels.FOLD;
    }

    private int scaleAt(int output, int k) {
        return (output / Kernels.FOLD * (inputs / Formats.BLOCK) + k / Formats.BLOCK) * Kernels.FOLD
                + output % Kernels.FOLD;
    }

    /** Stores the weights of one output, rounding to the format; {@code quants} is a scratch of {@code inputs}. */
    void set(int output, float[] row, byte[] quants) {
        int at = at(output, 0);
        switch (format) {
            case F32 -> {
                for (int k = 0; k < inputs; k++) {
                    floats[at + k * Kernels.FOLD] = row[k];
                }
            }
            case BF16 -> {
                for (int k = 0; k < inputs; k++) {
                    shorts[at + k * Kernels.FOLD] = Formats.toBf16(row[k]);
                }
            }
            case F16 -> {
                for (int k = 0; k < inputs; k++) {
                    shorts[at + k * Kernels.FOLD] = Float.floatToFloat16(row[k]);
                }
            }
            case Q8_0 -> {
                for (int k = 0; k < inputs; k += Formats.BLOCK) {
                    shorts[scaleAt(output, k)] = Formats.quantizeQ8(row, k, quants, k);
                }
                setQuants(output, quants);
            }
        }
    }

    /** Stores the weights of one output as they are in a Q8_0 file. */
    void setQ8(int output, short[] scales, byte[] quants) {
        for (int k = 0; k < inputs; k += Formats.BLOCK) {
            shorts[scaleAt(output, k)] = scales[k / Formats.BLOCK];
        }
        setQuants(output, quants);
    }

    private void setQuants(int output, byte[] quants) {
        int at = at(output, 0);
        for (int k = 0; k < inputs; k++) {
            bytes[at + k * Kernels.FOLD] = quants[k];
        }
    }

    /** The weights of one output, widened. */
    void get(int output, float[] out, int o0) {
        for (int k = 0; k < inputs; k++) {
            int at = at(output, k);
            out[o0 + k] = switch (format) {
                case F32 -> floats[at];
                case BF16 -> Formats.fromBf16(shorts[at]);
                case F16 -> Float.float16ToFloat(shorts[at]);
                case Q8_0 -> Float.float16ToFloat(shorts[scaleAt(output, k)]) * bytes[at];
            };
        }
    }

    /** {@code y[r][o] = sum over k of w[o][k] x[r][k]} for the outputs of the pairs {@code from} to {@code to - 1}. */
    void multiply(Kernels kernels, float[] x, int ldx, int rows, float[] y, int ldy, int from, int to,
            float[] scratch) {
        int half = inputs * Kernels.FOLD;
        for (int pair = from; pair < to; pair++) {
            int start = pair * 2 * half;
            if (format == WeightFormat.F32) {
                multiplyPair(kernels, floats, start, half, x, ldx, rows, y, pair * Kernels.PAIR, ldy);
            } else {
                switch (format) {
                    case BF16 -> kernels.widenBf16(shorts, start, 2 * half, scratch);
                    case F16 -> kernels.widenF16(shorts, start, 2 * half, scratch);
                    case F32, Q8_0 ->
                        kernels.widenQ8(bytes, start, shorts, start / Formats.BLOCK, 2 * half, scratch);
                }
                multiplyPair(kernels, scratch, 0, half, x, ldx, rows, y, pair * Kernels.PAIR, ldy);
            }
        }
    }

    private void multiplyPair(Kernels kernels, float[] w, int a, int half, float[] x, int ldx, int rows,
            float[] y,
            int y0, int ldy) {
        if (rows <= 2) {
            kernels.pair(w, a, a + half, Kernels.FOLD, inputs, x, 0, ldx, rows, y, y0, ldy, false);
            return;
        }
        for (int r = 0; r < rows; r += ROW_BLOCK) {
            int count = Math.min(ROW_BLOCK, rows - r);
            for (int k = 0; k < inputs; k += K_BLOCK) {
                int at = a + k * Kernels.FOLD;
                kernels.pair(w, at, at + half, Kernels.FOLD, Math.min(K_BLOCK, inputs - k), x, r * ldx + k,
                        ldx, count,
                        y, r * ldy + y0, ldy, k > 0);
            }
        }
    }
}
