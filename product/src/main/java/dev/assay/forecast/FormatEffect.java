package dev.assay.forecast;

import dev.assay.forecast.arith.QuantFormat;

/**
 * What is known beforehand of how a change of weight format alters the cost of compute and the bandwidth reached, as
 * log-normal factors (candidate over baseline) with a 90 % interval.
 *
 * <p>Bytes follow from the format exactly; these do not, because they depend on the kernel. Sources of the compute
 * intervals, per-row slopes of measured decode steps on one CPU core: f32 to q8_0 in a panel-packed Java engine x1.3,
 * in llama.cpp x0.84 to x0.91; bf16 to q8_0 in llama.cpp on a processor with AVX512-BF16 x1.1 (batch 1 to 8) to x1.6
 * (batch 8 to 32), and on one without it about x0.5, since each bf16 product is then made of several instructions. The
 * table spans them with some margin; its middle is that of a processor with native products. Other pairs get the widest
 * one.
 */
record FormatEffect(double computeLow, double computeMiddle, double computeHigh, double bandwidthLow,
        double bandwidthHigh) {
    private static final double Z90 = 1.6448536269514722;
    private static final FormatEffect NONE = new FormatEffect(1, 1, 1, 1, 1);
    private static final FormatEffect F32_TO_Q8 = new FormatEffect(0.8, middle(0.8, 1.6), 1.6, 0.7, 1.4);
    private static final FormatEffect HALF_TO_Q8 = new FormatEffect(0.4, middle(0.9, 1.7), 1.7, 0.7, 1.4);
    private static final FormatEffect F32_TO_HALF = new FormatEffect(0.4, middle(0.4, 1.4), 1.4, 0.7, 1.3);
    private static final FormatEffect WIDEST = new FormatEffect(0.4, middle(0.4, 2.5), 2.5, 0.6, 1.6);

    static FormatEffect of(QuantFormat from, QuantFormat to) {
        if (from == to) {
            return NONE;
        }
        boolean half = from == QuantFormat.BF16 || from == QuantFormat.F16;
        boolean toHalf = to == QuantFormat.BF16 || to == QuantFormat.F16;
        if (from == QuantFormat.F32) {
            return to == QuantFormat.Q8_0 ? F32_TO_Q8 : toHalf ? F32_TO_HALF : WIDEST;
        }
        if (half && to == QuantFormat.Q8_0) {
            return HALF_TO_Q8;
        }
        return to == QuantFormat.F32 ? of(to, from).inverse() : WIDEST;
    }

    boolean isNone() {
        return computeLow == computeHigh;
    }

    /** The compute factor at a standard normal deviate. */
    double compute(double z) {
        return at(computeLow, Math.log(computeMiddle), computeHigh, z);
    }

    /** The factor on the bandwidth reached at a standard normal deviate. */
    double bandwidth(double z) {
        return at(bandwidthLow, Math.log(middle(bandwidthLow, bandwidthHigh)), bandwidthHigh, z);
    }

    private FormatEffect inverse() {
        return new FormatEffect(1 / computeHigh, 1 / computeMiddle, 1 / computeLow, 1 / bandwidthHigh,
                1 / bandwidthLow);
    }

    private static double middle(double low, double high) {
        return Math.exp((Math.log(low) + Math.log(high)) / 2);
    }

    /** Log-normal with a half of its own on either side of the middle. */
    private static double at(double low, double logMiddle, double high, double z) {
        double side = z < 0 ? logMiddle - Math.log(low) : Math.log(high) - logMiddle;
        return Math.exp(logMiddle + z * side / Z90);
    }
}
