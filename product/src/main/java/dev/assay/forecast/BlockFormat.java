package dev.assay.forecast;

/**
 * A number format whose values share a scale, and perhaps a zero point, in groups.
 *
 * @param bits of one value
 * @param group values that share a scale
 * @param scaleBits bits of the scale
 * @param zeroBits bits of the zero point, 0 where there is none
 */
public record BlockFormat(int bits, int group, int scaleBits, int zeroBits) {
    public BlockFormat {
        if (bits < 1 || group < 1 || scaleBits < 0 || zeroBits < 0) {
            throw new IllegalArgumentException(
                    "bits " + bits + ", group " + group + ", scale_bits " + scaleBits
                            + ", zero_bits " + zeroBits + "; expected at least 1, 1, 0, 0");
        }
    }

    /** Bits that one value takes in memory, its share of scale and zero point included. */
    public double effectiveBits() {
        return bits + (scaleBits + zeroBits) / (double) group;
    }
}
