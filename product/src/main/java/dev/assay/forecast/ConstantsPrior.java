package dev.assay.forecast;

import dev.assay.forecast.arith.StepTheory;
import dev.assay.model.ModelShape;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What is held of the step law's constants before a load point is seen: a middle, and how far each may stand off from it,
 * as a factor common to all and factors of their own.
 *
 * @param middle the constants expected
 * @param outsideNanos time of a request outside the steps
 * @param sd standard deviations of the logarithms: level, overhead, weights, KV, compute, prompts, outside
 */
record ConstantsPrior(StepConstants middle, double outsideNanos, List<Double> sd) {
    static final int LEVEL = 0;
    static final int OVERHEAD = 1;
    static final int WEIGHTS = 2;
    static final int KV = 3;
    static final int COMPUTE = 4;
    static final int PROMPTS = 5;
    static final int OUTSIDE = 6;
    /** The constants as messages name them, in the order of {@link StepConstants#values()}. */
    static final List<String> NAMES = List.of("overhead of a step", "streaming of weights", "a decode row",
            "a prompt token", "reading of KV");
    private static final double OUTSIDE_NANOS = 3e6;
    private static final double OUTSIDE_SD = 1.2;
    /** Keys and values stream at another rate than weights, prompts compute at another than decode rows. */
    private static final double OTHER_KERNEL_SD = 0.25;
    private static final double OTHER_PROMPT_SD = 0.4;
    /** A machine of which nothing is known: memory bandwidth, operations for each byte, and a layer's overhead. */
    private static final double UNKNOWN_BANDWIDTH = 100e9;
    private static final double UNKNOWN_RIDGE = 10;
    /** Prompts share what a decode row pays for itself: sampling, delivery, a kernel for few rows. */
    private static final double UNKNOWN_PROMPT = 0.67;
    private static final List<Double> UNKNOWN_SD = List.of(2.5, 1.2, 0.5, 0.7, 1.5, 0.8,
            OUTSIDE_SD);

    ConstantsPrior {
        sd = List.copyOf(sd);
    }

    /** The prior on hardware of the table, or where none is stated that of any machine. */
    static ConstantsPrior of(ModelShape shape, EngineSettings settings, Optional<Hardware> hardware) {
        if (hardware.isPresent()) {
            double each = FirstPrinciples.EACH_SPREAD / Math.sqrt(2);
            return new ConstantsPrior(
                    FirstPrinciples.calibration(shape, settings, hardware.get()).constants(),
                    OUTSIDE_NANOS, List.of(FirstPrinciples.LEVEL_SPREAD / Math.sqrt(2), each, each,
                            OTHER_KERNEL_SD, each, OTHER_PROMPT_SD, OUTSIDE_SD));
        }
        double bytes = 1e9 / UNKNOWN_BANDWIDTH;
        double flop = bytes / UNKNOWN_RIDGE;
        return new ConstantsPrior(new StepConstants(shape.layers() * StepTheory.DEFAULT.layerNanos(),
                new StepArithmetic(shape, settings).weightBytes() * bytes, flop, UNKNOWN_PROMPT * flop, bytes,
                false),
                OUTSIDE_NANOS, UNKNOWN_SD);
    }

    /** The constants at these logarithms of factors. */
    StepConstants at(double[] p, boolean overlapped) {
        double level = p[LEVEL];
        return new StepConstants(middle.overheadNanos() * Math.exp(level + p[OVERHEAD]),
                middle.weightNanos() * Math.exp(level + p[WEIGHTS]),
                middle.decodeNanosPerFlop() * Math.exp(level + p[COMPUTE]),
                middle.prefillNanosPerFlop() * Math.exp(level + p[COMPUTE] + p[PROMPTS]),
                middle.kvNanosPerByte() * Math.exp(level + p[WEIGHTS] + p[KV]), overlapped);
    }

    double[] deviations() {
        return sd.stream().mapToDouble(Double::doubleValue).toArray();
    }

    double[] draw(SplittableRandom random) {
        double[] p = deviations();
        for (int i = 0; i < p.length; i++) {
            p[i] *= random.nextGaussian();
        }
        return p;
    }
}
