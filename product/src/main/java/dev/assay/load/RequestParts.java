package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the outcomes of a run as Parquet while it goes on: {@code requests.parquet} where they fit one part, else
 * {@code requests/part-00000.parquet} and so on, which pandas, DuckDB and Spark read as one table. Another
 * thread than the one that measures writes them, in chunks that are joined to parts: a chunk is small enough that its
 * requests die young, as the collector of long-lived objects would stop the measurement.
 */
public final class RequestParts implements AutoCloseable {
    private static final int CHUNK_REQUESTS = 5_000;
    private static final long CHUNK_EVENTS = 200_000;
    private static final int PART_CHUNKS = 40;
    private static final String SINGLE = "requests.parquet";
    private static final String MANY = "requests";

    private final Path directory;
    private final int chunkRequests;
    private final int partChunks;
    private final ExecutorService writer = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("request-parts").factory());
    private List<RequestOutcome> chunk = new ArrayList<>();
    private List<Future<?>> writing = new ArrayList<>();
    private long events;
    private int chunks;
    /** Belongs to the writer's thread. */
    private @Nullable RequestTable table;

    /** Makes the directory; an environment fault where it cannot be made, or where it holds another run's requests. */
    public RequestParts(Path directory) {
        this(directory, CHUNK_REQUESTS, PART_CHUNKS);
    }

    RequestParts(Path directory, int chunkRequests, int partChunks) {
        this.directory = directory;
        this.chunkRequests = chunkRequests;
        this.partChunks = partChunks;
        try {
            Files.createDirectories(directory);
            Files.deleteIfExists(directory.resolve(SINGLE));
            Path many = directory.resolve(MANY);
            if (Files.isDirectory(many)) {
                try (Stream<Path> old = Files.list(many)) {
                    old.filter(p -> p.getFileName().toString().matches("(part|chunk)-\\d+\\.parquet"))
                            .forEach(RequestParts::delete);
                }
                Files.delete(many);
            }
        } catch (IOException | UncheckedIOException e) {
            throw AssayException.environment(directory + ": not writable: " + e.getMessage(), e);
        }
    }

    void add(RequestOutcome outcome) {
        chunk.add(outcome);
        events += outcome.contentNanos().length;
        if (chunk.size() >= chunkRequests || events >= CHUNK_EVENTS) {
            await(1);
            writeChunk();
        }
    }

    private void writeChunk() {
        List<RequestOutcome> full = chunk;
        int number = chunks++;
        chunk = new ArrayList<>();
        events = 0;
        writing.add(writer.submit(() -> {
            Files.createDirectories(directory.resolve(MANY));
            table().write(file("chunk", number), full);
            if (leftOver(number + 1) == 0) {
                join(number + 1 - partChunks, number + 1);
            }
            return null;
        }));
    }

    private RequestTable table() {
        RequestTable made = table == null ? new RequestTable() : table;
        table = made;
        return made;
    }

    private int leftOver(int count) {
        return count % partChunks;
    }

    /** The chunks from one number to before another become a part. */
    private void join(int from, int to) throws IOException {
        joinInto(from, to, file("part", from / partChunks));
    }

    private void joinInto(int from, int to, Path file) throws IOException {
        List<Path> files = IntStream.range(from, to).mapToObj(n -> file("chunk", n)).toList();
        table().merge(files, file);
        for (Path one : files) {
            Files.delete(one);
        }
    }

    private Path file(String kind, int number) {
        return directory.resolve(MANY).resolve(String.format(Locale.ROOT, "%s-%05d.parquet", kind, number));
    }

    /** Writes what is left and waits for all parts; throws what went wrong with any of them. */
    public void finish() {
        if (chunks == 0) {
            RequestLog.write(directory.resolve(SINGLE), chunk);
            return;
        }
        if (!chunk.isEmpty()) {
            writeChunk();
        }
        writing.add(writer.submit(() -> {
            joinRest();
            return null;
        }));
        await(0);
    }

    private void joinRest() throws IOException {
        if (chunks < partChunks) {
            joinInto(0, chunks, directory.resolve(SINGLE));
            Files.delete(directory.resolve(MANY));
        } else if (leftOver(chunks) > 0) {
            join(chunks - leftOver(chunks), chunks);
        }
    }

    /** Waits until at most {@code most} parts are being written, so that a slow disk cannot fill the memory. */
    private void await(int most) {
        List<Future<?>> left = new ArrayList<>(writing.stream().filter(f -> !f.isDone()).toList());
        writing.stream().filter(Future::isDone).forEach(RequestParts::await);
        while (left.size() > most) {
            await(left.removeFirst());
        }
        writing = left;
    }

    private static void await(Future<?> one) {
        try {
            one.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AssayException fault) {
                throw fault;
            }
            throw AssayException.environment("request records not written: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        writer.execute(() -> {
            if (table != null) {
                table.close();
            }
        });
        writer.shutdown();
    }
}
