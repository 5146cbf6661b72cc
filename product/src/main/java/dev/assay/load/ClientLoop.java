package dev.assay.load;

import dev.assay.load.LoadRun.ClientHealth;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
    private static final long NEVER = Agenda.NEVER;
    private static final long PROGRESS_NANOS = 250_000_000;
    /** As many connections are asked for at once as any server's queue of them holds. */
    private static final int CONNECT_BATCH = 100;
    /** Connections that an open loop keeps ready. */
    private static final int SPARES = 2;
    /** How long a run waits for its first connections. */
    private static final long OPEN_NANOS = 1_000_000_000;
    private static final int OPEN_WAIT_MILLIS = 5;
    private static final int READ_BYTES = 64 << 10;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final Target target;
    private final InetSocketAddress address;
    private final Agenda agenda;
    private final LoadOptions options;
    private final RequestEncoder encoder;
    private final Wires wires;
    private final Selector selector = Selector.open();
    private final Consumer<SelectionKey> onReady = this::ready;
    private final ByteBuffer direct = ByteBuffer.allocateDirect(READ_BYTES);
    private final byte[] bytes = new byte[READ_BYTES];
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final ArrayDeque<Exchange> exchangesInOrder = new ArrayDeque<>();
    private final Set<Connection> open = new HashSet<>();
    private final List<RequestOutcome> outcomes = new ArrayList<>();
    private final int cap;
    private final int atMost;
    private long spinNanos;
    private long start;
    private int sent;
    private int ended;
    private int preparedId;
    private @Nullable ByteBuffer preparedBytes;
    private int inFlight;
    private int peakInFlight;
    private int opened;
    private int sparesComing;
    private int failed;
    private long events;
    private long lastSend;
    private long progressDue;
    private boolean didWork;
    private long busy;
    private long spun;
    private long readyNanos;

    ClientLoop(Target target, InetSocketAddress address, Iterable<Request> schedule, LoadOptions options)
            throws IOException {
        this.target = target;
        this.address = address;
        this.agenda = new Agenda(schedule.iterator(),
                options.closedLoop() ? options.concurrencyCap() : OptionalInt.empty(), options.think());
        this.options = options;
        this.encoder = new RequestEncoder(target);
        this.wires = new Wires(target);
        this.atMost = schedule instanceof Collection<?> all ? all.size() : Integer.MAX_VALUE;
        this.cap = options.concurrencyCap().orElse(Integer.MAX_VALUE);
    }

    /** Spinning must not take the core from the server: it is bounded by the share of the time that it would fill. */
    private long spin() {
        return options.closedLoop() ? 0 : Math.min(SPIN_NANOS, (long) (SPIN_SHARE * agenda.meanGapNanos()));
    }

    LoadRun run() throws IOException {
        connectSpares();
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
                (threads.getCurrentThreadCpuTime() - cpu) / length, spun, peakInFlight, opened,
                gcNanos() - gc));
    }

    private void sleep(long turn) throws IOException {
        long asleep = now();
        long wait = wakeAt() - asleep;
        readyNanos = 0;
        if (wait > spinNanos + NANOS_PER_MILLI) {
            selector.select(onReady, Math.max(1, (wait - spinNanos) / NANOS_PER_MILLI));
            // The handlers run inside select and count their own time.
            busy += asleep - turn + readyNanos;
            return;
        }
        if (spinNanos < SPIN_NANOS && wait > NAP_LIMIT_NANOS) {
            LockSupport.parkNanos(NAP_NANOS);
            busy += asleep - turn;
            selector.selectNow(onReady);
            busy += readyNanos;
            return;
        }
        selector.selectNow(onReady);
        if (didWork) {
            busy += now() - turn;
        } else {
            spun += now() - turn;
        }
    }

    private long now() {
        return System.nanoTime() - start;
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
        while (now < stop && due() <= now) {
            didWork = true;
            Agenda.Due next = agenda.take();
            ByteBuffer body = preparedId == next.request().id() && preparedBytes != null
                    ? preparedBytes
                    : encoder.encode(next.request(), next.history());
            preparedBytes = null;
            sent++;
            spinNanos = spin();
            now = now();
            lastSend = now;
            Exchange exchange = new Exchange(next, body, now);
            exchangesInOrder.addLast(exchange);
            inFlight++;
            peakInFlight = Math.max(peakInFlight, inFlight);
            dispatch(exchange, idle.pollFirst());
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

    private void dispatch(Exchange exchange, @Nullable Connection pooled) throws IOException {
        Connection connection;
        try {
            connection = pooled == null ? connect() : pooled;
        } catch (IOException e) {
            // The client has no socket left; the request counts and the run goes on.
            finish(exchange, FailureClass.REFUSED, "no socket for it: " + reason(e));
            return;
        }
        connection.taken(exchange, now());
        if (!connection.refusal.isEmpty()) {
            refused(connection, exchange);
        } else if (connection.connected) {
            write(connection);
        }
        if (idle.isEmpty() && sparesComing == 0 && !options.closedLoop() && !agenda.exhausted()) {
            connectSpare();
        }
    }

    private void connectSpares() throws IOException {
        int count = Math.min(options.closedLoop() ? cap : SPARES, atMost);
        for (int i = 0; i < count; i++) {
            connectSpare();
            if (i % CONNECT_BATCH == CONNECT_BATCH - 1) {
                awaitConnections();
            }
        }
        awaitConnections();
    }

    private void awaitConnections() throws IOException {
        // The run begins with its connections made; one that takes too long is used when it is ready.
        long until = System.nanoTime() + OPEN_NANOS;
        while (sparesComing > 0 && System.nanoTime() < until) {
            selector.select(onReady, OPEN_WAIT_MILLIS);
        }
    }

    private void connectSpare() throws IOException {
        Connection spare;
        try {
            spare = connect();
        } catch (IOException e) {
            // A spare is a convenience: the request that needs a socket and gets none says so.
            return;
        }
        if (!spare.refusal.isEmpty()) {
            drop(spare);
        } else if (spare.connected) {
            pool(spare);
        } else {
            sparesComing++;
        }
    }

    private Connection connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Connection connection = new Connection(channel, channel.register(selector, SelectionKey.OP_CONNECT),
                new ResponseReader(target.api(), options.keepText()), wires.next());
        open.add(connection);
        opened++;
        try {
            if (channel.connect(address)) {
                connection.connected = opened(connection);
            }
        } catch (IOException e) {
            connection.refusal = reason(e);
        }
        return connection;
    }

    private void pool(Connection connection) {
        connection.pooled(now());
        idle.addFirst(connection);
    }

    private void ready(SelectionKey key) {
        long from = System.nanoTime();
        didWork = true;
        Connection connection = (Connection) key.attachment();
        try {
            if (!key.isValid()) {
                return;
            }
            if (!connection.connected) {
                connected(connection);
                return;
            }
            if (key.isWritable()) {
                write(connection);
            }
            if (key.isValid() && key.isReadable()) {
                read(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            readyNanos += System.nanoTime() - from;
        }
    }

    private void connected(Connection connection) throws IOException {
        try {
            if (!connection.channel.finishConnect() || !opened(connection)) {
                return;
            }
        } catch (IOException e) {
            connection.refusal = reason(e);
            Exchange exchange = connection.exchange;
            if (exchange == null) {
                sparesComing--;
                drop(connection);
            } else {
                refused(connection, exchange);
            }
            return;
        }
        connection.connected = true;
        if (connection.exchange == null) {
            sparesComing--;
            pool(connection);
        } else {
            write(connection);
        }
    }

    /** Whether the way to the server is open; a handshake goes on when the socket is ready again. */
    private static boolean opened(Connection connection) throws IOException {
        boolean open = connection.wire.open(connection.channel);
        connection.key.interestOps(connection.wire.unsent()
                ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                : SelectionKey.OP_READ);
        return open;
    }

    private void refused(Connection connection, Exchange exchange) {
        drop(connection);
        finish(exchange, FailureClass.REFUSED,
                "no connection to " + target.baseUrl() + ": " + connection.refusal);
    }

    private void write(Connection connection) throws IOException {
        Exchange exchange = connection.exchange;
        if (exchange == null) {
            connection.key.interestOps(SelectionKey.OP_READ);
            return;
        }
        if (exchange.sentNanos < 0) {
            exchange.sentNanos = now();
        }
        try {
            connection.wire.write(connection.channel, exchange.bytes);
        } catch (IOException e) {
            broken(connection, exchange, e);
            return;
        }
        int ops = exchange.bytes.hasRemaining() || connection.wire.unsent()
                ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                : SelectionKey.OP_READ;
        if (connection.key.interestOps() != ops) {
            connection.key.interestOps(ops);
        }
    }

    private void read(Connection connection) throws IOException {
        direct.clear();
        int count;
        try {
            count = connection.wire.read(connection.channel, direct);
        } catch (IOException e) {
            Exchange exchange = connection.exchange;
            if (exchange == null) {
                drop(connection);
            } else {
                broken(connection, exchange, e);
            }
            return;
        }
        if (count == 0) {
            return;
        }
        long now = now();
        Exchange exchange = connection.exchange;
        if (count < 0 && (exchange == null || exchange.firstByteNanos < 0 && retry(connection, exchange))) {
            drop(connection);
            return;
        }
        if (count < 0) {
            connection.reader.closed(now);
        } else {
            if (exchange != null && exchange.firstByteNanos < 0) {
                exchange.firstByteNanos = now;
            }
            direct.flip();
            direct.get(bytes, 0, count);
            int before = exchange == null ? 0 : exchange.events();
            connection.reader.feed(bytes, 0, count, now);
            events += exchange == null ? 0 : exchange.events() - before;
        }
        if (connection.reader.concluded()) {
            conclude(connection, now);
        }
        if (count < 0) {
            drop(connection);
        }
    }

    /** The outcome is known; the connection goes back to the pool once its response is over. */
    private void conclude(Connection connection, long now) {
        Exchange exchange = connection.exchange;
        if (exchange != null) {
            connection.served();
            FailureClass failure = connection.reader.failure();
            if (failure == null) {
                finish(exchange, now);
            } else {
                finish(exchange, failure, connection.reader.detail());
            }
        }
        if (connection.reader.reusable()) {
            if (!connection.idle) {
                pool(connection);
            }
        } else if (connection.reader.unusable()) {
            drop(connection);
        }
    }

    private void broken(Connection connection, Exchange exchange, IOException e) throws IOException {
        boolean again = exchange.firstByteNanos < 0 && retry(connection, exchange);
        drop(connection);
        if (!again) {
            connection.reader.fail(FailureClass.RESET, "connection broke: " + reason(e));
            finish(exchange, FailureClass.RESET, connection.reader.detail());
        }
    }

    /** Sends once more where the pooled connection may have been closed by the server's idle limit. */
    private boolean retry(Connection connection, Exchange exchange) throws IOException {
        if (!connection.mayBeStale() || exchange.retried) {
            return false;
        }
        exchange.retried = true;
        exchange.bytes.rewind();
        connection.exchange = null;
        dispatch(exchange, null);
        return true;
    }

    private void finish(Exchange exchange, long now) {
        finish(exchange, exchange.outcome(now, Optional.empty(), ""));
    }

    private void finish(Exchange exchange, FailureClass failure, String detail) {
        finish(exchange, exchange.outcome(now(), Optional.of(failure), detail));
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
                giveUp(oldest);
            }
        }
        if (nothingMore() && inFlight > 0 && now >= drainEnd()) {
            cancelAll("still in flight when the run ended");
        }
    }

    private void giveUp(Exchange exchange) {
        Connection connection = exchange.connection;
        String text = "no end within " + options.timeLimitNanos() / NANOS_PER_MILLI + " ms";
        if (connection == null) {
            finish(exchange, FailureClass.TIMEOUT, text);
            return;
        }
        connection.reader.timeOut(text);
        FailureClass failure = connection.reader.failure();
        finish(exchange, failure == null ? FailureClass.TIMEOUT : failure, connection.reader.detail());
        drop(connection);
    }

    private void cancelAll(String why) {
        agenda.stop();
        for (Connection connection : List.copyOf(open)) {
            Exchange exchange = connection.exchange;
            if (exchange != null) {
                finish(exchange, FailureClass.CANCELLED, why);
                drop(connection);
            }
        }
    }

    private void drop(Connection connection) {
        connection.close();
        open.remove(connection);
        if (connection.idle) {
            idle.remove(connection);
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

    private static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private static long gcNanos() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime).sum() * NANOS_PER_MILLI;
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : List.copyOf(open)) {
            connection.close();
        }
        selector.close();
    }
}
