package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Turn;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * The per-request records of a run as a Parquet file, one row a request; times are nanoseconds from the run's start.
 * What did not happen is null. Written under another name, forced to the disk, then renamed.
 */
public final class RequestLog {
    private static final String COLUMNS = """
            id INTEGER, scheduled_ns BIGINT, sent_ns BIGINT, first_byte_ns BIGINT, end_ns BIGINT,
            content_ns BIGINT[], content_tokens INTEGER[], output_tokens INTEGER, usage_reported BOOLEAN,
            prompt_tokens BIGINT, cached_tokens BIGINT, failure VARCHAR, detail VARCHAR,
            requested_prompt_tokens INTEGER, requested_output_tokens INTEGER, request_class VARCHAR,
            conversation VARCHAR, prompt VARCHAR, output_text VARCHAR, headers_ns BIGINT, first_answer_ns BIGINT,
            turn INTEGER, after INTEGER, think_ns BIGINT""";

    private static final String MERGE_MEMORY = "512MB";
    /** It runs beside a measurement. */
    private static final String ONE_CORE = "SET threads = 1";

    private RequestLog() {}

    /** Writes the records; an existing file is replaced in one step. */
    public static void write(Path file, List<RequestOutcome> outcomes) {
        Path target = file.toAbsolutePath();
        Path part = target.resolveSibling(target.getFileName() + ".part");
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute(ONE_CORE);
            sql.execute("CREATE TABLE requests (" + COLUMNS + ")");
            try (DuckDBAppender rows = db.unwrap(DuckDBConnection.class).createAppender("requests")) {
                for (RequestOutcome outcome : outcomes) {
                    append(rows, outcome);
                }
            }
            copy(sql, "requests", part);
            replace(part, target);
        } catch (SQLException | IOException e) {
            throw AssayException.environment(file + ": request records not written: " + firstLine(e), e);
        }
    }

    /** Joins files that {@link #write} wrote into one; the files stay. */
    static void merge(List<Path> files, Path file) {
        Path target = file.toAbsolutePath();
        Path part = target.resolveSibling(target.getFileName() + ".part");
        String all = files.stream().map(f -> "'" + quoted(f) + "'").collect(Collectors.joining(", "));
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute(ONE_CORE);
            sql.execute("SET memory_limit = '" + MERGE_MEMORY + "'");
            copy(sql, "read_parquet([" + all + "])", part);
            replace(part, target);
        } catch (SQLException | IOException e) {
            throw AssayException.environment(file + ": request records not joined: " + firstLine(e), e);
        }
    }

    private static void copy(Statement sql, String from, Path to) throws SQLException {
        sql.execute("COPY (SELECT * FROM " + from + " ORDER BY id) TO '" + quoted(to)
                + "' (FORMAT parquet, COMPRESSION zstd)");
    }

    private static void replace(Path part, Path target) throws IOException {
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory(target);
    }

    /** Reads what {@link #write} wrote; an evidence fault where the file is another. */
    public static List<RequestOutcome> read(Path file) {
        List<RequestOutcome> outcomes = new ArrayList<>();
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute("CREATE TABLE requests (" + COLUMNS + ")");
            try (ResultSet row = sql.executeQuery(select(file))) {
                while (row.next()) {
                    outcomes.add(outcome(row));
                }
            }
        } catch (SQLException | IllegalArgumentException e) {
            throw AssayException.evidence(file + ": not a file of request records: " + firstLine(e));
        }
        return List.copyOf(outcomes);
    }

    /** Files of Assay 0.1 lack the columns from headers_ns on; the empty table adds them, as null. */
    private static String select(Path file) {
        return "SELECT * FROM (SELECT * FROM read_parquet('" + quoted(file)
                + "') UNION ALL BY NAME SELECT * FROM requests) ORDER BY id";
    }

    private static void append(DuckDBAppender rows, RequestOutcome o) throws SQLException {
        Request r = o.request();
        rows.beginRow().append(r.id()).append(r.arrivalNanos());
        append(rows, o.sentNanos());
        append(rows, o.firstByteNanos());
        rows.append(o.endNanos()).append(o.contentNanos()).append(o.contentTokens()).append(o.outputTokens())
                .append(o.usageReported());
        append(rows, o.promptTokens());
        append(rows, o.cachedTokens());
        append(rows, o.failure().map(f -> f.name().toLowerCase(Locale.ROOT)));
        rows.append(o.detail()).append(r.promptTokens()).append(r.outputTokens()).append(r.requestClass());
        append(rows, r.turn().map(Turn::conversation));
        rows.append(r.prompt()).append(o.text());
        append(rows, o.headersNanos());
        append(rows, o.firstAnswerNanos());
        if (r.turn().isPresent()) {
            Turn turn = r.turn().get();
            rows.append(turn.number());
            append(rows, turn.after());
            rows.append(turn.thinkNanos());
        } else {
            rows.appendNull().appendNull().appendNull();
        }
        rows.endRow();
    }

    private static void append(DuckDBAppender rows, OptionalLong value) throws SQLException {
        if (value.isPresent()) {
            rows.append(value.getAsLong());
        } else {
            rows.appendNull();
        }
    }

    private static void append(DuckDBAppender rows, OptionalInt value) throws SQLException {
        if (value.isPresent()) {
            rows.append(value.getAsInt());
        } else {
            rows.appendNull();
        }
    }

    private static void append(DuckDBAppender rows, Optional<String> value) throws SQLException {
        if (value.isPresent()) {
            rows.append(value.get());
        } else {
            rows.appendNull();
        }
    }

    private static RequestOutcome outcome(ResultSet row) throws SQLException {
        Request request = new Request(row.getInt("id"), row.getLong("scheduled_ns"), row.getString("prompt"),
                row.getInt("requested_prompt_tokens"), row.getInt("requested_output_tokens"),
                row.getString("request_class"), turn(row));
        Object[] nanos = list(row, "content_ns");
        Object[] tokens = list(row, "content_tokens");
        long[] contentNanos = new long[nanos.length];
        int[] contentTokens = new int[tokens.length];
        for (int i = 0; i < nanos.length; i++) {
            contentNanos[i] = ((Number) nanos[i]).longValue();
            contentTokens[i] = ((Number) tokens[i]).intValue();
        }
        Optional<FailureClass> failure = Optional.ofNullable(row.getString("failure"))
                .map(name -> FailureClass.valueOf(name.toUpperCase(Locale.ROOT)));
        return new RequestOutcome(request, number(row, "sent_ns"), number(row, "first_byte_ns"),
                number(row, "headers_ns"), number(row, "first_answer_ns"),
                row.getLong("end_ns"),
                contentNanos, contentTokens, row.getInt("output_tokens"), row.getBoolean("usage_reported"),
                number(row, "prompt_tokens"), number(row, "cached_tokens"), failure, row.getString("detail"),
                row.getString("output_text"));
    }

    private static Optional<Turn> turn(ResultSet row) throws SQLException {
        String conversation = row.getString("conversation");
        if (conversation == null) {
            return Optional.empty();
        }
        OptionalLong after = number(row, "after");
        return Optional.of(new Turn(conversation, row.getInt("turn"),
                after.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) after.getAsLong()),
                row.getLong("think_ns")));
    }

    private static Object[] list(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return (Object[]) array.getArray();
    }

    private static OptionalLong number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static String quoted(Path file) {
        return file.toString().replace("'", "''");
    }

    private static void forceDirectory(Path file) {
        Path directory = file.getParent();
        if (directory != null) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            } catch (IOException e) {
                // Not every system opens a directory; there the rename alone has to do.
                return;
            }
        }
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
    }
}
