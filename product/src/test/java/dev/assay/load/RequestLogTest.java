package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.workload.FailureClass;
import dev.assay.workload.Outcomes;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Turn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestLogTest {
    @TempDir
    Path dir;

    private static List<RequestOutcome> sample() {
        RequestOutcome full = new RequestOutcome(
                new Request(2, 5, "p 'q'\n\"é", 3, 4, "chat",
                        Optional.of(new Turn("c1", 1, OptionalInt.of(0), 250))),
                OptionalLong.of(7),
                OptionalLong.of(8), OptionalLong.of(8), OptionalLong.of(1L << 60),
                Long.MAX_VALUE, new long[]{9, 1L << 60}, new int[]{1, 3}, 4, true, OptionalLong.of(11),
                OptionalLong.of(0),
                Optional.empty(), "", "text\u0000é");
        return List.of(Outcomes.completed(0, 10, 20, 30), Outcomes.failed(1, 10, FailureClass.HTTP_5XX),
                full);
    }

    @Test
    void whatIsReadIsWhatWasWritten() {
        Path file = dir.resolve("it's.parquet");
        RequestLog.write(file, sample());
        // Arrays have no equals: recursive comparison looks into them.
        assertThat(RequestLog.read(file)).usingRecursiveComparison().isEqualTo(sample());
        assertThat(dir.toFile().list()).containsExactly("it's.parquet");
        RequestLog.write(file, sample().subList(0, 1));
        assertThat(RequestLog.read(file)).hasSize(1);
    }

    @Test
    void otherReadersCanUseItsColumns() throws Exception {
        Path file = dir.resolve("r.parquet");
        RequestLog.write(file, sample());
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement();
                ResultSet row = sql.executeQuery("SELECT count(*), count(failure), sum(len(content_ns)),"
                        + " min((content_ns[1] - scheduled_ns) / 1e6) FROM '" + file + "'")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getLong(1)).isEqualTo(3);
            assertThat(row.getLong(2)).isEqualTo(1);
            assertThat(row.getLong(3)).isEqualTo(4);
            assertThat(row.getDouble(4)).isEqualTo(4e-6);
        }
    }

    @Test
    void anotherFileIsAFaultOfOneLine() throws Exception {
        Path file = Files.writeString(dir.resolve("x.parquet"), "no parquet");
        assertThatThrownBy(() -> RequestLog.read(file))
                .hasMessageContaining("x.parquet: not a file of request records")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> RequestLog.write(dir.resolve("none/x.parquet"), sample()))
                .hasMessageContaining("request records not written");
    }
}
