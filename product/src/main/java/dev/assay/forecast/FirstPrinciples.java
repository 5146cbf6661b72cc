package dev.assay.forecast;

import dev.assay.AssayException;
import dev.assay.forecast.arith.KvMemory;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.forecast.arith.StepTheory;
import dev.assay.model.ModelShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A calibration for hardware on which nothing was measured: the step law's constants from the hardware's ceilings and
 * the shares of them that serving engines reached.
 *
 * <p>The shares are those of a global fit to 1,042 measured rows of dense models on H100, H200 and B200 under three
 * engines (AIConfigurator's silicon data; no overlap of streaming and compute). Its 90 % intervals on rows that it had
 * not seen were a factor 1.34 to 1.43 wide either way: draws of the constants spread so.
 */
public final class FirstPrinciples {
    /** Share of the memory that vLLM takes by default (gpu_memory_utilization). */
    public static final double MEMORY_UTILIZATION = 0.92;
    /** Rough bytes of activations, in units of (10 hidden + 3 ffn) 2-byte values a token of the budget. */
    private static final int ACTIVATION_BYTES = 2;
    static final double LEVEL_SPREAD = Math.log(1.38) / 1.6448536269514722;
    /** The constants err against each other by about as much as together. */
    static final double EACH_SPREAD = LEVEL_SPREAD;
    private static final double MISFIT = 0.05;
    private static final long SEED = 0xF1257L;

    private FirstPrinciples() {}

    /**
     * The calibration of an engine on one device.
     *
     * @throws AssayException if the table has no peak for the weights' precision
     */
    public static Calibration calibration(ModelShape shape, EngineSettings settings, Hardware hardware) {
        StepArithmetic a = new StepArithmetic(shape, settings);
        double bytes = 1e9 / (StepTheory.DEFAULT.memoryShare() * hardware.bandwidth());
        double flop = 1e9 / (StepTheory.DEFAULT.computeShare() * peak(settings.weights(), hardware));
        StepConstants c = new StepConstants(shape.layers() * StepTheory.DEFAULT.layerNanos(),
                a.weightBytes() * bytes, flop, flop,
                bytes,
                false);
        List<StepConstants> draws = draws(c);
        double[][] covariance = Calibrator.covariance(draws);
        return new Calibration(settings, c, Calibrator.standardErrors(covariance),
                Calibrator.rows(covariance), draws,
                0, 0, MISFIT, List.of(), Map.of(), Map.of(), new Calibration.Lengths(0, 1),
                new Calibration.Region(settings.maxNumSeqs(), 0, Double.MAX_VALUE, shape.contextLength(),
                        shape.contextLength()),
                0, "first principles on " + hardware.name() + ": nothing was measured",
                List.of("the constants come from the hardware's ceilings, not from a measurement: absolute times are"
                        + " within a factor of about 1.4 at 90 %",
                        "time outside the steps (network, tokenising, start-up) is not in it"));
    }

    private static double peak(QuantFormat weights, Hardware hardware) {
        if (weights == QuantFormat.F32) {
            throw AssayException.misuse("weights f32 on " + hardware.name()
                    + ": the table states no peak of 32-bit operations; expected bf16, f16 or a quantized format");
        }
        return weights.peak(hardware);
    }

    private static List<StepConstants> draws(StepConstants c) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<StepConstants> draws = new ArrayList<>();
        for (int i = 0; i < Calibrator.DRAWS; i++) {
            double level = LEVEL_SPREAD / Math.sqrt(2) * random.nextGaussian();
            double each = EACH_SPREAD / Math.sqrt(2);
            double memory = Math.exp(level + each * random.nextGaussian());
            double compute = Math.exp(level + each * random.nextGaussian());
            double overhead = Math.exp(level + each * random.nextGaussian());
            draws.add(new StepConstants(c.overheadNanos() * overhead, c.weightNanos() * memory,
                    c.decodeNanosPerFlop() * compute, c.prefillNanosPerFlop() * compute,
                    c.kvNanosPerByte() * memory, false));
        }
        return draws;
    }

    /** Pages of the KV pool on one device: what the weights, the activations of a full step and the context leave. */
    public static int kvBlocks(ModelShape shape, EngineSettings settings, Hardware hardware) {
        StepArithmetic a = new StepArithmetic(shape, settings);
        double activation = (double) settings.maxNumBatchedTokens() * ACTIVATION_BYTES
                * (10.0 * shape.hidden() + 3.0 * shape.ffn())
                + 4.0 * settings.maxNumSeqs() * shape.vocab();
        KvMemory memory = KvMemory.of(MEMORY_UTILIZATION * hardware.memoryBytes(), a.residentWeightBytes(),
                activation,
                KvMemory.OTHER_BYTES, a.kvBytesPerToken(), settings.blockSize(), 1, hardware.name());
        if (memory.pages() < 1) {
            throw AssayException.misuse(hardware.name() + ": no page of " + settings.blockSize()
                    + " tokens fits beside the weights; expected a smaller model or more memory");
        }
        return Math.toIntExact(memory.pages());
    }
}
