package dev.assay.forecast.arith;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The constants of the step law {@code (a^m + c^m)^(1/m) + L·c0 + collectives}. They trade off against each other: fit
 * parameters, not physics.
 *
 * @param overlap m: 1 adds memory and compute, large values hide the smaller behind the larger
 * @param memoryShare share of the peak bandwidth that is reached
 * @param computeShare share of the peak operations that is reached
 * @param layerNanos what a layer costs however little it computes
 * @param collectiveNanos latency of a collective among two devices; it grows with the logarithm of their number
 * @param linkShare share of the link's bandwidth that is reached
 * @param level factor on everything
 * @param formatZ deviates by which the costs of a format's kernels stand off from their middle
 */
public record StepTheory(double overlap, double memoryShare, double computeShare, double layerNanos,
        double collectiveNanos, double linkShare, double level, FormatDeviates formatZ) {
    /**
     * A fit over 1,042 measured rows of dense models (docs/forecast.md says what it is worth). The collective's latency
     * is what is left beside the cost of a layer; a cold NCCL call among 8 devices takes 29 to 36 µs.
     */
    public static final StepTheory DEFAULT = new StepTheory(1, 1.03, 0.75, 68_000, 3_000, 0.56, 1,
            new FormatDeviates(0, 0, 0));
    private static final double LEVEL_SD = 0.3;
    private static final double MEMORY_SD = 0.12;
    private static final double COMPUTE_SD = 0.2;
    private static final double LAYER_SD = 0.4;
    private static final double COLLECTIVE_SD = 0.8;
    private static final double LINK_SD = 0.3;
    private static final double MOST_OVERLAP = 8;

    public StepTheory {
        if (!(overlap >= 1) || !(memoryShare > 0) || !(computeShare > 0) || !(layerNanos >= 0)
                || !(collectiveNanos >= 0) || !(linkShare > 0) || !(level > 0)) {
            throw new IllegalArgumentException("overlap " + overlap + ", shares " + memoryShare + ", "
                    + computeShare + ", " + linkShare + ", nanoseconds " + layerNanos + ", " + collectiveNanos
                    + ", level " + level + "; expected overlap of at least 1 and positive others");
        }
    }

    /**
     * Standard normal deviates of the kernels that unpack weights, of their bandwidth, and of attention over quantized
     * caches; common to both arms, so that they only matter where formats differ.
     */
    public record FormatDeviates(double compute, double bandwidth, double cache) {}

    /**
     * Draws of the constants where nothing was calibrated: log-normal around the defaults, wide enough for hardware and
     * engines that the fit never saw.
     */
    public static List<StepTheory> uncalibrated(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<StepTheory> draws = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            draws.add(new StepTheory(
                    random.nextInt(3) == 0 ? 1 : 1 / (1 - random.nextDouble() * (1 - 1 / MOST_OVERLAP)),
                    around(DEFAULT.memoryShare, MEMORY_SD, random),
                    around(DEFAULT.computeShare, COMPUTE_SD, random),
                    around(DEFAULT.layerNanos, LAYER_SD, random),
                    around(DEFAULT.collectiveNanos, COLLECTIVE_SD, random),
                    around(DEFAULT.linkShare, LINK_SD, random), around(1, LEVEL_SD, random),
                    new FormatDeviates(random.nextGaussian(), random.nextGaussian(), random.nextGaussian())));
        }
        return draws;
    }

    /** Standard deviations of {@link #logs()}. */
    public static double[] deviations() {
        return new double[]{LEVEL_SD, MEMORY_SD, COMPUTE_SD, LAYER_SD, COLLECTIVE_SD, LINK_SD};
    }

    /** Logarithms over the defaults: level, memory, compute, layer, collective, link. */
    public double[] logs() {
        return new double[]{Math.log(level), Math.log(memoryShare / DEFAULT.memoryShare),
                Math.log(computeShare / DEFAULT.computeShare), Math.log(layerNanos / DEFAULT.layerNanos),
                Math.log(collectiveNanos / DEFAULT.collectiveNanos),
                Math.log(linkShare / DEFAULT.linkShare)};
    }

    /** The theory of such logarithms; more values than these are not looked at. */
    public static StepTheory of(double[] logs, double overlap, FormatDeviates format) {
        return new StepTheory(overlap, DEFAULT.memoryShare * Math.exp(logs[1]),
                DEFAULT.computeShare * Math.exp(logs[2]), DEFAULT.layerNanos * Math.exp(logs[3]),
                DEFAULT.collectiveNanos * Math.exp(logs[4]), DEFAULT.linkShare * Math.exp(logs[5]),
                Math.exp(logs[0]), format);
    }

    private static double around(double middle, double sd, SplittableRandom random) {
        return middle * Math.exp(sd * random.nextGaussian());
    }
}
