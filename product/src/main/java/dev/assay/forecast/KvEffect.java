package dev.assay.forecast;

import dev.assay.forecast.arith.QuantFormat;

/**
 * What a change of the KV format does to the time of reading a token's keys and values: {@code b r / e + (1 - b) g},
 * where r is the exact ratio of the bytes, b the part of attention's time that waits for bytes, e the bandwidth
 * reached and g the compute of unpacking. The baseline cannot tell b (its attention time is one number), so that it is
 * drawn from all of [0, 1]; e and g are priors.
 */
record KvEffect(double bytes, Range bandwidth, Range compute) {
    private static final Range PACKED_COMPUTE = new Range(0.9, 2.0);
    private static final Range REPACKED_COMPUTE = new Range(0.5, 2.0);
    private static final Range PLAIN_COMPUTE = new Range(0.7, 1.5);
    private static final Range BANDWIDTH = new Range(0.7, 1.3);
    private static final Range ONE = new Range(1, 1);
    /** Values of a long token, so that whole blocks do not matter. */
    private static final long VALUES = 1 << 20;

    static KvEffect of(QuantFormat from, QuantFormat to) {
        if (from == to) {
            return new KvEffect(1, ONE, ONE);
        }
        double bytes = (double) to.bytes(VALUES) / from.bytes(VALUES);
        return new KvEffect(bytes, BANDWIDTH, compute(from, to));
    }

    private static Range compute(QuantFormat from, QuantFormat to) {
        if (from.plain()) {
            return to.plain() ? PLAIN_COMPUTE : PACKED_COMPUTE;
        }
        return to.plain() ? PACKED_COMPUTE.inverse() : REPACKED_COMPUTE;
    }

    boolean isNone() {
        return compute.equals(ONE);
    }

    /** Time over the baseline's. */
    double time(double boundByBytes, double bandwidthZ, double computeZ) {
        return isNone()
                ? 1
                : boundByBytes * bytes / bandwidth.at(bandwidthZ)
                        + (1 - boundByBytes) * compute.at(computeZ);
    }
}
