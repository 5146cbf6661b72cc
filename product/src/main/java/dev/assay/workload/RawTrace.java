package dev.assay.workload;

import dev.assay.AssayException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The usable rows of a trace file as they stand in it, line by line; the format is told by the first line. */
final class RawTrace implements AutoCloseable {
    /** What a file of requests is expected to be. */
    static final String WORKLOAD = "a preset (" + String.join(", ", WorkloadSpec.PRESETS.keySet())
            + ") or a trace or workload file";

    private final Path file;
    private final BufferedReader in;
    private final TraceRows format;
    private @Nullable String next;
    private int line = 1;

    /** A row with tokens in and out, and the line that it stands in. */
    record Numbered(TraceRows.Raw row, int line) {}

    private RawTrace(Path file, BufferedReader in) throws IOException {
        this.file = file;
        this.in = in;
        next = in.readLine();
        format = TraceRows.of(next == null ? "" : next, file + ":1");
        if (format.header()) {
            advance();
        }
    }

    /**
     * Opens a trace.
     *
     * @param expected what the message about a file that is not there asks for
     */
    static RawTrace open(Path file, String expected) {
        try {
            BufferedReader in = Files.newBufferedReader(file);
            try {
                return new RawTrace(file, in);
            } catch (IOException | RuntimeException e) {
                in.close();
                throw e;
            }
        } catch (IOException e) {
            throw fault(file, e, expected);
        }
    }

    /** What is wrong with a file that cannot be read as text. */
    static AssayException fault(Path file, IOException e, String expected) {
        if (e instanceof NoSuchFileException) {
            return AssayException.misuse(file + ": no such file; expected " + expected);
        }
        return e instanceof CharacterCodingException
                ? AssayException.misuse(file + ": expected text in UTF-8, found other bytes")
                : AssayException.environment(file + ": not readable: " + e.getMessage(), e);
    }

    /** What is wrong with a file that holds no usable row. */
    AssayException empty() {
        return AssayException.misuse(file + ": expected at least one row with tokens in and out, found none");
    }

    TraceRows format() {
        return format;
    }

    /** The next row that a request can be made of; empty at the end of the file. */
    Optional<Numbered> next() {
        try {
            for (String text = next; text != null; text = next) {
                int number = line;
                advance();
                if (!text.isBlank()) {
                    TraceRows.Raw row = format.row(text, file + ":" + number);
                    if (row.input() > 0 && row.output() > 0) {
                        return Optional.of(new Numbered(row, number));
                    }
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw fault(file, e, WORKLOAD);
        }
    }

    private void advance() throws IOException {
        next = in.readLine();
        line++;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw AssayException.environment(file + ": cannot be closed: " + e.getMessage(), e);
        }
    }
}
