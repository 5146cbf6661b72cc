package dev.assay.engine;

import dev.assay.model.Gguf;
import dev.assay.model.TensorInfo;
import dev.assay.model.WeightFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;

/** Copies rows of tensors of a GGUF file into {@link Panels}. */
final class Packer {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment data;
    private final TensorInfo tensor;
    private final float[] row;
    private final short[] shorts;
    private final byte[] quants;

    private Packer(Gguf gguf, TensorInfo tensor) {
        this.data = gguf.data(tensor);
        this.tensor = tensor;
        row = new float[tensor.columns()];
        shorts = new short[tensor.columns()];
        quants = new byte[tensor.columns()];
    }

    /** Packs all rows of a tensor; row {@code r} becomes output {@code outputOf(r)}. */
    static void pack(Gguf gguf, TensorInfo tensor, Panels into, WeightFormat format,
            IntUnaryOperator outputOf) {
        Packer packer = new Packer(gguf, tensor);
        boolean raw = tensor.format() == WeightFormat.Q8_0 && format == WeightFormat.Q8_0;
        for (int r = 0; r < tensor.rows(); r++) {
            packer.read(r);
            if (raw) {
                into.setQ8(outputOf.applyAsInt(r), packer.shorts, packer.quants);
            } else {
                packer.widen();
                into.set(outputOf.applyAsInt(r), packer.row, packer.quants);
            }
        }
    }

    /** A vector of the file, widened and padded with zeros to {@code width}. */
    static float[] vector(Gguf gguf, String name, int length, int width) {
        TensorInfo tensor = gguf.tensor(name, 1, length);
        Packer packer = new Packer(gguf, tensor);
        packer.read(0);
        packer.widen();
        float[] padded = new float[width];
        System.arraycopy(packer.row, 0, padded, 0, length);
        return padded;
    }

    private void read(int index) {
        long at = index * tensor.rowBytes();
        int n = tensor.columns();
        switch (tensor.format()) {
            case F32 -> MemorySegment.copy(data, FLOAT, at, row, 0, n);
            case BF16, F16 -> MemorySegment.copy(data, SHORT, at, shorts, 0, n);
            case Q8_0 -> {
                for (int block = 0; block < n / Formats.BLOCK; block++) {
                    long start = at + block * WeightFormat.Q8_0.bytes(Formats.BLOCK);
                    shorts[block] = data.get(SHORT, start);
                    MemorySegment.copy(data, ValueLayout.JAVA_BYTE, start + 2, quants, block * Formats.BLOCK,
                            Formats.BLOCK);
                }
            }
        }
    }

    private void widen() {
        switch (tensor.format()) {
            case F32 -> {
            }
            case BF16 -> {
                for (int i = 0; i < row.length; i++) {
                    row[i] = Formats.fromBf16(shorts[i]);
                }
            }
            case F16 -> {
                for (int i = 0; i < row.length; i++) {
                    row[i] = Float.float16ToFloat(shorts[i]);
                }
            }
            case Q8_0 -> {
                for (int i = 0; i < row.length; i++) {
                    row[i] = Float.float16ToFloat(shorts[i / Formats.BLOCK]) * quants[i];
                }
            }
        }
    }
}
