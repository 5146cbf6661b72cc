package dev.assay.workload;

/** How long a schedule is. */
public sealed interface Extent {
    /** A number of requests. */
    record Count(int requests) implements Extent {
        public Count {
            if (requests < 1) {
                throw new IllegalArgumentException("requests is " + requests + "; expected 1 or more");
            }
        }
    }

    /** All arrivals before this time, in nanoseconds. */
    record Lasting(long nanos) implements Extent {
        public Lasting {
            if (nanos < 1) {
                throw new IllegalArgumentException("duration is " + nanos + " ns; expected more than 0");
            }
        }
    }
}
