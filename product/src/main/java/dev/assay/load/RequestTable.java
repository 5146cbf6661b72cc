package dev.assay.load;

import dev.assay.AssayException;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Turn;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A database in memory through which request records become Parquet files, any number of them: opening one costs as much
 * as writing a thousand records. A file is written under another name, forced to the disk, then renamed.
 */
final class RequestTable implements AutoCloseable {
    private static final String MERGE_MEMORY = "512MB";

    private final Connection db;

    /** Opens it; an environment fault where the database cannot be loaded. */
    RequestTable() {
        try {
            db = DriverManager.getConnection("jdbc:duckdb:");
            try (Statement sql = db.createStatement()) {
                // It runs beside a measurement: one core at most.
                sql.execute("SET threads = 1");
            }
        } catch (SQLException e) {
            throw AssayException.environment("request records: " + RequestLog.firstLine(e), e);
        }
    }

    /** Writes the records; an existing file is replaced in one step. */
    void write(Path file, List<RequestOutcome> outcomes) {
        try (Statement sql = db.createStatement()) {
            sql.execute("CREATE OR REPLACE TABLE requests (" + RequestLog.COLUMNS + ")");
            try (DuckDBAppender rows = db.unwrap(DuckDBConnection.class).createAppender("requests")) {
                for (RequestOutcome outcome : outcomes) {
                    append(rows, outcome);
                }
            }
            copy(sql, "requests", file);
            sql.execute("DROP TABLE requests");
        } catch (SQLException | IOException e) {
            throw AssayException.environment(
                    file + ": request records not written: " + RequestLog.firstLine(e), e);
        }
    }

    /** Joins files that {@link #write} wrote into one; the files stay. */
    void merge(List<Path> files, Path file) {
        String all = files.stream().map(f -> "'" + RequestLog.quoted(f) + "'")
                .collect(Collectors.joining(", "));
        try (Statement sql = db.createStatement()) {
            sql.execute("SET memory_limit = '" + MERGE_MEMORY + "'");
            copy(sql, "read_parquet([" + all + "])", file);
        } catch (SQLException | IOException e) {
            throw AssayException.environment(
                    file + ": request records not joined: " + RequestLog.firstLine(e), e);
        }
    }

    private static void copy(Statement sql, String from, Path file) throws SQLException, IOException {
        Path target = file.toAbsolutePath();
        Path part = target.resolveSibling(target.getFileName() + ".part");
        sql.execute("COPY (SELECT * FROM " + from + " ORDER BY id) TO '" + RequestLog.quoted(part)
                + "' (FORMAT parquet, COMPRESSION zstd)");
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory(target);
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

    @Override
    public void close() {
        try {
            db.close();
        } catch (SQLException e) {
            // The files are written: nothing is lost with a database in memory that does not even close.
            return;
        }
    }
}
