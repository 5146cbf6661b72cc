package dev.assay.workload;

import dev.assay.AssayException;
import java.util.List;

/**
 * A trace's arrivals as one endless stretch at a chosen rate.
 *
 * @param first the head (by its number among the heads) that arrives first
 * @param fromNanos the moment of the recording at which the stretch begins
 * @param cycleNanos from one time around to the next: the recording and one mean gap
 * @param pace recorded nanoseconds in one nanosecond of the run
 */
record TracePattern(int first, double fromNanos, double cycleNanos, double pace) {

    /** A moment drawn evenly over the recording, which makes the expected number by time <i>t</i> rate times <i>t</i>. */
    static TracePattern of(Trace trace, TraceIndex index, Arrivals.Pattern wanted, long seed) {
        List<Trace.Row> rows = trace.rows();
        int[] heads = index.heads();
        int n = heads.length;
        double begin = n == 0 ? 0 : rows.get(heads[0]).arrivalNanos();
        double span = n == 0 ? 0 : rows.get(heads[n - 1]).arrivalNanos() - begin;
        if (n < 2 || !(span > 0)) {
            throw AssayException.misuse("the trace has " + n + " arrivals over " + span / 1e9
                    + " s; expected two or more at different times, or another kind of arrivals");
        }
        double cycle = span * n / (n - 1);
        double from = begin + Seeds.stream(seed, Seeds.ARRIVALS, 0).nextDouble() * cycle;
        int first = 0;
        while (first < n && rows.get(heads[first]).arrivalNanos() < from) {
            first++;
        }
        // Past the last row the first to come is that of the next time around.
        return new TracePattern(first % n, first == n ? from - cycle : from, cycle,
                wanted.ratePerS() * cycle / (n * 1e9));
    }

    /** When the row recorded then is due in this time around. */
    long at(long recordedNanos, long round) {
        return Math.round((recordedNanos + round * cycleNanos - fromNanos) / pace);
    }
}
