package dev.assay.json;

import dev.assay.AssayException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON file that is one array, of any size: read item by item, and afterwards any item by its place.
 *
 * <p>The first pass is as strict as {@link Json}; only where the items lie is kept.
 */
public final class JsonArrayFile {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonArrayFile() {}

    /** Where the items of a file lie, in bytes. */
    public static final class Index {
        private final long[] starts;
        private final long[] ends;

        private Index(long[] starts, long[] ends) {
            this.starts = starts;
            this.ends = ends;
        }

        /** How many items were kept. */
        public int size() {
            return starts.length;
        }
    }

    /** Reads the array once; items that {@code wanted} refuses are left out. */
    public static Index index(Path file, Predicate<JsonValue> wanted) {
        String source = String.valueOf(file.getFileName());
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
                JsonParser parser = JSON.createParser(ObjectReadContext.empty(), in)) {
            Collector found = new Collector();
            new TreeReader(parser, source, "").items((item, start, end) -> {
                if (wanted.test(item)) {
                    found.add(start, end);
                }
            });
            return found.index();
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(file + ": no such file");
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The text of one item. */
    public static String text(Path file, Index index, int item) {
        byte[] bytes = new byte[Math.toIntExact(index.ends[item] - index.starts[item])];
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(index.starts[item]);
            in.readFully(bytes);
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be read: " + e.getMessage(), e);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** What is done with an item and the bytes that it takes. */
    interface Visitor {
        void item(JsonValue item, long start, long end);
    }

    private static final class Collector {
        private long[] starts = new long[1024];
        private long[] ends = new long[1024];
        private int n;

        void add(long start, long end) {
            if (n == starts.length) {
                starts = Arrays.copyOf(starts, 2 * n);
                ends = Arrays.copyOf(ends, 2 * n);
            }
            starts[n] = start;
            ends[n++] = end;
        }

        Index index() {
            return new Index(Arrays.copyOf(starts, n), Arrays.copyOf(ends, n));
        }
    }
}
