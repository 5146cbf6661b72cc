package dev.assay.workload;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One iteration over a schedule: sessions meet arrival times and become requests with ids and texts. */
final class Walk implements Iterator<Request> {
    private final Session.Source source;
    private final Arrivals arrivals;
    private final Arrivals.@Nullable Times times;
    private final Extent extent;
    private final long seed;
    private final Calibration calibration;
    private @Nullable Session session;
    private long at;
    private int firstId;
    private int id;
    private boolean ended;

    Walk(Session.Source source, Arrivals arrivals, Extent extent, long seed, Calibration calibration) {
        this.source = source;
        this.arrivals = arrivals;
        this.times = arrivals.recorded() ? null : arrivals.times(seed);
        this.extent = extent;
        this.seed = seed;
        this.calibration = calibration;
    }

    @Override
    public boolean hasNext() {
        if (ended || id == Integer.MAX_VALUE || extent instanceof Extent.Count c && id >= c.requests()) {
            return false;
        }
        if (session == null || id - firstId >= session.turns().size()) {
            advance();
        }
        return !ended;
    }

    /** The next session with its arrival; none once the process, the trace or the time has ended. */
    private void advance() {
        long next = times == null ? 0 : times.nextNanos();
        if (next == Arrivals.Times.END || past(next)) {
            ended = true;
            return;
        }
        Optional<Session> found = source.next(id);
        if (found.isPresent() && times == null) {
            long recorded = found.get().recordedNanos();
            next = arrivals instanceof Arrivals.Replay replay ? replay.at(recorded) : recorded;
        }
        ended = found.isEmpty() || past(next);
        session = found.orElse(null);
        at = next;
        firstId = id;
    }

    private boolean past(long nanos) {
        return arrivals.openLoop() && extent instanceof Extent.Lasting l && nanos >= l.nanos();
    }

    @Override
    public Request next() {
        if (!hasNext() || session == null) {
            throw new NoSuchElementException("the schedule has ended");
        }
        int number = id - firstId;
        Session.Draft draft = session.turns().get(number);
        Optional<Turn> turn = session.turns().size() == 1
                ? Optional.empty()
                : Optional.of(new Turn("c" + firstId, number,
                        number == 0 ? OptionalInt.empty() : OptionalInt.of(id - 1), draft.thinkNanos()));
        Request request = new Request(id, at, draft.plan().text(seed, id, calibration), draft.promptTokens(),
                draft.outputTokens(), session.requestClass(), turn);
        id++;
        return request;
    }
}
