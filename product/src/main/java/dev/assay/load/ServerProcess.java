package dev.assay.load;

import dev.assay.AssayException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A running server with all its children, under a small shell supervisor that holds a pipe from us: when Assay ends,
 * even by SIGKILL, the pipe closes and the supervisor ends the server's whole session, so that no orphan stays.
 */
public final class ServerProcess implements AutoCloseable {
    private static final int TAIL_BYTES = 16 << 10;
    private static final int DETAIL_LIMIT = 300;
    private static final long POLL_MILLIS = 50;
    private static final int GET_MILLIS = 2000;
    private static final long TENTH_NANOS = 100_000_000;
    private static final long STOP_SLACK_MILLIS = 5000;
    private static final long DEFAULT_GRACE_NANOS = 10_000_000_000L;
    private static final List<String> HEALTH = List.of("/health", "/v1/models");

    private final Process supervisor;
    private final String command;
    private final int port;
    private final Path log;
    private long peakResidentBytes = -1;

    private ServerProcess(Process supervisor, String command, int port, Path log) {
        this.supervisor = supervisor;
        this.command = command;
        this.port = port;
        this.log = log;
    }

    static ServerProcess start(ServerCommand how, String command, int port, Path log) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script(), "assay-supervisor", command,
                UUID.randomUUID().toString()).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(how.environment());
        how.directory().ifPresent(d -> builder.directory(d.toFile()));
        try {
            return new ServerProcess(builder.start(), command, port, log);
        } catch (IOException e) {
            throw AssayException.environment("server not started: " + e.getMessage(), e);
        }
    }

    /** The port that the command was given. */
    public int port() {
        return port;
    }

    /** Where it listens. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Whether the command still runs. */
    public boolean alive() {
        return supervisor.isAlive();
    }

    /** Waits until the server answers; an environment fault, with its last line, where it dies or takes too long. */
    public void awaitReady(long timeoutNanos) {
        awaitReady(HEALTH, timeoutNanos);
    }

    /**
     * Waits until one of the paths answers 200; paths that answer 404 are passed over.
     *
     * @throws AssayException of the kind environment where the server dies first or the time passes
     */
    public void awaitReady(List<String> paths, long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        while (System.nanoTime() < end) {
            if (!supervisor.isAlive()) {
                throw AssayException.environment("server ended with status " + supervisor.exitValue()
                        + " before it was ready" + last() + ": " + command);
            }
            if (ready(paths)) {
                return;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw AssayException.environment("interrupted while the server started: " + command);
            }
        }
        throw AssayException
                .environment("server not ready after " + TimeUnit.NANOSECONDS.toSeconds(timeoutNanos)
                        + " s on port " + port + last() + ": " + command);
    }

    private boolean ready(List<String> paths) {
        for (String path : paths) {
            Optional<Http.Reply> reply = Http.get(url(), path, Optional.empty(), GET_MILLIS);
            if (reply.isPresent() && reply.get().status() != 404) {
                return reply.get().status() == 200;
            }
        }
        return false;
    }

    /** The one-line fault of a server that ended by itself; empty while it runs. */
    public Optional<String> died() {
        return supervisor.isAlive()
                ? Optional.empty()
                : Optional.of("server ended with status " + supervisor.exitValue() + last() + ": " + command);
    }

    private String last() {
        List<String> lines = tail(1);
        return lines.isEmpty() ? " (it said nothing)" : " ('" + lines.getLast() + "')";
    }

    /** The last lines of its output that are not blank, oldest first. */
    public List<String> tail(int lines) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - TAIL_BYTES);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            List<String> all = new String(bytes, StandardCharsets.UTF_8).lines().filter(l -> !l.isBlank())
                    .map(l -> l.strip().replaceAll("\\p{Cntrl}", ""))
                    .map(l -> l.length() > DETAIL_LIMIT ? l.substring(0, DETAIL_LIMIT) + "…" : l).toList();
            return all.subList(Math.max(0, all.size() - lines), all.size());
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Resident memory of all its processes now, in bytes; empty where {@code /proc} does not show it. */
    public OptionalLong residentBytes() {
        OptionalLong now = ProcTree.residentBytes(supervisor.pid());
        if (now.isPresent()) {
            peakResidentBytes = Math.max(peakResidentBytes, now.getAsLong());
        }
        return now;
    }

    /** The greatest value that {@link #residentBytes} has given. */
    public OptionalLong peakResidentBytes() {
        return peakResidentBytes < 0 ? OptionalLong.empty() : OptionalLong.of(peakResidentBytes);
    }

    /** Asks it and all its children to end, and kills those that have not after {@code graceNanos}. */
    public void stop(long graceNanos) {
        List<ProcessHandle> children = supervisor.descendants().toList();
        try (OutputStream pipe = supervisor.getOutputStream()) {
            pipe.write((Math.max(0, graceNanos / TENTH_NANOS) + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // The supervisor is gone already; what it left is ended below.
            supervisor.destroy();
        }
        boolean ended = false;
        try {
            ended = supervisor.waitFor(TimeUnit.NANOSECONDS.toMillis(graceNanos) + STOP_SLACK_MILLIS,
                    TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            supervisor.destroyForcibly();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }

    /** Stops with a grace of 10 s. */
    @Override
    public void close() {
        if (supervisor.isAlive()) {
            stop(DEFAULT_GRACE_NANOS);
        }
    }

    private static String script() {
        try (InputStream in = ServerProcess.class.getResourceAsStream("supervise.sh")) {
            if (in == null) {
                throw new IllegalStateException("supervise.sh is not in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether {@code /proc} is there, which memory figures need. */
    static boolean hasProc() {
        return Files.isReadable(Path.of("/proc/self/stat"));
    }
}
