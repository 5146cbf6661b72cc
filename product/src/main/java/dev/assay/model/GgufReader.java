package dev.assay.model;

import dev.assay.AssayException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads header, metadata and tensor directory of a GGUF version 3 file, front to back; every length is checked against
 * what is left of the file before it is believed. Format: ggml's {@code docs/gguf.md}.
 */
final class GgufReader {
    private static final int MAGIC = 0x46554747;
    private static final int VERSION = 3;
    private static final long DEFAULT_ALIGNMENT = 32;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment data;
    private final String file;
    private long at;

    GgufReader(MemorySegment data, String file) {
        this.data = data;
        this.file = file;
    }

    /** What the front of the file holds. */
    record Contents(Map<String, Object> metadata, Map<String, TensorInfo> tensors) {}

    /** A tensor as the directory lists it, of any type and number of dimensions; the first size is contiguous. */
    record Listed(String name, List<Long> sizes, int type) {}

    /** Metadata and directory without the tensors' bytes. */
    record Listing(Map<String, Object> metadata, List<Listed> tensors) {}

    Contents read() {
        List<TensorInfo> relative = new ArrayList<>();
        Map<String, Object> metadata = new LinkedHashMap<>();
        long tensorCount = front(metadata);
        for (long i = 0; i < tensorCount; i++) {
            relative.add(readTensor(i));
        }
        return new Contents(metadata, absolute(relative, alignment(metadata)));
    }

    /** What the front lists, formats included that the engine cannot run. */
    Listing list() {
        List<Listed> tensors = new ArrayList<>();
        Map<String, Object> metadata = new LinkedHashMap<>();
        long tensorCount = front(metadata);
        for (long i = 0; i < tensorCount; i++) {
            String name = readString("tensor name " + i);
            int dims = readInt(name);
            if (dims < 1 || dims > 4) {
                throw AssayException.misuse(file + ": tensor " + name + " has " + dims
                        + " dimensions: expected 1 to 4");
            }
            List<Long> sizes = new ArrayList<>();
            for (int d = 0; d < dims; d++) {
                long size = readLong(name);
                if (size < 1 || size > Integer.MAX_VALUE) {
                    throw AssayException.misuse(file + ": tensor " + name + " has a size of " + size
                            + ": expected 1 to 2^31 - 1");
                }
                sizes.add(size);
            }
            tensors.add(new Listed(name, sizes, readInt(name)));
            advance(8, name);
        }
        return new Listing(metadata, tensors);
    }

    /** Reads the metadata; the answer is the number of tensors. */
    private long front(Map<String, Object> metadata) {
        if (data.byteSize() < 24 || data.get(INT, 0) != MAGIC) {
            throw AssayException.misuse(file + ": not a GGUF file: expected it to start with \"GGUF\"");
        }
        at = 4;
        int version = readInt("version");
        if (version != VERSION) {
            throw AssayException
                    .misuse(file + ": GGUF version " + version + " is not supported: expected " + VERSION);
        }
        long tensorCount = readCount("tensor count", 24);
        long metadataCount = readCount("metadata count", 12);
        for (long i = 0; i < metadataCount; i++) {
            String key = readString("metadata key " + i);
            metadata.put(key, readValue(key, readInt(key)));
        }
        return tensorCount;
    }

    private long alignment(Map<String, Object> metadata) {
        if (!(metadata.getOrDefault("general.alignment", DEFAULT_ALIGNMENT) instanceof Number n)
                || n.longValue() < 1) {
            throw AssayException.misuse(file + ": general.alignment: expected a positive number");
        }
        return n.longValue();
    }

    private Map<String, TensorInfo> absolute(List<TensorInfo> relative, long alignment) {
        long start = Math.ceilDiv(at, alignment) * alignment;
        Map<String, TensorInfo> tensors = new LinkedHashMap<>();
        for (TensorInfo t : relative) {
            if (t.offset() < 0 || t.offset() > data.byteSize() - start - t.bytes()) {
                throw AssayException.misuse(file + ": tensor " + t.name() + " ends at byte "
                        + (start + t.offset() + t.bytes()) + " of a file of " + data.byteSize()
                        + " bytes: the file is truncated or damaged");
            }
            TensorInfo placed = new TensorInfo(t.name(), t.rows(), t.columns(), t.format(),
                    start + t.offset());
            if (tensors.put(t.name(), placed) != null) {
                throw AssayException.misuse(file + ": tensor " + t.name() + " appears twice");
            }
        }
        return tensors;
    }

    private TensorInfo readTensor(long index) {
        String name = readString("tensor name " + index);
        String where = file + ": tensor " + name;
        int dims = readInt(name);
        if (dims < 1 || dims > 2) {
            throw AssayException.misuse(where + " has " + dims + " dimensions: expected 1 or 2");
        }
        long columns = readLong(name);
        long rows = dims == 2 ? readLong(name) : 1;
        WeightFormat format = WeightFormat.ofGgml(readInt(name), where);
        long offset = readLong(name);
        if (columns < 1 || rows < 1 || columns > Integer.MAX_VALUE || rows > Integer.MAX_VALUE
                || columns % format.blockWeights() != 0) {
            throw AssayException.misuse(where + " has " + rows + " rows of " + columns
                    + " values: expected positive sizes in whole blocks of " + format.blockWeights());
        }
        return new TensorInfo(name, (int) rows, (int) columns, format, offset);
    }

    private Object readValue(String key, int type) {
        return switch (type) {
            case 0 -> (long) (data.get(ValueLayout.JAVA_BYTE, advance(1, key)) & 0xff);
            case 1 -> (long) data.get(ValueLayout.JAVA_BYTE, advance(1, key));
            case 2 -> (long) (data.get(SHORT, advance(2, key)) & 0xffff);
            case 3 -> (long) data.get(SHORT, advance(2, key));
            case 4 -> readInt(key) & 0xffffffffL;
            case 5 -> (long) readInt(key);
            case 6 -> (double) Float.intBitsToFloat(readInt(key));
            case 7 -> data.get(ValueLayout.JAVA_BYTE, advance(1, key)) != 0;
            case 8 -> readString(key);
            case 9 -> readArray(key);
            case 10, 11 -> readLong(key);
            case 12 -> Double.longBitsToDouble(readLong(key));
            default -> throw AssayException.misuse(file + ": " + key + ": unknown metadata type " + type
                    + " at byte " + at + ": the file is damaged or newer than version " + VERSION);
        };
    }

    private List<Object> readArray(String key) {
        int type = readInt(key);
        long count = readCount(key, 1);
        List<Object> values = new ArrayList<>((int) Math.min(count, 1 << 20));
        for (long i = 0; i < count; i++) {
            values.add(readValue(key, type));
        }
        return values;
    }

    private String readString(String what) {
        long length = readCount(what, 1);
        byte[] bytes = new byte[(int) Math.min(length, Integer.MAX_VALUE - 8)];
        MemorySegment.copy(data, ValueLayout.JAVA_BYTE, advance(length, what), bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private int readInt(String what) {
        return data.get(INT, advance(4, what));
    }

    private long readLong(String what) {
        return data.get(LONG, advance(8, what));
    }

    private long readCount(String what, long bytesEach) {
        long count = readLong(what);
        if (count < 0 || count > (data.byteSize() - at) / bytesEach) {
            throw truncated(what);
        }
        return count;
    }

    private long advance(long bytes, String what) {
        if (bytes > data.byteSize() - at) {
            throw truncated(what);
        }
        long start = at;
        at += bytes;
        return start;
    }

    private AssayException truncated(String what) {
        return AssayException.misuse(file + ": " + what + " goes past the end of the file (" + data.byteSize()
                + " bytes): the file is truncated or damaged");
    }
}
