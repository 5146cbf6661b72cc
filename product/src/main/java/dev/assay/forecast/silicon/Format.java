package dev.assay.forecast.silicon;

import dev.assay.forecast.Hardware;
import dev.assay.forecast.Hardware.Precision;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** How a served model keeps its matrix weights and computes with them. */
public enum Format {
    /** 16 bits. */
    BF16(2, Precision.BF16),
    /** 8-bit floats with a scale for each channel or block of 128 x 128, whose bits are negligible. */
    FP8(1, Precision.FP8),
    /** 4-bit floats with an 8-bit scale for every 16. */
    FP4(0.5625, Precision.FP4);

    private final double bytesPerWeight;
    private final Precision precision;

    Format(double bytesPerWeight, Precision precision) {
        this.bytesPerWeight = bytesPerWeight;
        this.precision = precision;
    }

    /** Bytes of one matrix weight, its share of a scale included. */
    public double bytesPerWeight() {
        return bytesPerWeight;
    }

    /** Peak of the matrix operations, 1/s: of the next wider precision where the hardware lacks this one. */
    OptionalDouble peak(Hardware hardware) {
        OptionalDouble peak = hardware.peak(precision);
        return peak.isPresent() ? peak : switch (this) {
            case BF16 -> peak;
            case FP8 -> BF16.peak(hardware);
            case FP4 -> FP8.peak(hardware);
        };
    }

    /** The format of a name such as {@code fp8_block} or {@code nvfp4}; absent where it is none of these. */
    static Optional<Format> named(String name) {
        return switch (name.strip().toLowerCase(Locale.ROOT)) {
            case "bf16", "bfloat16", "fp16", "float16", "half" -> Optional.of(BF16);
            case "fp8", "fp8_block", "fp8_static", "fp8_ootb", "fp8_e4m3", "float8" -> Optional.of(FP8);
            case "fp4", "nvfp4" -> Optional.of(FP4);
            default -> Optional.empty();
        };
    }

    /** The format that a model's path names, 16 bits where it names none. */
    static Format ofPath(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        return name.contains("fp4") ? FP4 : name.contains("fp8") ? FP8 : BF16;
    }
}
