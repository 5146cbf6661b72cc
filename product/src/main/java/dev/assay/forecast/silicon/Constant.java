package dev.assay.forecast.silicon;

import java.util.List;
import java.util.Locale;

/**
 * A constant of the step law, fitted as a logarithm: a common value, a deviation of each backend, and one of each group,
 * each drawn towards zero with its own standard deviation. Values above a peak mean that constants trade off: they are
 * parameters of a fit, not physics.
 */
public enum Constant {
    /** Share of peak bandwidth at which weights stream. */
    WEIGHT_STREAM(0, 0.85, 0.5, 0.15, 0.1, "of peak bandwidth, weights"),
    /** Share of peak bandwidth at which keys and values stream. */
    KV_STREAM(1, 0.7, 0.5, 0.15, 0.1, "of peak bandwidth, keys and values"),
    /** Share of peak matrix operations. */
    COMPUTE(2, 0.6, 0.5, 0.3, 0.15, "of peak matrix operations"),
    /** Seconds that a block costs however little it computes. */
    BLOCK_SECONDS(3, 30e-6, 1, 0.5, 0.3, "s a block"),
    /** Seconds of an all-reduce of two accelerators, however small. */
    REDUCE_SECONDS(4, 10e-6, 1, 0.5, 0.3, "s an all-reduce"),
    /** Share of the link's bandwidth. */
    LINK(5, 0.5, 0.7, 0.3, 0.2, "of the link's bandwidth"),
    /** Seconds of the host and the sampler for each running request. */
    ROW_SECONDS(6, 30e-6, 1, 0.5, 0.3, "s a running request"),
    /** Seconds that a block costs in a step that computes a prompt, beside or under its computation. */
    PROMPT_BLOCK_SECONDS(7, 100e-6, 1, 0.5, 0.3, "s a block of a prompt's step"),
    /** KV capacity over what the hardware table leaves. */
    POOL(8, 1, 0.3, 0.2, 0.1, "of the KV capacity expected"),
    /** The exponent m of (a^m + c^m)^(1/m): 1 is no overlap of streaming and computing, large is perfect. */
    OVERLAP(9, 2, 0.5, 0.1, 0.05, "exponent of overlap");

    private final int place;
    private final double typical;
    private final double commonSd;
    private final double backendSd;
    private final double groupSd;
    private final String unit;

    Constant(int place, double typical, double commonSd, double backendSd, double groupSd, String unit) {
        this.place = place;
        this.typical = typical;
        this.commonSd = commonSd;
        this.backendSd = backendSd;
        this.groupSd = groupSd;
        this.unit = unit;
    }

    /** All of them, by place. */
    static final List<Constant> ALL = List.of(values());
    /** How many there are. */
    static final int COUNT = ALL.size();

    /** Where the fit starts, and where it stays for what the rows do not tell. */
    public double typical() {
        return typical;
    }

    /** What its number means. */
    public String unit() {
        return unit;
    }

    /** Where it stands in a vector of all constants. */
    int place() {
        return place;
    }

    /** Its name in files. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Standard deviation of the logarithm at a level: 0 common, 1 backend, 2 group. */
    double sd(int level) {
        return switch (level) {
            case 0 -> commonSd;
            case 1 -> backendSd;
            case 2 -> groupSd;
            default -> throw new IllegalArgumentException("level " + level + "; expected 0, 1 or 2");
        };
    }

    /** The logarithms of the typical values. */
    static double[] typicalLogs() {
        return TYPICAL.clone();
    }

    private static final double[] TYPICAL = ALL.stream().mapToDouble(c -> Math.log(c.typical))
            .toArray();
}
