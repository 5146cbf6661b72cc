package dev.assay.engine;

/**
 * The exponential in single precision, the same bits on every machine. Range reduction by ln 2 in two parts and a
 * polynomial of degree 5, with the constants of the Cephes library's {@code expf} (S. Moshier); within 2 ulp.
 */
final class Exp {
    static final float LOG2E = 1.44269504088896341f;
    /** 1.5 * 2^23: adding it rounds to an integer, which is then in the low bits. */
    static final float ROUND = 12_582_912f;
    static final float LN2_HIGH = 0.693359375f;
    static final float LN2_LOW = -2.12194440e-4f;
    static final float C0 = 1.9875691500e-4f;
    static final float C1 = 1.3981999507e-3f;
    static final float C2 = 8.3334519073e-3f;
    static final float C3 = 4.1665795894e-2f;
    static final float C4 = 1.6666665459e-1f;
    static final float C5 = 5.0000001201e-1f;
    /** Arguments are held between -LIMIT and LIMIT, where the result is a normal number. */
    static final float LIMIT = 87f;
    static final int MANTISSA_BITS = 23;

    private Exp() {}

    static float exp(float argument) {
        float x = Math.min(Math.max(argument, -LIMIT), LIMIT);
        float shifted = Math.fma(x, LOG2E, ROUND);
        float n = shifted - ROUND;
        float r = Math.fma(n, -LN2_HIGH, x);
        r = Math.fma(n, -LN2_LOW, r);
        float p = Math.fma(C0, r, C1);
        p = Math.fma(p, r, C2);
        p = Math.fma(p, r, C3);
        p = Math.fma(p, r, C4);
        p = Math.fma(p, r, C5);
        p = Math.fma(p, r * r, r) + 1f;
        return Float.intBitsToFloat(
                Float.floatToRawIntBits(p) + (Float.floatToRawIntBits(shifted) << MANTISSA_BITS));
    }
}
