package dev.assay.forecast;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * An accelerator as its maker states it: ceilings, not what programs reach.
 *
 * @param name such as {@code h100_sxm}
 * @param memoryGb the maker's name of its memory, 10^9 bytes
 * @param usableBytes memory that the driver shows, where that was seen
 * @param terabytesPerSecond peak memory bandwidth, 10^12 bytes/s
 * @param bf16Teraflops peak of dense 16-bit matrix operations, 10^12/s
 * @param fp8Teraflops the same for 8 bits
 * @param fp4Teraflops the same for 4 bits
 * @param linkGigabytesPerSecond one direction of the link to its peers, 10^9 bytes/s
 * @param link what that link is
 * @param watts board power
 * @param source where the figures are stated
 * @param date when they were read, as year and month
 * @param note where sources disagree, or what was measured
 */
public record Hardware(String name, double memoryGb, OptionalLong usableBytes, double terabytesPerSecond,
        OptionalDouble bf16Teraflops, OptionalDouble fp8Teraflops, OptionalDouble fp4Teraflops,
        double linkGigabytesPerSecond, String link, int watts, String source, String date,
        Optional<String> note) {
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;
    private static final double MOST_GB = 1e4;

    public Hardware {
        within("memory_gb", memoryGb);
        within("tb_per_s", terabytesPerSecond);
        within("link_gb_per_s", linkGigabytesPerSecond);
        bf16Teraflops.ifPresent(v -> within("bf16", v));
        fp8Teraflops.ifPresent(v -> within("fp8", v));
        fp4Teraflops.ifPresent(v -> within("fp4", v));
        if (name.isBlank() || source.isBlank() || date.isBlank() || watts < 1) {
            throw new IllegalArgumentException("hardware '" + name + "': source '" + source + "', date '"
                    + date + "', watts " + watts + "; expected a name, a source, a date and at least 1");
        }
    }

    private static void within(String field, double value) {
        if (!(value > 0) || value > MOST_GB) {
            throw new IllegalArgumentException(
                    field + " is " + value + "; expected more than 0, at most " + MOST_GB);
        }
    }

    /** The precision of matrix operations, which decides the peak. */
    public enum Precision {
        /** 16 bits, brain or IEEE. */
        BF16,
        /** 8-bit floats. */
        FP8,
        /** 4-bit floats with block scales. */
        FP4
    }

    /** Bytes of memory: what the driver shows where that is known, else 10^9 times the maker's figure. */
    public double memoryBytes() {
        return usableBytes.isPresent() ? usableBytes.getAsLong() : memoryGb * GIGA;
    }

    /** Bytes that it can read in a second at most. */
    public double bandwidth() {
        return terabytesPerSecond * TERA;
    }

    /** Bytes that it can send to its peers in a second at most. */
    public double linkBandwidth() {
        return linkGigabytesPerSecond * GIGA;
    }

    /** Dense matrix operations in a second at most; absent where the hardware lacks the precision or nobody states it. */
    public OptionalDouble peak(Precision precision) {
        OptionalDouble tera = switch (precision) {
            case BF16 -> bf16Teraflops;
            case FP8 -> fp8Teraflops;
            case FP4 -> fp4Teraflops;
        };
        return tera.isPresent() ? OptionalDouble.of(tera.getAsDouble() * TERA) : tera;
    }
}
