package dev.assay.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets a run that the user stops say what it measured: the thread that made this is interrupted instead of being killed,
 * and the program ends when it has closed this, or after some seconds.
 */
final class CutShort implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 15;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean asked = new AtomicBoolean();
    private final Thread hook;
    private boolean finishing;

    /** Watches for the end of the program from now on. */
    CutShort() {
        Thread runner = Thread.currentThread();
        hook = Thread.ofPlatform().unstarted(() -> stop(runner));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stop(Thread runner) {
        interrupt(runner);
        try {
            if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                runner.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void interrupt(Thread runner) {
        asked.set(true);
        if (!finishing) {
            runner.interrupt();
        }
    }

    /** From here on the thread that made this writes what it has and is not interrupted any more. */
    synchronized void finish() {
        finishing = true;
        if (Thread.interrupted()) {
            asked.set(true);
        }
    }

    /** Whether the run was stopped before its end. */
    boolean asked() {
        return asked.get();
    }

    @Override
    public void close() {
        closed.countDown();
        if (!asked.get()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
