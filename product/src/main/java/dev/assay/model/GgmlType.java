package dev.assay.model;

import dev.assay.AssayException;
import java.util.Arrays;

/** The tensor types of ggml, by number, with the sizes of their blocks as ggml's {@code type_traits} table has them. */
enum GgmlType {
    F32(0, 1, 4), F16(1, 1, 2), Q4_0(2, 32, 18), Q4_1(3, 32, 20), Q5_0(6, 32, 22), Q5_1(7, 32, 24), Q8_0(8,
            32, 34), Q8_1(9, 32, 36), Q2_K(10, 256, 84), Q3_K(11, 256, 110), Q4_K(12, 256,
                    144), Q5_K(13, 256, 176), Q6_K(14, 256, 210), Q8_K(15, 256, 292), IQ2_XXS(16, 256,
                            66), IQ2_XS(17, 256, 74), IQ3_XXS(18, 256, 98), IQ1_S(19, 256, 50), IQ4_NL(20, 32,
                                    18), IQ3_S(21, 256, 110), IQ2_S(22, 256, 82), IQ4_XS(23, 256, 136), I8(24,
                                            1, 1), I16(25, 1, 2), I32(26, 1, 4), I64(27, 1, 8), F64(28, 1,
                                                    8), IQ1_M(29, 256, 56), BF16(30, 1, 2), TQ1_0(34, 256,
                                                            54), TQ2_0(35, 256, 66), MXFP4(39, 32, 17);

    private final int number;
    private final int block;
    private final int bytes;

    GgmlType(int number, int block, int bytes) {
        this.number = number;
        this.block = block;
        this.bytes = bytes;
    }

    double bits() {
        return 8.0 * bytes / block;
    }

    static GgmlType of(int number, String where) {
        return Arrays.stream(values()).filter(t -> t.number == number).findFirst()
                .orElseThrow(() -> AssayException.misuse(where + " has ggml type " + number
                        + ": expected one of 0 to 39 that ggml defines"));
    }
}
