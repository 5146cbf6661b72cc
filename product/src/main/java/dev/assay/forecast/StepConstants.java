package dev.assay.forecast;

/**
 * The constants of the step-time law, in the baseline's weight format:
 * {@code t = overhead + combine(weights, compute) + kv}, where compute = decode operations x decode cost + prefill
 * operations x prefill cost, and combine is the larger of the two where they overlap, else their sum. They are
 * parameters of a fit: bandwidth or peak read off them is "effective", not physics.
 *
 * @param overheadNanos what a step costs however little it computes
 * @param weightNanos streaming the baseline's weights once
 * @param decodeNanosPerFlop cost of a decode row's matrix operations, sampling and delivery included
 * @param prefillNanosPerFlop cost of a prompt token's operations
 * @param kvNanosPerByte cost of reading a byte of keys and values in decode
 * @param overlapped whether streaming and compute overlap
 */
public record StepConstants(double overheadNanos, double weightNanos, double decodeNanosPerFlop,
        double prefillNanosPerFlop, double kvNanosPerByte, boolean overlapped) {
    /** How many numbers {@link #values()} has. */
    static final int COUNT = 5;

    public StepConstants {
        check("overhead_nanos", overheadNanos);
        check("weight_nanos", weightNanos);
        check("decode_nanos_per_flop", decodeNanosPerFlop);
        check("prefill_nanos_per_flop", prefillNanosPerFlop);
        check("kv_nanos_per_byte", kvNanosPerByte);
    }

    private static void check(String name, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; expected a finite number of at least 0");
        }
    }

    /** Streaming and compute together. */
    double combine(double weights, double compute) {
        return overlapped ? Math.max(weights, compute) : weights + compute;
    }

    double[] values() {
        return new double[]{overheadNanos, weightNanos, decodeNanosPerFlop, prefillNanosPerFlop,
                kvNanosPerByte};
    }
}
