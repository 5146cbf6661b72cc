package dev.assay.load;

import dev.assay.load.LoadRun.ClientHealth;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The loop of the load generator: one thread, one selector, all state of one run. */
final class ClientLoop implements AutoCloseable {
    /** How long before a planned send the loop stops sleeping and spins: the timer's granularity and its slack. */
    private static final long SPIN_NANOS = 1_200_000;
    /** Spinning takes at most this share of the mean gap between sends. */
    private static final double SPIN_SHARE = 0.25;
    /** Where sends come too often to spin before each, the loop naps this long between looks at its sockets. */
    private static final long NAP_NANOS = 50_000;
    /** Below this distance from a planned send it does not nap any more. */
    private static final long NAP_LIMIT_NANOS = 150_000;
    /** So many sends, and the sockets are looked at again: a client that is behind must not stop reading answers. */
    private static final int SEND_BATCH = 16;
    private static final long NEVER = Agenda.NEVER;
    private static final long PROGRESS_NANOS = 250_000_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final Agenda agenda;
    private final Target target;
    private final LoadOptions options;
    private final RequestEncoder encoder;
    private final Selector selector = Selector.open();
    private final ArrayDeque<Exchange> exchangesInOrder = new ArrayDeque<>();
    private final Carriers carriers;
    private final List<RequestOutcome> outcomes = new ArrayList<>();
    private final int cap;
    private long spinNanos;
    private long start;
    private int sent;
    private int ended;
    private int preparedId;
    private @Nullable ByteBuffer preparedBytes;
    private int inFlight;
    private int peakInFlight;
    private int failed;
    private long events;
    private long lastSend;
    private long progressDue;
    private boolean didWork;
    private long busy;
    private long spun;
    private long awake;

    ClientLoop(Target target, InetSocketAddress address, Iterable<Request> schedule, LoadOptions options)
            throws IOException {
        this.agenda = new Agenda(schedule.iterator(),
                options.closedLoop() ? options.concurrencyCap() : OptionalInt.empty(), options.think());
        this.options = options;
        this.target = target;
        this.encoder = new RequestEncoder(target);
        this.cap = options.concurrencyCap().orElse(Integer.MAX_VALUE);
        int most = Math.min(cap, schedule instanceof Collection<?> all ? all.size() : Integer.MAX_VALUE);
        this.carriers = switch (target.protocol()) {
            case HTTP_1_1 -> new ConnectionPool(this, selector, target, address, options,
                    options.closedLoop() ? most : Math.min(ConnectionsAhead.of(schedule), most));
            case HTTP_2 -> new SessionPool(this, selector, target, address, options, most);
        };
    }

    /** Spinning must not take the core from the server: it is bounded by the share of the time that it would fill. */
    private long spin() {
        return options.closedLoop() ? 0 : Math.min(SPIN_NANOS, (long) (SPIN_SHARE * agenda.meanGapNanos()));
    }

    LoadRun run() throws IOException {
        carriers.open();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long gc = gcNanos();
        long epoch = System.currentTimeMillis() * NANOS_PER_MILLI;
        start = System.nanoTime();
        while (!finished()) {
            long turn = now();
            didWork = false;
            sendDue();
            expire();
            cancelTurns();
            progress();
            prepare();
            sleep(turn);
            if (Thread.interrupted()) {
                cancelAll("the run was interrupted");
            }
        }
        long window = now();
        double length = Math.max(1, window);
        outcomes.sort(Comparator.comparingInt(o -> o.request().id()));
        return new LoadRun(epoch, Math.max(1, window), outcomes, new ClientHealth(busy / length,
                (threads.getCurrentThreadCpuTime() - cpu) / length, spun, peakInFlight, carriers.opened(),
                gcNanos() - gc));
    }

    private void sleep(long turn) throws IOException {
        long asleep = now();
        long wait = wakeAt() - asleep;
        awake = NEVER;
        if (wait > spinNanos + NANOS_PER_MILLI) {
            selector.select(carriers, Math.max(1, (wait - spinNanos) / NANOS_PER_MILLI));
            busy += asleep - turn + sinceAwake();
            return;
        }
        if (spinNanos < SPIN_NANOS && wait > NAP_LIMIT_NANOS) {
            LockSupport.parkNanos(NAP_NANOS);
            selector.selectNow(carriers);
            busy += asleep - turn + sinceAwake();
            return;
        }
        selector.selectNow(carriers);
        if (didWork) {
            busy += now() - turn;
        } else {
            spun += now() - turn;
        }
    }

    /** Since the start of the run, in nanoseconds. */
    long now() {
        return System.nanoTime() - start;
    }

    /** A ready key is about to be handled: what a select takes before the first of them is no work. */
    void woke() {
        if (awake == NEVER) {
            didWork = true;
            awake = now();
        }
    }

    private long sinceAwake() {
        return awake == NEVER ? 0 : now() - awake;
    }

    /** Counts token events. */
    void counted(int more) {
        events += more;
    }

    /** Whether the schedule holds nothing more to send. */
    boolean exhausted() {
        return agenda.exhausted();
    }

    private boolean finished() {
        if (inFlight > 0) {
            return false;
        }
        return nothingMore();
    }

    /** Whether nothing more is sent, except what waits for an answer in flight. */
    private boolean nothingMore() {
        return agenda.exhausted() || now() >= options.stopSendingNanos().orElse(NEVER);
    }

    private boolean maySend() {
        return inFlight < cap;
    }

    /** When the next request is due, {@link #NEVER} where nothing may be sent now. */
    private long due() {
        if (!maySend()) {
            return NEVER;
        }
        return agenda.due();
    }

    private long wakeAt() {
        long at = Math.min(due(), options.stopSendingNanos().orElse(NEVER));
        Exchange oldest = exchangesInOrder.peekFirst();
        if (oldest != null) {
            at = Math.min(at, oldest.begunNanos + options.timeLimitNanos());
        }
        if (nothingMore()) {
            at = Math.min(oldest == null ? NEVER : oldest.begunNanos + options.timeLimitNanos(), drainEnd());
        }
        return Math.min(at, options.progress().isPresent() ? progressDue : now() + PROGRESS_NANOS);
    }

    private long drainEnd() {
        return lastSend + options.drainNanos();
    }

    private void sendDue() throws IOException {
        long stop = options.stopSendingNanos().orElse(NEVER);
        long now = now();
        for (int i = 0; i < SEND_BATCH && now < stop && due() <= now; i++) {
            didWork = true;
            Agenda.Due next = agenda.take();
            ByteBuffer body = preparedId == next.request().id() && preparedBytes != null
                    ? preparedBytes
                    : encoder.encode(next.request(), next.history());
            preparedBytes = null;
            sent++;
            now = now();
            lastSend = now;
            Exchange exchange = new Exchange(next, body, now);
            exchangesInOrder.addLast(exchange);
            inFlight++;
            peakInFlight = Math.max(peakInFlight, inFlight);
            carriers.carry(exchange);
            spinNanos = spin();
        }
    }

    /** Encodes the next request while there is nothing to do. */
    private void prepare() {
        if (preparedBytes == null && maySend()) {
            agenda.peek().ifPresent(next -> {
                preparedId = next.request().id();
                preparedBytes = encoder.encode(next.request(), next.history());
            });
        }
    }

    /** Ends an exchange that went well. */
    void finish(Exchange exchange, long now) {
        finish(exchange, exchange.outcome(now, Optional.empty(), ""));
    }

    /** Ends an exchange that failed; one that is over stays as it is. */
    void finish(Exchange exchange, FailureClass failure, String detail) {
        finish(exchange, exchange.outcome(now(), Optional.of(failure), target.withoutKey(detail)));
    }

    private void finish(Exchange exchange, RequestOutcome outcome) {
        if (exchange.over) {
            return;
        }
        exchange.over = true;
        inFlight--;
        exchange.release();
        agenda.ended(exchange.due, outcome.endNanos(), outcome.completed(), outcome.text());
        keep(options.keepText() ? outcome : outcome.withoutText());
    }

    private void keep(RequestOutcome outcome) {
        ended++;
        failed += outcome.completed() ? 0 : 1;
        if (options.sink().isPresent()) {
            options.sink().get().accept(outcome);
        } else {
            outcomes.add(outcome);
        }
    }

    /** The turns after a failed one end here. */
    private void cancelTurns() {
        for (Optional<Request> turn = agenda.pollCancelled(); turn
                .isPresent(); turn = agenda.pollCancelled()) {
            keep(new Exchange(turn.get(), ByteBuffer.allocate(0), now()).outcome(now(),
                    Optional.of(FailureClass.CANCELLED), "the turn before it failed"));
        }
    }

    private void expire() {
        long now = now();
        for (Exchange oldest = exchangesInOrder.peekFirst(); oldest != null
                && (oldest.over
                        || now - oldest.begunNanos >= options.timeLimitNanos()); oldest = exchangesInOrder
                                .peekFirst()) {
            exchangesInOrder.removeFirst();
            if (!oldest.over) {
                didWork = true;
                carriers.giveUp(oldest,
                        "no end within " + options.timeLimitNanos() / NANOS_PER_MILLI + " ms");
            }
        }
        if (nothingMore() && inFlight > 0 && now >= drainEnd()) {
            cancelAll("still in flight when the run ended");
        }
    }

    private void cancelAll(String why) {
        agenda.stop();
        for (Exchange exchange : exchangesInOrder) {
            if (!exchange.over) {
                finish(exchange, FailureClass.CANCELLED, why);
                carriers.abandon(exchange);
            }
        }
    }

    private void progress() {
        long now = now();
        if (options.progress().isPresent() && now >= progressDue) {
            progressDue = now + PROGRESS_NANOS;
            options.progress().get()
                    .accept(new LoadOptions.Progress(now, sent, ended, failed, inFlight, events));
        }
    }

    private static long gcNanos() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum() * NANOS_PER_MILLI;
    }

    @Override
    public void close() throws IOException {
        carriers.close();
        selector.close();
    }
}
