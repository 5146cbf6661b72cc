package dev.assay.model;

import dev.assay.AssayException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A GGUF version 3 model file of the Llama architecture, memory-mapped: metadata, tensor directory and the tensors'
 * bytes. Anything that cannot be used is one {@link AssayException} that names the file and the field.
 */
public final class Gguf implements AutoCloseable {
    private static final String EMBEDDING = "token_embd.weight";
    private static final String HEAD = "output.weight";

    private final String file;
    private final Arena arena;
    private final MemorySegment data;
    private final GgufReader.Contents contents;

    private Gguf(String file, Arena arena, MemorySegment data, GgufReader.Contents contents) {
        this.file = file;
        this.arena = arena;
        this.data = data;
        this.contents = contents;
    }

    /** Opens and checks a file; close it to unmap it. */
    @SuppressWarnings("MustBeClosedChecker") // the arena is closed by close()
    public static Gguf open(Path path) {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            MemorySegment data = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            return new Gguf(path.toString(), arena, data, new GgufReader(data, path.toString()).read());
        } catch (NoSuchFileException e) {
            arena.close();
            throw AssayException.misuse(path + ": no such file: expected a GGUF model");
        } catch (IOException e) {
            arena.close();
            throw AssayException.environment(path + ": cannot be read: " + e.getMessage(), e);
        } catch (AssayException e) {
            arena.close();
            throw e;
        }
    }

    /** The model's shape; any architecture but {@code llama} is refused. */
    public ModelShape shape() {
        String architecture = string("general.architecture");
        if (!architecture.equals("llama")) {
            throw AssayException.misuse(
                    file + ": general.architecture " + architecture + " is not supported: expected llama");
        }
        int hidden = integer("llama.embedding_length");
        int heads = integer("llama.attention.head_count");
        if (heads < 1 || hidden < 1) {
            throw AssayException.misuse(file + ": llama.attention.head_count " + heads
                    + " and llama.embedding_length " + hidden + ": expected at least 1");
        }
        int headDim = has("llama.attention.key_length")
                ? integer("llama.attention.key_length")
                : hidden / heads;
        if (has("llama.rope.dimension_count") && integer("llama.rope.dimension_count") != headDim) {
            throw AssayException
                    .misuse(file + ": llama.rope.dimension_count " + integer("llama.rope.dimension_count")
                            + " is not supported: expected the head dimension " + headDim);
        }
        int kvHeads = has("llama.attention.head_count_kv") ? integer("llama.attention.head_count_kv") : heads;
        double ropeBase = has("llama.rope.freq_base") ? number("llama.rope.freq_base") : 10_000;
        try {
            return new ModelShape(integer("llama.block_count"), hidden, heads, kvHeads, headDim,
                    integer("llama.feed_forward_length"), tensor(EMBEDDING).rows(),
                    integer("llama.context_length"),
                    ropeBase, number("llama.attention.layer_norm_rms_epsilon"),
                    !contents.tensors().containsKey(HEAD));
        } catch (IllegalArgumentException e) {
            throw AssayException.misuse(file + ": the model's shape is not usable: " + e.getMessage());
        }
    }

    /** Whether the metadata hold {@code key}. */
    public boolean has(String key) {
        return contents.metadata().containsKey(key);
    }

    /** A text of the metadata. */
    public String string(String key) {
        return value(key, String.class, "a text");
    }

    /** A number of the metadata that fits an {@code int}. */
    public int integer(String key) {
        long value = value(key, Long.class, "an integer");
        if (value != (int) value) {
            throw AssayException.misuse(file + ": " + key + " " + value + ": expected it to fit 32 bits");
        }
        return (int) value;
    }

    /** A number of the metadata. */
    public double number(String key) {
        return value(key, Number.class, "a number").doubleValue();
    }

    /** A truth value of the metadata, or {@code otherwise} where absent. */
    public boolean flag(String key, boolean otherwise) {
        return has(key) ? value(key, Boolean.class, "a truth value") : otherwise;
    }

    /** A list of texts of the metadata. */
    public List<String> strings(String key) {
        List<?> values = value(key, List.class, "a list");
        return values.stream().map(v -> {
            if (v instanceof String s) {
                return s;
            }
            throw AssayException.misuse(file + ": " + key + ": expected a list of texts");
        }).toList();
    }

    /** A list of exactly {@code count} integers of the metadata. */
    public List<Long> integers(String key, int count) {
        List<?> values = value(key, List.class, "a list");
        if (values.size() != count) {
            throw AssayException
                    .misuse(file + ": " + key + " has " + values.size() + " entries: expected " + count);
        }
        return values.stream().map(v -> {
            if (v instanceof Long n) {
                return n;
            }
            throw AssayException.misuse(file + ": " + key + ": expected a list of integers");
        }).toList();
    }

    private <T> T value(String key, Class<T> type, String expected) {
        Object value = Optional.ofNullable(contents.metadata().get(key))
                .orElseThrow(
                        () -> AssayException.misuse(file + ": " + key + " is missing: expected " + expected));
        if (!type.isInstance(value)) {
            throw AssayException.misuse(file + ": " + key + ": expected " + expected);
        }
        return type.cast(value);
    }

    /** All tensors, by name, in file order. */
    public Map<String, TensorInfo> tensors() {
        return Map.copyOf(contents.tensors());
    }

    /** The tensor of that name. */
    public TensorInfo tensor(String name) {
        return Optional.ofNullable(contents.tensors().get(name))
                .orElseThrow(() -> AssayException.misuse(file + ": tensor " + name + " is missing"));
    }

    /** The tensor of that name, which must have these sizes. */
    public TensorInfo tensor(String name, int rows, int columns) {
        TensorInfo t = tensor(name);
        if (t.rows() != rows || t.columns() != columns) {
            throw AssayException
                    .misuse(file + ": tensor " + name + " has " + t.rows() + " rows of " + t.columns()
                            + " values: expected " + rows + " rows of " + columns);
        }
        return t;
    }

    /** The bytes of a tensor, little-endian, as in the file. */
    public MemorySegment data(TensorInfo tensor) {
        return data.asSlice(tensor.offset(), tensor.bytes());
    }

    /** The format of most matrix weights, which names the file's format. */
    public WeightFormat format() {
        return tensor(EMBEDDING).format();
    }

    /** The file's name, for messages. */
    public String file() {
        return file;
    }

    @Override
    public void close() {
        arena.close();
    }
}
