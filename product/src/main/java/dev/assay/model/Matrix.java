package dev.assay.model;

/**
 * Equal matrices of a model (a vector has one row), with what they are for and how tensor parallelism cuts them.
 *
 * @param rows outputs
 * @param columns inputs, along which quantization groups lie
 * @param count how many of these there are in the model
 */
public record Matrix(Role role, Split split, int rows, int columns, long count) {
    /** What a matrix is for, which decides its format and when a step reads it. */
    public enum Role {
        /** The token embedding, of which a step reads a row for each token. */
        EMBEDDING,
        /** The output head. */
        HEAD,
        /** Projections of attention. */
        ATTENTION,
        /** Feed-forward layers that every token passes. */
        DENSE,
        /** Routed experts. */
        EXPERT,
        /** Experts that every token passes. */
        SHARED_EXPERT,
        /** The router in front of the experts. */
        ROUTER,
        /** Norms and biases. */
        VECTOR
    }

    /** How tensor parallelism divides a matrix. */
    public enum Split {
        /** Evenly. */
        EVEN,
        /** By key/value heads, which are copied where there are fewer of them than devices. */
        KV_HEADS,
        /** By expert or within each expert. */
        EXPERTS,
        /** Not: every device has a copy. */
        COPIED
    }

    public Matrix {
        Bounds.atLeast("rows", rows, 1);
        Bounds.atLeast("columns", columns, 1);
        Bounds.atLeast("count", count, 0);
    }

    /** All weights in these matrices. */
    public long parameters() {
        return Math.multiplyExact(Math.multiplyExact((long) rows, (long) columns), count);
    }
}
