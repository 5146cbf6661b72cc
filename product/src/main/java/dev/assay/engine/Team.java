package dev.assay.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Compute threads that split one job after another; the caller is the first of them. Workers spin between the jobs of a
 * step, because waking a parked thread costs more than most jobs, and park when a step has been over for a while.
 */
final class Team implements AutoCloseable {
    /** A piece of work that can be cut into independent parts. */
    interface Job {
        void run(int part, int parts);
    }

    private static final int SPINS_BEFORE_PARK = 20_000;
    private static final Job NOTHING = (part, parts) -> {
    };

    private final Worker[] workers;
    private final AtomicInteger running = new AtomicInteger();
    private Job job = NOTHING;
    private final AtomicInteger epoch = new AtomicInteger();
    private volatile boolean closed;
    private volatile RuntimeException failure = new IllegalStateException("none");
    private volatile boolean failed;

    Team(int threads) {
        workers = new Worker[threads - 1];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(i + 1);
            workers[i].setDaemon(true);
            workers[i].start();
        }
    }

    int size() {
        return workers.length + 1;
    }

    /** Runs all parts and returns when the last is done; throws what a part threw. */
    void run(Job next) {
        if (workers.length == 0) {
            next.run(0, 1);
            return;
        }
        job = next;
        running.set(workers.length);
        epoch.incrementAndGet();
        for (Worker worker : workers) {
            worker.wake();
        }
        try {
            next.run(0, size());
        } finally {
            while (running.get() > 0) {
                Thread.onSpinWait();
            }
        }
        if (failed) {
            failed = false;
            throw failure;
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Worker worker : workers) {
            worker.wake();
        }
    }

    private final class Worker extends Thread {
        private final int part;
        private volatile boolean parked;

        Worker(int part) {
            super("assay-compute-" + part);
            this.part = part;
        }

        void wake() {
            if (parked) {
                LockSupport.unpark(this);
            }
        }

        @Override
        public void run() {
            int seen = 0;
            while (!closed) {
                if (!awaitAfter(seen)) {
                    continue;
                }
                seen++;
                try {
                    job.run(part, workers.length + 1);
                } catch (RuntimeException e) {
                    failure = e;
                    failed = true;
                } finally {
                    running.decrementAndGet();
                }
            }
        }

        private boolean awaitAfter(int seen) {
            for (int i = 0; i < SPINS_BEFORE_PARK; i++) {
                if (epoch.get() != seen) {
                    return true;
                }
                Thread.onSpinWait();
            }
            parked = true;
            if (epoch.get() == seen && !closed) {
                LockSupport.park(this);
            }
            parked = false;
            return epoch.get() != seen;
        }
    }
}
