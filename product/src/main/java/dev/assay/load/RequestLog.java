package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Turn;
import java.nio.file.Path;
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

/**
 * The per-request records of a run as a Parquet file, one row a request; times are nanoseconds from the run's start.
 * What did not happen is null.
 */
public final class RequestLog {
    static final String COLUMNS = """
            id INTEGER, scheduled_ns BIGINT, sent_ns BIGINT, first_byte_ns BIGINT, end_ns BIGINT,
            content_ns BIGINT[], content_tokens INTEGER[], output_tokens INTEGER, usage_reported BOOLEAN,
            prompt_tokens BIGINT, cached_tokens BIGINT, failure VARCHAR, detail VARCHAR,
            requested_prompt_tokens INTEGER, requested_output_tokens INTEGER, request_class VARCHAR,
            conversation VARCHAR, prompt VARCHAR, output_text VARCHAR, headers_ns BIGINT, first_answer_ns BIGINT,
            turn INTEGER, after INTEGER, think_ns BIGINT""";

    private RequestLog() {}

    /** Writes the records; an existing file is replaced in one step. */
    public static void write(Path file, List<RequestOutcome> outcomes) {
        try (RequestTable table = new RequestTable()) {
            table.write(file, outcomes);
        }
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

    static String quoted(Path file) {
        return file.toString().replace("'", "''");
    }

    static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
    }
}
