package dev.assay.forecast;

import dev.assay.scheduler.SchedulerCounts;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a replay gave.
 *
 * @param tokens when each request's tokens came
 * @param endNanos the virtual clock at its end
 * @param counts of the scheduler
 * @param pagesPeak the most pages in use
 * @param telemetry what the embedded engine would report, by {@link TelemetryNames}
 * @param flopsPerStep mean operations of a step
 */
record TwinRun(Schedule schedule, Tokens tokens, long endNanos, SchedulerCounts counts, int pagesPeak,
        Map<String, Double> telemetry, double flopsPerStep) {

    /** First and last token of each request; a count of 0 means that none came. */
    static final class Tokens {
        private final long[] first;
        private final long[] last;
        private final int[] count;

        Tokens(int requests) {
            first = new long[requests];
            last = new long[requests];
            count = new int[requests];
        }

        void put(int request, long firstNanos, long lastNanos, int tokens) {
            first[request] = firstNanos;
            last[request] = lastNanos;
            count[request] = tokens;
        }

        long first(int request) {
            return first[request];
        }

        long last(int request) {
            return last[request];
        }

        int count(int request) {
            return count[request];
        }
    }

    /** The replay as a client would have recorded it, so that one definition of the metrics serves both. */
    List<RequestOutcome> outcomes() {
        List<RequestOutcome> outcomes = new ArrayList<>(schedule.requests().size());
        for (int i = 0; i < schedule.requests().size(); i++) {
            outcomes.add(outcome(i));
        }
        return outcomes;
    }

    private RequestOutcome outcome(int i) {
        return outcome(schedule.requests().get(i), tokens.first(i), tokens.last(i), tokens.count(i),
                endNanos);
    }

    /** One request as a client would have recorded it; a {@code count} of 0 means that no token came. */
    static RequestOutcome outcome(Request request, long firstNanos, long lastNanos, int count,
            long endNanos) {
        boolean done = count == request.outputTokens();
        boolean pair = done && count > 1;
        long[] at = count == 0
                ? new long[0]
                : pair ? new long[]{firstNanos, lastNanos} : new long[]{firstNanos};
        int[] carried = count == 0 ? new int[0] : pair ? new int[]{1, count - 1} : new int[]{count};
        OptionalLong first = count == 0 ? OptionalLong.empty() : OptionalLong.of(firstNanos);
        return new RequestOutcome(request, OptionalLong.of(request.arrivalNanos()), first, first, first,
                done ? lastNanos : endNanos, at, carried, count, true,
                OptionalLong.of(request.promptTokens()),
                OptionalLong.empty(), done ? Optional.empty() : Optional.of(FailureClass.CANCELLED),
                done ? "" : "not finished when the slot ended", "");
    }
}
