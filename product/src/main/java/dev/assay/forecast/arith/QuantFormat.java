package dev.assay.forecast.arith;

import dev.assay.AssayException;
import dev.assay.forecast.BlockFormat;
import dev.assay.forecast.Hardware;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How weights, keys and values may be kept on real engines, with the exact bits of a value. What the embedded engine can
 * compute with is {@link dev.assay.model.WeightFormat}, whose names are the same.
 */
public enum QuantFormat {
    /** IEEE binary32. */
    F32(new BlockFormat(32, 1, 0, 0), Scales.IN_GROUPS, Math16.PLAIN),
    /** Brain floating point. */
    BF16(new BlockFormat(16, 1, 0, 0), Scales.IN_GROUPS, Math16.PLAIN),
    /** IEEE binary16. */
    F16(new BlockFormat(16, 1, 0, 0), Scales.IN_GROUPS, Math16.PLAIN),
    /** 8-bit floats with a 32-bit scale for each output. */
    FP8(new BlockFormat(8, 1, 0, 0), Scales.BY_ROW, Math16.NATIVE8),
    /** 8-bit floats with a 32-bit scale for each square of 128. */
    FP8_BLOCK(new BlockFormat(8, 128 * 128, 32, 0), Scales.BY_SQUARE, Math16.NATIVE8),
    /** 8-bit integers with a 32-bit scale for each output. */
    INT8(new BlockFormat(8, 1, 0, 0), Scales.BY_ROW, Math16.NATIVE8),
    /** 4-bit integers, a 16-bit scale for 128. */
    INT4_G128(new BlockFormat(4, 128, 16, 0), Scales.IN_GROUPS, Math16.UNPACKED),
    /** The same with a 4-bit zero point. */
    INT4_G128_ZERO(new BlockFormat(4, 128, 16, 4), Scales.IN_GROUPS, Math16.UNPACKED),
    /** 4-bit floats, an 8-bit scale for 16. */
    NVFP4(new BlockFormat(4, 16, 8, 0), Scales.IN_GROUPS, Math16.NATIVE4),
    /** 4-bit floats, an 8-bit scale for 32. */
    MXFP4(new BlockFormat(4, 32, 8, 0), Scales.IN_GROUPS, Math16.NATIVE4),
    /** ggml: 4 bits, a 16-bit scale for 32. */
    Q4_0(new BlockFormat(4, 32, 16, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 4 bits, 16-bit scale and minimum for 32. */
    Q4_1(new BlockFormat(4, 32, 16, 16), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 5 bits, a 16-bit scale for 32. */
    Q5_0(new BlockFormat(5, 32, 16, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 5 bits, 16-bit scale and minimum for 32. */
    Q5_1(new BlockFormat(5, 32, 16, 16), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 8 bits, a 16-bit scale for 32. */
    Q8_0(new BlockFormat(8, 32, 16, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 256 values of 2 bits, 16 pairs of 4-bit scale and minimum, two 16-bit numbers. */
    Q2_K(new BlockFormat(2, 256, 160, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 256 values of 3 bits, 16 scales of 6 bits, one of 16. */
    Q3_K(new BlockFormat(3, 256, 112, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 256 values of 4 bits, 8 pairs of 6-bit scale and minimum, two 16-bit numbers. */
    Q4_K(new BlockFormat(4, 256, 128, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: the same with 5 bits. */
    Q5_K(new BlockFormat(5, 256, 128, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 256 values of 6 bits, 16 scales of 8 bits, one of 16. */
    Q6_K(new BlockFormat(6, 256, 144, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: 4 bits into a table, a 16-bit scale for 32. */
    IQ4_NL(new BlockFormat(4, 32, 16, 0), Scales.IN_GROUPS, Math16.GGML),
    /** ggml: the same in blocks of 256 with 6-bit scales. */
    IQ4_XS(new BlockFormat(4, 256, 64, 0), Scales.IN_GROUPS, Math16.GGML);

    private enum Scales {
        IN_GROUPS, BY_ROW, BY_SQUARE
    }

    /** In which arithmetic a format is multiplied. */
    enum Math16 {
        /** 16-bit, as stored. */
        PLAIN,
        /** 8-bit where the hardware has it. */
        NATIVE8,
        /** 4-bit where the hardware has it. */
        NATIVE4,
        /** 16-bit after unpacking in the kernel. */
        UNPACKED,
        /** llama.cpp's own kernels. */
        GGML
    }

    /** Where the squares of {@link #FP8_BLOCK} end. */
    private static final int SQUARE = 128;
    private static final int ROW_SCALE_BITS = 32;

    private final int valueBits;
    private final int group;
    private final int groupBits;
    private final double effectiveBits;
    private final Scales scales;
    private final Math16 math;

    QuantFormat(BlockFormat block, Scales scales, Math16 math) {
        valueBits = block.bits();
        group = block.group();
        groupBits = block.scaleBits() + block.zeroBits();
        effectiveBits = block.effectiveBits();
        this.scales = scales;
        this.math = math;
    }

    /** Name in reports and options. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Bits of a value, its share of scales included, in a large matrix; scales by row vanish in it. */
    public double bits() {
        return effectiveBits;
    }

    /** Bytes of a matrix. */
    public double bytes(long rows, long columns) {
        double values = (double) rows * columns * valueBits;
        double extra = switch (scales) {
            case IN_GROUPS -> (double) rows * Math.ceilDiv(columns, group) * groupBits;
            case BY_ROW -> (double) rows * ROW_SCALE_BITS;
            case BY_SQUARE -> (double) Math.ceilDiv(rows, SQUARE) * Math.ceilDiv(columns, SQUARE)
                    * groupBits;
        };
        return (values + extra) / 8;
    }

    /** Bytes of so many values in whole groups; scales by row vanish in a large matrix and are left out. */
    public long bytes(long values) {
        long each = scales == Scales.BY_ROW ? 1 : group;
        long bits = each * valueBits + (scales == Scales.BY_ROW ? 0 : groupBits);
        return Math.ceilDiv(Math.ceilDiv(values, each) * bits, 8);
    }

    /** Whether values are stored as they are multiplied, without scales. */
    public boolean plain() {
        return math == Math16.PLAIN;
    }

    Math16 math() {
        return math;
    }

    /** Whether it is one of ggml's. */
    public boolean ggml() {
        return math == Math16.GGML;
    }

    /** The peak of the arithmetic in which weights of this format are multiplied, operations in a second. */
    public double peak(Hardware hardware) {
        double half = hardware.peak(Hardware.Precision.BF16)
                .orElseThrow(() -> AssayException.misuse("hardware " + hardware.name()
                        + " has no 16-bit peak in the table; expected hardware with one"));
        return switch (math) {
            case PLAIN, UNPACKED, GGML -> this == F32 ? half / 2 : half;
            case NATIVE8 -> hardware.peak(Hardware.Precision.FP8).orElse(half);
            // Only NVFP4 is multiplied in 4 bits; MXFP4 weights meet 16-bit activations.
            case NATIVE4 -> this == NVFP4 ? hardware.peak(Hardware.Precision.FP4).orElse(half) : half;
        };
    }

    /** Whether a kernel has to unpack the weights before it multiplies, which costs compute at large batches. */
    public boolean unpacks(Hardware hardware) {
        return switch (math) {
            case PLAIN -> false;
            case UNPACKED, GGML -> true;
            case NATIVE8 -> hardware.peak(Hardware.Precision.FP8).isEmpty();
            case NATIVE4 -> this != NVFP4 || hardware.peak(Hardware.Precision.FP4).isEmpty();
        };
    }

    /** The format of a name, if it is one. */
    public static Optional<QuantFormat> find(String name) {
        String key = name.toLowerCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(values()).filter(f -> f.id().equals(key)).findFirst();
    }

    /** The format of a name; {@code where} begins the error. */
    public static QuantFormat named(String name, String where) {
        return find(name).orElseThrow(() -> AssayException.misuse(where + " is '" + name
                + "'; expected one of "
                + Arrays.stream(values()).map(QuantFormat::id).collect(Collectors.joining(", "))));
    }

    /** The format that a model's or file's name tells of, as {@code ...-FP8} or {@code ...Q4_0.gguf}. */
    public static Optional<QuantFormat> hinted(String name) {
        String n = name.toLowerCase(Locale.ROOT).replaceAll(".*/", "");
        Optional<QuantFormat> ggml = Arrays.stream(values()).filter(f -> f.ggml() && n.contains(f.id()))
                .findFirst();
        if (ggml.isPresent()) {
            return ggml;
        }
        for (Hint h : HINTS) {
            if (n.contains(h.part())) {
                return Optional.of(h.format());
            }
        }
        return Optional.empty();
    }

    private record Hint(String part, QuantFormat format) {}

    private static final List<Hint> HINTS = List.of(new Hint("nvfp4", NVFP4), new Hint("mxfp4", MXFP4),
            new Hint("fp4", NVFP4), new Hint("fp8", FP8), new Hint("awq", INT4_G128_ZERO),
            new Hint("gptq", INT4_G128), new Hint("w4a16", INT4_G128), new Hint("int4", INT4_G128),
            new Hint("w8a8", INT8), new Hint("int8", INT8), new Hint("bf16", BF16), new Hint("f16", F16));
}
