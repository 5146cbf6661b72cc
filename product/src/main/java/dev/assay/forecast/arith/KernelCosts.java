package dev.assay.forecast.arith;

import dev.assay.forecast.Hardware;

/**
 * What kernels of a format reach beside those of 16 bits, as log-normal factors with a 90 % interval. Bytes follow from
 * the format exactly; these do not. Unpacking 4 bits: Marlin's published series (vllm#2497), 3.1 to 3.2 times 16 bits
 * at small batches of 3.9 possible, 0.60 times at 2048 rows.
 */
final class KernelCosts {
    private static final double Z90 = 1.6448536269514722;

    private KernelCosts() {}

    /** Factor on the operations per second reached. */
    static double compute(QuantFormat format, Hardware hardware, StepTheory.FormatDeviates z) {
        return switch (format.math()) {
            case PLAIN -> 1;
            case NATIVE8, NATIVE4 -> format.unpacks(hardware)
                    ? factor(0.45, 0.9, z.compute())
                    : factor(0.65, 1.0, z.compute());
            case UNPACKED -> factor(0.45, 0.9, z.compute());
            case GGML -> factor(0.3, 0.9, z.compute());
        };
    }

    /** Factor on the bandwidth reached by the weights. */
    static double bandwidth(QuantFormat format, StepTheory.FormatDeviates z) {
        return switch (format.math()) {
            case PLAIN -> 1;
            case NATIVE8 -> factor(0.85, 1.0, z.bandwidth());
            case NATIVE4, UNPACKED -> factor(0.7, 0.95, z.bandwidth());
            case GGML -> factor(0.6, 0.95, z.bandwidth());
        };
    }

    /** Factor on the bandwidth reached by keys and values. */
    static double cache(QuantFormat format, StepTheory.FormatDeviates z) {
        return format.bits() >= 16 ? 1 : factor(0.65, 1.0, z.cache());
    }

    private static double factor(double low, double high, double z) {
        return Math.exp((Math.log(low) + Math.log(high)) / 2
                + z * (Math.log(high) - Math.log(low)) / (2 * Z90));
    }
}
