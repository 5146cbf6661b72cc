package dev.assay.load;

import dev.assay.workload.FailureClass;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One HTTP/2 connection: its session, the calls on it, and the exchanges that wait until it can take them. */
final class SessionConnection implements Http2Session.Listener {
    /** What a server may send behind the end of an answer before its stream is reset. */
    private static final int SURPLUS_LIMIT = 64 << 10;
    /** Stream numbers are used once, and there are 2³⁰ of them. */
    private static final int CALLS_LIMIT = 1 << 29;

    final SocketChannel channel;
    final SelectionKey key;
    final Wire wire;
    final Http2Session session;
    final ArrayDeque<Exchange> waiting = new ArrayDeque<>();
    final Set<Call> calls = new LinkedHashSet<>();
    /** Calls about which something is to be done once the bytes at hand are read. */
    final List<Call> touched = new ArrayList<>();
    /** Calls that the server says it did not begin. */
    final List<Call> unbegun = new ArrayList<>();
    /** Whether the way to the server is open, TLS included. */
    boolean wired;
    /** Whether the server's settings came. */
    boolean ready;
    boolean leaving;
    boolean dropped;
    /** Whether the pool has it among those with room. */
    boolean listed;
    /** What the session died of, empty while it lives. */
    String fault = "";
    int served;
    /** When the bytes at hand were read. */
    long now;
    private int begun;
    private int events;
    private int most = Integer.MAX_VALUE;

    SessionConnection(SocketChannel channel, SelectionKey key, Wire wire, Http2Session.Request request) {
        this.channel = channel;
        this.key = key;
        this.wire = wire;
        this.session = new Http2Session(request, this);
        key.attach(this);
    }

    /** How many streams the server allows at once. */
    int most() {
        return most;
    }

    /** Whether another call can be begun on it. */
    boolean room() {
        return ready && !leaving && !dropped && fault.isEmpty() && calls.size() < most && begun < CALLS_LIMIT;
    }

    /** How many token events came since this was last asked. */
    int newEvents() {
        int count = events;
        events = 0;
        return count;
    }

    /** Begins a call; the session's bytes then have to be written. */
    void begin(Call call) {
        begun++;
        calls.add(call);
        session.begin(call);
    }

    @Override
    public void settings(long maxStreams) {
        ready = true;
        if (maxStreams >= 0) {
            most = (int) Math.min(maxStreams, Integer.MAX_VALUE);
        }
    }

    @Override
    public void head(Call call, int status, String contentType, String encoding) {
        firstByte(call);
        if (status >= 200 && !call.concluded) {
            call.reader.head.set(status, contentType, encoding);
            call.reader.headEnd(now);
            concluded(call);
        }
    }

    @Override
    public void data(Call call, byte[] bytes, int from, int to) {
        firstByte(call);
        if (call.reader.done()) {
            call.surplus += to - from;
            if (call.surplus > SURPLUS_LIMIT) {
                end(call);
            }
        } else if (!call.concluded) {
            int before = call.exchange.events();
            call.reader.content(bytes, from, to, now);
            events += call.exchange.events() - before;
            concluded(call);
        }
    }

    @Override
    public void ended(Call call) {
        firstByte(call);
        if (!call.concluded) {
            call.reader.end(now);
        }
        end(call);
    }

    @Override
    public void reset(Call call, boolean refused, String text) {
        if (refused && call.reader.head.status < 200) {
            call.reader.fail(FailureClass.REFUSED, text);
        }
        call.reader.lost(text);
        end(call);
    }

    @Override
    public void wrong(Call call, String text) {
        call.reader.fail(FailureClass.MALFORMED, text);
        end(call);
    }

    @Override
    public void leaving(Call call) {
        unbegun.add(call);
    }

    @Override
    public void leaving() {
        leaving = true;
    }

    @Override
    public void broken(String text) {
        fault = fault.isEmpty() ? text : fault;
    }

    private void firstByte(Call call) {
        if (call.exchange.firstByteNanos < 0) {
            call.exchange.firstByteNanos = now;
        }
    }

    private void concluded(Call call) {
        if (!call.concluded && call.reader.concluded()) {
            call.concluded = true;
            touched.add(call);
        }
    }

    private void end(Call call) {
        if (!call.ended) {
            call.ended = true;
            call.concluded = true;
            touched.add(call);
        }
    }

    void close() {
        dropped = true;
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is left to do with a connection that does not even close.
            leaving = true;
        }
    }
}
