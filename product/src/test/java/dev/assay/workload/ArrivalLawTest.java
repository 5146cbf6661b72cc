package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws without a rate, and a trace's own arrivals at a rate of choice. */
class ArrivalLawTest {
    private static final int ROWS = 500;

    @TempDir
    Path dir;

    /** Arrivals in bursts of five, 1 ms apart, at random moments; a row's prompt tokens tell its number. */
    private WorkloadSpec bursts() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder rows = new StringBuilder("TIMESTAMP,ContextTokens,GeneratedTokens\n");
        double at = 0;
        for (int i = 0; i < ROWS; i++) {
            at += i % 5 == 0 ? 0.2 + random.nextDouble() : 0.001;
            long ms = Math.round(at * 1000);
            rows.append(String.format("2024-05-12 00:%02d:%02d.%03d000,%d,2%n", ms / 60_000, ms / 1000 % 60,
                    ms % 1000, 10 + i));
        }
        return WorkloadSpec.presetOrFile(Files.writeString(dir.resolve("bursts.csv"), rows).toString());
    }

    private static List<Request> requests(WorkloadSpec spec, double rate, Extent extent, long seed) {
        return spec.schedule(new ArrivalLaw.Trace().at(rate), extent, seed, Calibration.ASSUMED);
    }

    /** Each gap is that of the recording between the same two rows, all divided by the same number. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void gapsAreTheRecordingsOwn(long seed) throws IOException {
        WorkloadSpec spec = bursts();
        List<Trace.Row> rows = ((WorkloadSpec.Content.Traced) spec.content()).trace().rows();
        double span = rows.getLast().arrivalNanos() - rows.getFirst().arrivalNanos();
        double recorded = (ROWS - 1) * 1e9 / span;
        List<Request> made = requests(spec, 20, new Extent.Count(3 * ROWS), seed);
        for (int i = 1; i < made.size(); i++) {
            int row = made.get(i).promptTokens() - 10;
            assertThat(made.get(i - 1).promptTokens() - 10).isEqualTo((row + ROWS - 1) % ROWS);
            double gap = row == 0
                    ? span / (ROWS - 1)
                    : rows.get(row).arrivalNanos() - rows.get(row - 1).arrivalNanos();
            assertThat((double) made.get(i).arrivalNanos() - made.get(i - 1).arrivalNanos())
                    .isCloseTo(gap * recorded / 20, within(2.0));
        }
        assertThat(made.getFirst().arrivalNanos()).isNotNegative();
    }

    /** A moment drawn evenly has rate times time arrivals in the mean; a row drawn evenly would have five times a burst. */
    @Test
    void theRateHoldsFromTheStart() throws IOException {
        WorkloadSpec spec = bursts();
        double mean = LongStream.range(0, 2000)
                .mapToInt(seed -> requests(spec, 20, new Extent.Lasting(500_000_000), seed).size()).average()
                .orElseThrow();
        assertThat(mean).isCloseTo(10, within(0.6));
    }

    @Test
    void theSeedDecidesAlone() throws IOException {
        WorkloadSpec spec = bursts();
        assertThat(requests(spec, 4, new Extent.Count(50), 7))
                .isEqualTo(requests(spec, 4, new Extent.Count(50), 7));
        assertThat(requests(spec, 4, new Extent.Count(50), 7).getFirst().promptTokens())
                .isNotEqualTo(requests(spec, 4, new Extent.Count(50), 8).getFirst().promptTokens());
    }

    @Test
    void whatRecordsNoArrivalsIsRefused() throws IOException {
        Path one = Files.writeString(dir.resolve("one.csv"),
                "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-12 00:00:01,30,3\n");
        WorkloadSpec single = WorkloadSpec.presetOrFile(one.toString());
        assertThatThrownBy(() -> requests(single, 1, new Extent.Count(2), 1))
                .isInstanceOf(AssayException.class).hasMessageContaining("1 arrivals over 0.0 s");
        assertThatThrownBy(() -> requests(WorkloadSpec.presetOrFile("chat"), 1, new Extent.Count(2), 1))
                .isInstanceOf(AssayException.class).hasMessageContaining("no recorded arrivals to stretch");
    }

    @ParameterizedTest
    @CsvSource({"0.05,447 %", "0.5,141 %", "1,100 %", "4,50 %"})
    void gammaSaysHowFarGapsVary(double burstiness, String words) {
        assertThat(new ArrivalLaw.Gamma(burstiness).words()).contains(words);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 0.04, 101, Double.NaN})
    void burstinessHasBounds(double burstiness) {
        assertThatThrownBy(() -> new ArrivalLaw.Gamma(burstiness))
                .hasMessage("burstiness is " + burstiness + "; expected 0.05 to 100");
    }
}
