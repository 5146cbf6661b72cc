package dev.assay.workload;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A recorded request trace: arrival, input and output length of each request.
 *
 * <p>Read line by line from the Azure LLM inference traces of 2023 (CSV: {@code TIMESTAMP,ContextTokens,GeneratedTokens})
 * and from Mooncake's traces of FAST'25 (JSON lines: {@code timestamp} in ms, {@code input_length},
 * {@code output_length}). A fault names the file, the line and what was expected. Rows without an input or output
 * token are left out, as no request can be made of them.
 */
public record Trace(String name, List<Row> rows) {
    private static final String AZURE_HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";

    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

    public Trace {
        rows = List.copyOf(rows);
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("the trace has no usable row; expected at least one");
        }
    }

    /**
     * One request of a trace.
     *
     * @param arrivalNanos from the first row
     */
    public record Row(long arrivalNanos, int inputTokens, int outputTokens) {}

    /** The trace in {@code file}, its format told by its first line. */
    public static Trace read(Path file) {
        List<Row> rows = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            String line = in.readLine();
            boolean azure = line != null && line.strip().equals(AZURE_HEADER);
            if (line == null || !azure && !line.startsWith("{")) {
                throw AssayException.misuse(file + ":1: expected the header " + AZURE_HEADER
                        + " (Azure) or a JSON object (Mooncake)");
            }
            long origin = Long.MIN_VALUE;
            int number = 1;
            for (line = azure ? in.readLine() : line; line != null; line = in.readLine(), number++) {
                String place = file + ":" + (azure ? number + 1 : number);
                if (!line.isBlank()) {
                    Row row = azure ? azure(line, place) : mooncake(line, place);
                    origin = origin == Long.MIN_VALUE ? row.arrivalNanos() : origin;
                    if (row.inputTokens() > 0 && row.outputTokens() > 0) {
                        rows.add(new Row(Math.max(0, row.arrivalNanos() - origin), row.inputTokens(),
                                row.outputTokens()));
                    }
                }
            }
        } catch (NoSuchFileException e) {
            throw AssayException.misuse(file + ": no such file; expected a preset (" + String.join(", ",
                    WorkloadSpec.PRESETS.keySet()) + ") or a trace file");
        } catch (IOException e) {
            throw AssayException.environment(file + ": not readable: " + e.getMessage(), e);
        }
        if (rows.isEmpty()) {
            throw AssayException
                    .misuse(file + ": expected at least one row with tokens in and out, found none");
        }
        return new Trace(String.valueOf(file.getFileName()), rows);
    }

    private static Row azure(String line, String place) {
        String[] cells = line.strip().split(",", -1);
        try {
            if (cells.length == 3) {
                LocalDateTime time = LocalDateTime.parse(cells[0].replace(' ', 'T'));
                return new Row(ChronoUnit.NANOS.between(EPOCH, time),
                        Integer.parseInt(cells[1]), Integer.parseInt(cells[2]));
            }
        } catch (DateTimeParseException | NumberFormatException e) {
            throw AssayException.misuse(place + ": expected " + AZURE_HEADER + ", found '" + line + "'");
        }
        throw AssayException.misuse(place + ": expected 3 columns, found " + cells.length);
    }

    private static Row mooncake(String line, String place) {
        JsonValue.Obj row = Json.parse(line, place).asObject();
        return new Row(Math.round(row.require("timestamp").asDouble() * 1e6),
                Math.toIntExact(row.require("input_length").asLong()),
                Math.toIntExact(row.require("output_length").asLong()));
    }
}
