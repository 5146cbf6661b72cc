package dev.assay.load;

import dev.assay.workload.Request;

/**
 * How many connections an open loop makes before its first request: as many requests as fall due while a hiccup of the
 * client or the server lasts. Connecting costs more than sending, so at thousands of requests a second a loop that had
 * to connect for each of them would only fall further behind.
 */
final class ConnectionsAhead {
    private static final long HICCUP_NANOS = 20_000_000;
    private static final int LEAST = 2;
    private static final int MOST = 256;
    /** Requests that are looked at for their rate. */
    private static final int LOOK = 64;

    private ConnectionsAhead() {}

    /** Between 2 and 256, by the rate of the first requests. */
    static int of(Iterable<Request> schedule) {
        long first = 0;
        long last = 0;
        int seen = 0;
        for (Request request : schedule) {
            first = seen == 0 ? request.arrivalNanos() : first;
            last = request.arrivalNanos();
            seen++;
            if (seen == LOOK) {
                break;
            }
        }
        long due = (seen - 1) * HICCUP_NANOS / Math.max(1, last - first);
        return Math.clamp(due, LEAST, MOST);
    }
}
