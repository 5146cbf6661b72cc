package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.model.KnownModels;
import dev.assay.model.ModelShape;
import dev.assay.forecast.arith.QuantFormat;
import dev.assay.workload.Request;
import dev.assay.workload.Slo;
import dev.assay.workload.TraceStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TwinStudyTest {
    private static final ModelShape SHAPE = KnownModels.named("llama-3.1-8b").shape();
    private static final Hardware H100 = HardwareTable.named("h100_sxm");
    private static final Slo SLO = Slo.parse("ttft:200,tpot:12");

    @TempDir
    Path temp;

    private static EngineSettings settings(int cap, int blockSize, boolean caching) {
        return new EngineSettings(cap, 2048, blockSize, Optional.of(20_000), QuantFormat.BF16,
                QuantFormat.BF16,
                caching ? Optional.of(true) : Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(),
                Optional.empty(), Optional.empty());
    }

    /** A Mooncake trace of Poisson arrivals; its times are whole milliseconds. */
    private Path trace(int requests, double rate, String blocks) throws IOException {
        SplittableRandom random = new SplittableRandom(4);
        List<String> lines = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < requests; i++) {
            at -= Math.log(1 - random.nextDouble()) / rate * 1000;
            lines.add(String.format(Locale.ROOT,
                    "{\"timestamp\": %d, \"input_length\": %d, \"output_length\": %d%s}",
                    (long) at, 1024, random.nextInt(10, 300), blocks));
        }
        return Files.write(temp.resolve("trace" + requests + ".jsonl"), lines);
    }

    private static TwinStudy.Result run(Path file, Optional<EngineSettings> candidate, int draws,
            Calibration calibration) {
        TwinStudy.Settings settings = new TwinStudy.Settings(SHAPE, calibration, candidate,
                LocalMeasurements.NONE,
                SLO, List.of(1.0), draws, 7);
        try (TraceStream rows = TraceStream.open(file)) {
            return TwinStudy.run(settings, TraceStream.facts(file), rows);
        }
    }

    /** The control is one replay that is given the whole schedule at once. */
    @Test
    void theEstimateIsThatOfTheWholeScheduleUnderTheCentralConstants() throws IOException {
        Path file = trace(1500, 12, "");
        EngineSettings settings = settings(32, 16, false);
        Calibration calibration = FirstPrinciples.calibration(SHAPE, settings, H100);
        TwinStudy.PointResult point = run(file, Optional.empty(), 0, calibration).points()
                .getFirst();
        List<Request> requests = new ArrayList<>();
        try (TraceStream rows = TraceStream.open(file)) {
            rows.forEachRemaining(
                    r -> requests.add(new Request(requests.size(), r.arrivalNanos(), "", r.inputTokens(),
                            r.outputTokens(), "default", Optional.empty())));
        }
        Schedule schedule = Schedule.of(requests);
        TwinRun whole = new Twin(settings.scheduler(schedule.longestTokens()),
                CostModel.calibrated(SHAPE, settings, calibration.constants()), 0, new double[0])
                .run(schedule, Long.MAX_VALUE, 1);
        Map<String, Double> control = MetricValues.of(whole, SLO);
        for (String name : List.of(MetricNames.TTFT_P50, MetricNames.TPOT_P50, MetricNames.TPOT_P95,
                MetricNames.DECODE_ROWS, MetricNames.STEP_TIME, MetricNames.GOOD_FRACTION)) {
            assertThat(Fixtures.at(point.baseline(), name).estimate()).as(name)
                    .isEqualTo(Fixtures.at(control, name));
        }
        assertThat(Fixtures.at(point.baseline(), MetricNames.DECODE_ROWS).estimate()).isGreaterThan(5);
    }

    @Test
    void drawsOfConstantsAndArrivalsWidenTheInterval() throws IOException {
        Path file = trace(3000, 12, "");
        EngineSettings settings = settings(64, 16, false);
        TwinStudy.Result result = run(file, Optional.of(settings(8, 16, false)), 15,
                FirstPrinciples.calibration(SHAPE, settings, H100));
        TwinStudy.PointResult point = result.points().getFirst();
        Quantity tpot = Fixtures.at(point.baseline(), MetricNames.TPOT_P50);
        assertThat(tpot.high() / tpot.low()).isBetween(1.2, 2.5);
        // A cap of 8 keeps steps small and lets requests wait, whatever the constants.
        Map<String, Quantity> ratio = point.ratio().orElseThrow();
        assertThat(Fixtures.at(ratio, MetricNames.TPOT_P50).high()).isLessThan(1);
        assertThat(Fixtures.at(ratio, MetricNames.TTFT_P50).low()).isGreaterThan(1);
        assertThat(point.candidateLimiter().orElseThrow().limiter()).isEqualTo(Limiter.BATCH_SLOTS);
        assertThat(result.simulatedRequests()).isBetween(2 * 16 * 2000L, 2 * 16 * 4000L);
    }

    /** Every prompt is the same two blocks, so all but the first request find all pages but the last token's. */
    @Test
    void equalBlocksAreFoundInThePrefixCache() throws IOException {
        Path file = trace(500, 2, ", \"hash_ids\": [7, 8]");
        EngineSettings settings = settings(32, 16, true);
        TwinStudy.PointResult point = run(file, Optional.of(settings(32, 64, true)), 0,
                FirstPrinciples.calibration(SHAPE, settings, H100)).points().getFirst();
        double found = 499.0 / 500;
        assertThat(Fixtures.at(point.baseline(), TwinMetrics.PREFIX_HITS).estimate())
                .isCloseTo(found * (1024 - 16) / 1024, within(1e-9));
        assertThat(Fixtures.at(point.candidate().orElseThrow(), TwinMetrics.PREFIX_HITS).estimate())
                .isCloseTo(found * (1024 - 64) / 1024, within(1e-9));
    }

    @Test
    void whatIsLongerThanThePoolIsRejectedAndNotGood() throws IOException {
        Path file = trace(200, 5, "");
        EngineSettings tiny = new EngineSettings(4, 2048, 16, Optional.of(68), QuantFormat.BF16,
                QuantFormat.BF16);
        TwinStudy.PointResult point = run(file, Optional.empty(), 0,
                FirstPrinciples.calibration(SHAPE, tiny, H100)).points().getFirst();
        double rejected = Fixtures.at(point.baseline(), TwinMetrics.REJECTED).estimate();
        assertThat(rejected).isBetween(100.0, 199.0);
        assertThat(Fixtures.at(point.baseline(), MetricNames.GOOD_FRACTION).estimate())
                .isLessThanOrEqualTo(1 - rejected / 200);
    }

    @Test
    void poolsAreTheBlocksOfTheMeasuredCard() {
        // Llama-3.1-8B on H100 at 0.9: 51.38 GiB for KV (llm-d-planner's table); the utilisation here is 0.92.
        int blocks = FirstPrinciples.kvBlocks(SHAPE, settings(256, 16, false), H100);
        double gib = blocks * 16.0 * 131_072 / (1L << 30);
        assertThat(gib).isBetween(51.4, 58.0);
        assertThatThrownBy(() -> FirstPrinciples.kvBlocks(KnownModels.named("llama-3.1-70b").shape(),
                settings(256, 16, false), H100)).isInstanceOf(AssayException.class)
                .hasMessageContaining("the weights take");
    }
}
