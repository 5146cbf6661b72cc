package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.Resources;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A running server with all its children, under a small shell supervisor that holds a pipe from us: when Assay ends,
 * even by SIGKILL, the pipe closes and the supervisor ends all that the server started, so that no orphan stays. When
 * the supervisor itself is ended from outside, its watcher and this process do the same. {@code docs/telemetry.md} says
 * what that does and does not reach.
 */
public final class ServerProcess implements AutoCloseable {
    private static final long POLL_MILLIS = 50;
    private static final int GET_MILLIS = 2000;
    private static final long TENTH_NANOS = 100_000_000;
    private static final long STOP_SLACK_MILLIS = 5000;
    private static final long DEFAULT_GRACE_NANOS = 10_000_000_000L;

    private final Process supervisor;
    private final String command;
    private final int port;
    private final ServerLog log;
    private final ServerRemains remains;
    private long peakResidentBytes = -1;

    private ServerProcess(Process supervisor, String command, int port, ServerLog log, String mark) {
        this.supervisor = supervisor;
        this.command = command;
        this.port = port;
        this.log = log;
        this.remains = new ServerRemains(supervisor, mark);
    }

    static ServerProcess start(ServerCommand how, String command, int port, Path file) {
        String mark = UUID.randomUUID().toString();
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "eval \"$ASSAY_BECOME\"", "assay-supervisor",
                command, mark).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile()));
        builder.environment().putAll(how.environment());
        // Not as arguments, so that a list of processes stays readable; the server does not inherit them.
        builder.environment().put("ASSAY_BECOME", Resources.text(ServerProcess.class, "become.sh"));
        builder.environment().put("ASSAY_SUPERVISE", Resources.text(ServerProcess.class, "supervise.sh"));
        how.directory().ifPresent(d -> builder.directory(d.toFile()));
        try {
            ServerLog log = ServerLog.begin(file, how.logLimitBytes());
            return new ServerProcess(builder.start(), command, port, log, mark);
        } catch (IOException e) {
            throw AssayException.environment("server not started: " + e.getMessage(), e);
        }
    }

    /** The process that holds the server's. */
    long supervisorPid() {
        return supervisor.pid();
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
        awaitReady(Readiness.within(timeoutNanos));
    }

    /**
     * Waits until the server is ready.
     *
     * @throws AssayException of the kind environment where the server dies first, the time passes, or another process
     *     answers on its port
     */
    public void awaitReady(Readiness how) {
        long end = System.nanoTime() + how.timeoutNanos();
        boolean said = how.logLine().isEmpty();
        boolean answered = how.paths().isEmpty();
        while (System.nanoTime() < end) {
            if (!supervisor.isAlive()) {
                throw AssayException.environment("server ended with status " + supervisor.exitValue()
                        + " before it was ready" + last() + ": " + command);
            }
            said = said || log.finds(how.logLine().get());
            answered = answered || answers(how);
            if (said && answered) {
                remains.look();
                ownPort();
                return;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw AssayException.environment("interrupted while the server started: " + command);
            }
        }
        throw AssayException.environment("server not ready after "
                + TimeUnit.NANOSECONDS.toSeconds(how.timeoutNanos()) + " s on port " + port
                + (said ? "" : ", no line like '" + how.logLine().get() + "'") + last() + ": " + command);
    }

    private boolean answers(Readiness how) {
        for (String path : how.paths()) {
            Optional<Http.Reply> reply = BoundedGet.get(url(), path, Optional.empty(), GET_MILLIS).reply();
            if (reply.isPresent() && reply.get().status() == how.status()) {
                return true;
            }
            if (reply.isPresent() && reply.get().status() != 404) {
                return false;
            }
        }
        return false;
    }

    /** Between the choice of the port and the server's start another process may have taken it. */
    private void ownPort() {
        PortOwner.foreign(port, supervisor.pid()).ifPresent(pid -> {
            throw AssayException.environment("port " + port + " is answered by process " + pid
                    + ", which is not the server that was started: " + command);
        });
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
        return log.tail(lines);
    }

    /** Resident memory of all its processes now, in bytes; empty where {@code /proc} does not show it. */
    public OptionalLong residentBytes() {
        OptionalLong now = ProcTree.residentBytes(supervisor.pid());
        remains.look();
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
        remains.look();
        remains.tell(Math.max(0, graceNanos / TENTH_NANOS));
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
        remains.end(0);
        log.bound();
        log.close();
    }

    /** Stops with a grace of 10 s. */
    @Override
    public void close() {
        stop(supervisor.isAlive() ? DEFAULT_GRACE_NANOS : 0);
    }

    /** Whether {@code /proc} is there, which memory figures need. */
    static boolean hasProc() {
        return Files.isReadable(Path.of("/proc/self/stat"));
    }
}
