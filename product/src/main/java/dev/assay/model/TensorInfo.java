package dev.assay.model;

/**
 * An entry of a GGUF file's tensor directory: a matrix of {@code rows} rows of {@code columns} values (a vector has one
 * row), stored row after row.
 *
 * @param name the tensor's name, as {@code blk.0.attn_q.weight}
 * @param rows outputs of the matrix
 * @param columns inputs of the matrix, contiguous in the file
 * @param format how it is stored
 * @param offset bytes from the start of the file
 */
public record TensorInfo(String name, int rows, int columns, WeightFormat format, long offset) {
    public TensorInfo {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException(
                    "rows " + rows + " and columns " + columns + " must be at least 1");
        }
    }

    /** Bytes of one row. */
    public long rowBytes() {
        return format.bytes(columns);
    }

    /** Bytes of the whole tensor. */
    public long bytes() {
        return rows * rowBytes();
    }
}
