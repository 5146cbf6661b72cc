package dev.assay.model;

import dev.assay.AssayException;
import java.util.Locale;

/** How the weights of a tensor are stored, in a file or in memory. */
public enum WeightFormat {
    /** IEEE 754 binary32. */
    F32(0, 1, 4),
    /** The upper half of a binary32. */
    BF16(30, 1, 2),
    /** IEEE 754 binary16. */
    F16(1, 1, 2),
    /** Blocks of 32 signed bytes with one binary16 scale, as in ggml. */
    Q8_0(8, 32, 34);

    private final int ggmlType;
    private final int blockWeights;
    private final int blockBytes;

    WeightFormat(int ggmlType, int blockWeights, int blockBytes) {
        this.ggmlType = ggmlType;
        this.blockWeights = blockWeights;
        this.blockBytes = blockBytes;
    }

    /** Bits that one weight takes, its share of a block's scale included. */
    public double bitsPerWeight() {
        return 8.0 * blockBytes / blockWeights;
    }

    /** Weights in one block; rows hold whole blocks. */
    public int blockWeights() {
        return blockWeights;
    }

    /** Bytes of {@code weights} weights; a row's last block may be partly filled. */
    public long bytes(long weights) {
        return Math.ceilDiv(weights, blockWeights) * blockBytes;
    }

    /** The format of a ggml tensor type number; {@code where} names the tensor in the error. */
    static WeightFormat ofGgml(int type, String where) {
        for (WeightFormat f : values()) {
            if (f.ggmlType == type) {
                return f;
            }
        }
        throw AssayException.misuse(
                where + ": ggml tensor type " + type + " is not supported: expected F32, F16, BF16 or Q8_0");
    }

    /** The format of a name such as {@code f32} or {@code q8_0}, in any case. */
    public static WeightFormat ofName(String name) {
        for (WeightFormat f : values()) {
            if (f.name().equals(name.toUpperCase(Locale.ROOT))) {
                return f;
            }
        }
        throw AssayException.misuse("weight format " + name + ": expected f32, bf16, f16 or q8_0");
    }
}
