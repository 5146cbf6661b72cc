package dev.assay.load;

import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One request in flight and what has come back for it so far. Times count from the start of the run. */
final class Exchange {
    private static final long[] NOTHING = {};
    private static final int[] NO_TOKENS = {};
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);
    private static final int FIRST_CAPACITY_LIMIT = 4096;
    /** Events beyond this many times the tokens asked for (and a floor) mean a server that does not stop. */
    private static final int ENDLESS_FACTOR = 4;
    private static final int ENDLESS_FLOOR = 4096;

    final Request request;
    final Agenda.Due due;
    ByteBuffer bytes;
    final long begunNanos;
    long sentNanos = -1;
    long firstByteNanos = -1;
    long headersNanos = -1;
    long firstAnswerNanos = -1;
    long promptTokens = -1;
    long cachedTokens = -1;
    long usageTokens = -1;
    /** Completion tokens by the running usage, where the server gives it with each chunk. */
    long countedTokens;
    boolean continuous;
    boolean retried;
    boolean over;
    /** What carries it by HTTP/1.1, once it was given a connection. */
    @Nullable
    Connection connection;
    /** What carries it by HTTP/2. */
    @Nullable
    Call call;
    final StringBuilder text = new StringBuilder(0);
    private long[] contentNanos;
    private int[] contentTokens;
    private int events;

    Exchange(Request request, ByteBuffer bytes, long begunNanos) {
        this(new Agenda.Due(request, History.EMPTY), bytes, begunNanos);
    }

    Exchange(Agenda.Due due, ByteBuffer bytes, long begunNanos) {
        this.due = due;
        this.request = due.request();
        this.bytes = bytes;
        this.begunNanos = begunNanos;
        int capacity = Math.min(request.outputTokens() + 1, FIRST_CAPACITY_LIMIT);
        contentNanos = new long[capacity];
        contentTokens = new int[capacity];
    }

    void content(long now, int tokens) {
        if (over) {
            return;
        }
        if (events == contentNanos.length) {
            contentNanos = Arrays.copyOf(contentNanos, events * 2);
            contentTokens = Arrays.copyOf(contentTokens, events * 2);
        }
        contentNanos[events] = now;
        contentTokens[events++] = tokens;
    }

    int events() {
        return events;
    }

    boolean endless() {
        return events > (long) ENDLESS_FACTOR * request.outputTokens() + ENDLESS_FLOOR;
    }

    RequestOutcome outcome(long now, Optional<FailureClass> failure, String detail) {
        long sum = 0;
        for (int i = 0; i < events; i++) {
            sum += contentTokens[i];
        }
        return new RequestOutcome(request, optional(sentNanos), optional(firstByteNanos),
                optional(headersNanos),
                optional(firstAnswerNanos), now,
                Arrays.copyOf(contentNanos, events), Arrays.copyOf(contentTokens, events),
                (int) (usageTokens >= 0 ? usageTokens : sum), usageTokens >= 0, optional(promptTokens),
                optional(cachedTokens), failure, detail, text.toString());
    }

    /** Gives up what a finished exchange holds, as it may stay in the queue of time limits for long. */
    void release() {
        contentNanos = NOTHING;
        contentTokens = NO_TOKENS;
        bytes = NO_BYTES;
    }

    private static OptionalLong optional(long value) {
        return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
