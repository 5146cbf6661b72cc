package dev.assay.load;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What must not remain of a server once its supervisor is gone, however that came about: the supervisor ends it all
 * itself, unless it was killed.
 */
final class ServerRemains {
    private static final long WAIT_NANOS = 6_000_000_000L;
    private static final long POLL_MILLIS = 50;
    /** In tenths of a second: what a server gets whose supervisor was ended from outside. */
    private static final long GRACE_TENTHS = 50;

    private final Process supervisor;
    private final String mark;
    private final Set<Long> sessions = new HashSet<>();
    private boolean ended;

    ServerRemains(Process supervisor, String mark) {
        this.supervisor = supervisor;
        this.mark = "ASSAY_SERVER=" + mark;
        CompletableFuture<Void> _ = supervisor.onExit().thenRunAsync(() -> {
            // Were the supervisor killed, its watcher would still read the pipe.
            tell(GRACE_TENTHS);
            end(WAIT_NANOS);
        });
    }

    /** Notes the sessions that the server has now; the supervisor's death would hide which they are. */
    synchronized void look() {
        if (supervisor.isAlive()) {
            sessions.addAll(ProcTree.sessions(supervisor.pid()));
        }
    }

    /** Tells the supervisor to end the server within so many tenths of a second. */
    void tell(long tenths) {
        try (OutputStream pipe = supervisor.getOutputStream()) {
            pipe.write((tenths + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // It is gone already, or was told before; what it left is ended by its watcher or by us.
            return;
        }
    }

    /** Kills what is there after at most {@code waitNanos}; done once, as numbers of sessions come again. */
    synchronized void end(long waitNanos) {
        if (ended) {
            return;
        }
        ended = true;
        long patience = System.nanoTime() + waitNanos;
        long limit = patience + WAIT_NANOS;
        List<Long> left = left();
        while (!left.isEmpty() && System.nanoTime() < limit) {
            if (System.nanoTime() >= patience) {
                left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                patience = System.nanoTime();
                limit = patience;
                left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            }
            left = left();
        }
    }

    private List<Long> left() {
        Set<Long> left = new HashSet<>(ProcTree.members(supervisor.pid(), sessions));
        left.addAll(ProcTree.marked(mark));
        return List.copyOf(left);
    }
}
