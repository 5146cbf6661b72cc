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
import java.util.stream.Stream;

/**
 * Writes the outcomes of a run as Parquet while it goes on: {@code requests.parquet} where they fit one part, else
 * {@code requests/part-00000.parquet} and so on, which pandas, DuckDB and Spark read as one table. Each part is written
 * by another thread than the one that measures.
 */
public final class RequestParts implements AutoCloseable {
    private static final int PART_REQUESTS = 50_000;
    private static final long PART_EVENTS = 2_000_000;
    private static final String SINGLE = "requests.parquet";
    private static final String MANY = "requests";

    private final Path directory;
    private final ExecutorService writer = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("request-parts").factory());
    private List<RequestOutcome> part = new ArrayList<>();
    private List<Future<?>> writing = new ArrayList<>();
    private long events;
    private int written;

    /** Makes the directory; an environment fault where it cannot be made, or where it holds another run's requests. */
    public RequestParts(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
            Files.deleteIfExists(directory.resolve(SINGLE));
            Path many = directory.resolve(MANY);
            if (Files.isDirectory(many)) {
                try (Stream<Path> old = Files.list(many)) {
                    old.filter(p -> p.getFileName().toString().matches("part-\\d+\\.parquet"))
                            .forEach(RequestParts::delete);
                }
                Files.delete(many);
            }
        } catch (IOException | UncheckedIOException e) {
            throw AssayException.environment(directory + ": not writable: " + e.getMessage(), e);
        }
    }

    void add(RequestOutcome outcome) {
        part.add(outcome);
        events += outcome.contentNanos().length;
        if (part.size() >= PART_REQUESTS || events >= PART_EVENTS) {
            List<RequestOutcome> full = part;
            part = new ArrayList<>();
            events = 0;
            Path file = directory.resolve(MANY)
                    .resolve(String.format(Locale.ROOT, "part-%05d.parquet", written++));
            await(1);
            writing.add(writer.submit(() -> {
                Files.createDirectories(directory.resolve(MANY));
                RequestLog.write(file, full);
                return null;
            }));
        }
    }

    /** Writes what is left and waits for all parts; throws what went wrong with any of them. */
    public void finish() {
        await(0);
        if (written == 0) {
            RequestLog.write(directory.resolve(SINGLE), part);
        } else if (!part.isEmpty()) {
            RequestLog.write(directory.resolve(MANY)
                    .resolve(String.format(Locale.ROOT, "part-%05d.parquet", written)), part);
        }
        part = List.of();
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
        writer.shutdown();
    }
}
