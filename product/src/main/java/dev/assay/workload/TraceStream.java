package dev.assay.workload;

import dev.assay.AssayException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
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

    private record Held(TraceRows.Raw row, int line) {}

    private final Path file;
    private final BufferedReader in;
    private final TraceRows format;
    private final PriorityQueue<Held> window = new PriorityQueue<>(
            Comparator.comparingLong((Held h) -> h.row().nanos()).thenComparingInt(Held::line));
    private String next;
    private int line;
    private long origin = Long.MIN_VALUE;
    private long last = Long.MIN_VALUE;

    private TraceStream(Path file, BufferedReader in) throws IOException {
        this.file = file;
        this.in = in;
        String first = in.readLine();
        next = first == null ? "" : first;
        line = 1;
        format = TraceRows.of(next, file + ":1");
        if (format.header()) {
            advance();
        }
        fill();
        if (window.isEmpty()) {
            throw AssayException
                    .misuse(file + ": expected at least one row with tokens in and out, found none");
        }
    }

    /** Opens a trace; a fault of its first rows is told here. */
    public static TraceStream open(Path file) {
        try {
            BufferedReader in = Files.newBufferedReader(file);
            try {
                return new TraceStream(file, in);
            } catch (IOException | RuntimeException e) {
                in.close();
                throw e;
            }
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(file + ": no such file; expected a trace");
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Tokens of a hashed block, 0 where the format has none. */
    public int blockTokens() {
        return format.blockTokens();
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
        Held held = window.remove();
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
        try {
            while (window.size() < WINDOW && !END.equals(next)) {
                if (!next.isBlank()) {
                    TraceRows.Raw row = format.row(next, file + ":" + line);
                    if (row.input() > 0 && row.output() > 0) {
                        window.add(new Held(row, line));
                    }
                }
                advance();
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Stands for the end of the file; no line can hold a line break. */
    private static final String END = "\n";

    private void advance() throws IOException {
        String read = in.readLine();
        next = read == null ? END : read;
        line++;
    }

    private static AssayException unreadable(Path file, IOException e) {
        return e instanceof CharacterCodingException
                ? AssayException.misuse(file + ": expected text in UTF-8, found other bytes")
                : AssayException.environment(file + ": not readable: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be closed: " + e.getMessage(), e);
        }
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
