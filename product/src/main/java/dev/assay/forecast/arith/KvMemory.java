package dev.assay.forecast.arith;

import dev.assay.AssayException;

/**
 * How a device's memory is spent, and what is left for keys and values.
 *
 * @param takenBytes the engine's share of the memory
 * @param weightBytes resident weights
 * @param activationBytes peak of activations and logits
 * @param otherBytes context, kernels and collectives
 * @param pageBytes of one page
 * @param pages of the pool, without the one that the engine keeps empty
 * @param pageSize tokens of a page
 */
public record KvMemory(double takenBytes, double weightBytes, double activationBytes, double otherBytes,
        double pageBytes, long pages, int pageSize) {
    /** Memory outside of tensors in the measured closing on H100: 0.13 GiB. */
    public static final double OTHER_BYTES = 0.13 * (1L << 30);
    private static final double GIB = 1L << 30;

    /** Whole pages that fit into what is left: floor((share·memory - weights - activations - other)/(B·KV)). */
    public static long blocks(double taken, double weights, double activation, double other,
            double pageBytes) {
        return (long) Math.floor((taken - weights - activation - other) / pageBytes);
    }

    /** The spending of a device; a model that does not fit is a fault that begins with {@code where}. */
    public static KvMemory of(double taken, double weights, double activation, double other,
            double bytesPerToken,
            int pageSize, int emptyPages, String where) {
        if (weights + activation + other >= taken) {
            throw AssayException.misuse(String.format(java.util.Locale.ROOT,
                    "%s: the weights take %.2f GiB on each device and activations and context %.2f GiB; expected"
                            + " less than the memory that the engine may use, %.2f GiB",
                    where, weights / GIB, (activation + other) / GIB, taken / GIB));
        }
        double page = bytesPerToken * pageSize;
        long pages = blocks(taken, weights, activation, other, page) - emptyPages;
        return new KvMemory(taken, weights, activation, other, page, Math.max(0, pages), pageSize);
    }

    /** Tokens that the pool holds. */
    public long tokens() {
        return pages * pageSize;
    }

    /** The most sequences whose mean footprints fit. */
    public static long admissible(double pool, double mean) {
        return (long) Math.floor(pool / mean);
    }

    /** The most sequences k with k·mean + z·sd·√k within the pool, so that fewer than 1 in so many steps preempt. */
    public static long admissible(double pool, double mean, double sd, double z) {
        double root = (-z * sd + Math.sqrt(z * z * sd * sd + 4 * mean * pool)) / (2 * mean);
        return (long) Math.floor(root * root + 1e-9);
    }
}
