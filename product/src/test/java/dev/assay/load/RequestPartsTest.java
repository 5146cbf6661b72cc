package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workload.Metrics;
import dev.assay.workload.Outcomes;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPartsTest {
    private static final int CHUNK = 100;
    private static final int PART = 6;

    @TempDir
    Path dir;

    /** Below one chunk, a few chunks, one part to the chunk, parts and a rest. */
    @ParameterizedTest
    @CsvSource({"3,1", "240,1", "600,1", "660,2"})
    void whatWasAddedIsReadBack(int requests, int files) throws Exception {
        try (RequestParts parts = new RequestParts(dir, CHUNK, PART)) {
            for (int i = 0; i < requests; i++) {
                parts.add(Outcomes.completed(i ^ 1, i, i + 5, i + 6));
            }
            parts.finish();
        }
        List<Path> written = written();
        assertThat(written).hasSize(files);
        List<Integer> ids = new ArrayList<>();
        for (Path file : written) {
            RequestLog.read(file).forEach(o -> ids.add(o.request().id()));
        }
        assertThat(ids).isSorted().hasSize(requests).doesNotHaveDuplicates();
    }

    @Test
    void newRunReplacesTheOldOne() throws Exception {
        try (RequestParts parts = new RequestParts(dir, CHUNK, PART)) {
            for (int i = 0; i < 620; i++) {
                parts.add(Outcomes.completed(i, i, i + 5));
            }
            parts.finish();
        }
        try (RequestParts parts = new RequestParts(dir)) {
            parts.add(Outcomes.completed(0, 0, 5));
            parts.finish();
        }
        assertThat(written()).containsExactly(dir.resolve("requests.parquet"));
    }

    /** The sample of a long run is every k-th request, k a power of two, and the metrics hold all of them. */
    @Test
    void recorderKeepsASampleAndMeasuresAll() {
        Recorder recorder = new Recorder(Metrics.accumulator(Map.of("default", Slo.none())),
                Optional.empty());
        int n = 100_000;
        for (int i = 0; i < n; i++) {
            recorder.accept(Outcomes.completed(i, i, i + 5, i + 6));
        }
        LoadRun run = recorder.of(new LoadRun(0, 1, List.of(), new LoadRun.ClientHealth(0, 0, 0, 1, 1, 0)));
        assertThat(run.weight()).isEqualTo(8);
        assertThat(run.outcomes()).extracting(RequestOutcome::request).extracting(r -> r.id() % 8)
                .containsOnly(0);
        assertThat(run.outcomes()).hasSize(n / 8);
    }

    private List<Path> written() throws Exception {
        try (Stream<Path> all = Files.walk(dir)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
