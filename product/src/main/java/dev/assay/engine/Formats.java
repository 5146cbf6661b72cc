package dev.assay.engine;

/** Conversions between single precision and the stored weight formats. */
final class Formats {
    /** Weights of one block of Q8_0. */
    static final int BLOCK = 32;
    private static final float Q8_MAX = 127f;
    private static final int BF16_SHIFT = 16;

    private Formats() {}

    /** The nearest bfloat16, ties to even; NaN stays NaN. */
    static short toBf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) (bits >> BF16_SHIFT | 0x40);
        }
        return (short) (bits + 0x7fff + (bits >>> BF16_SHIFT & 1) >> BF16_SHIFT);
    }

    /** The value of a bfloat16, exact. */
    static float fromBf16(short value) {
        return Float.intBitsToFloat(value << BF16_SHIFT);
    }

    /**
     * Quantizes a block of 32 as ggml's {@code quantize_row_q8_0_ref}: scale = max|x| / 127, each value rounded to the
     * nearest multiple, halves away from zero. Returns the scale as binary16.
     */
    static short quantizeQ8(float[] x, int x0, byte[] out, int o0) {
        float max = 0;
        for (int i = 0; i < BLOCK; i++) {
            max = Math.max(max, Math.abs(x[x0 + i]));
        }
        float scale = max / Q8_MAX;
        float inverse = scale == 0 ? 0 : 1 / scale;
        for (int i = 0; i < BLOCK; i++) {
            float scaled = x[x0 + i] * inverse;
            int magnitude = (int) Math.floor(Math.abs((double) scaled) + 0.5);
            out[o0 + i] = (byte) (scaled < 0 ? -magnitude : magnitude);
        }
        return Float.floatToFloat16(scale);
    }
}
