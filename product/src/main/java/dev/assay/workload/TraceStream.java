package dev.assay.workload;

import dev.assay.AssayException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;

/**
 * The rows of a trace file by arrival, read while they are asked for, so that a trace of any length takes the same
 * memory. The formats are those of {@link Trace}; each request stands for itself (which one it follows is not told).
 * Times may go backwards within {@value #WINDOW} rows; farther is a fault that names the line.
 */
public final class TraceStream implements Iterator<Trace.Row>, AutoCloseable {
    /** So many rows are read ahead and put in order. */
    static final int WINDOW = 1024;

    private final Path file;
    private final RawTrace in;
    private final PriorityQueue<RawTrace.Numbered> window = new PriorityQueue<>(
            Comparator.comparingLong((RawTrace.Numbered h) -> h.row().nanos())
                    .thenComparingInt(RawTrace.Numbered::line));
    private boolean atEnd;
    private long origin = Long.MIN_VALUE;
    private long last = Long.MIN_VALUE;

    private TraceStream(Path file, RawTrace in) {
        this.file = file;
        this.in = in;
        fill();
        if (window.isEmpty()) {
            throw in.empty();
        }
    }

    /** Opens a trace; a fault of its first rows is told here. */
    public static TraceStream open(Path file) {
        RawTrace in = RawTrace.open(file, "a trace");
        try {
            return new TraceStream(file, in);
        } catch (RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /** Tokens of a hashed block, 0 where the format has none. */
    public int blockTokens() {
        return in.format().blockTokens();
    }

    @Override
    public boolean hasNext() {
        return !window.isEmpty();
    }

    /** The next row, its time counted from the first one. */
    @Override
    public Trace.Row next() {
        if (window.isEmpty()) {
            throw new NoSuchElementException("the trace is at its end");
        }
        RawTrace.Numbered held = window.remove();
        TraceRows.Raw row = held.row();
        if (origin == Long.MIN_VALUE) {
            origin = row.nanos();
            last = origin;
        }
        if (row.nanos() < last) {
            throw AssayException.misuse(file + ":" + held.line() + ": arrives " + (last - row.nanos()) / 1e9
                    + " s before a row more than " + WINDOW
                    + " lines ahead of it; expected rows near the order of time");
        }
        last = row.nanos();
        fill();
        return new Trace.Row(row.nanos() - origin, row.input(), row.output(), row.blocks(),
                OptionalInt.empty(), 0);
    }

    private void fill() {
        while (window.size() < WINDOW && !atEnd) {
            Optional<RawTrace.Numbered> row = in.next();
            row.ifPresent(window::add);
            atEnd = row.isEmpty();
        }
    }

    @Override
    public void close() {
        in.close();
    }

    /**
     * What a whole trace holds.
     *
     * @param requests rows with tokens in and out
     * @param seconds from the first arrival to the last
     * @param longestTokens of the longest request, input and output
     * @param longestGapS the longest time without an arrival
     */
    public record Facts(long requests, double seconds, double meanInput, double meanOutput, int longestTokens,
            double longestGapS) {
        /** Requests per second, empty of meaning (0) for a single one. */
        public double rps() {
            return seconds > 0 ? (requests - 1) / seconds : 0;
        }
    }

    /** Reads a trace through once. */
    public static Facts facts(Path file) {
        try (TraceStream rows = open(file)) {
            long n = 0;
            long input = 0;
            long output = 0;
            int longest = 0;
            long gap = 0;
            long at = 0;
            while (rows.hasNext()) {
                Trace.Row row = rows.next();
                n++;
                input += row.inputTokens();
                output += row.outputTokens();
                longest = Math.max(longest, row.inputTokens() + row.outputTokens());
                gap = Math.max(gap, row.arrivalNanos() - at);
                at = row.arrivalNanos();
            }
            return new Facts(n, at / 1e9, input / (double) n, output / (double) n, longest, gap / 1e9);
        }
    }
}
