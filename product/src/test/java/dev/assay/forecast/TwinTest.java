package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.workload.Metrics;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TwinTest {
    private static final StepConstants LAW = new StepConstants(1.2e6, 2.4e6, 0.0117, 0.0121, 0.1, true);

    private static TwinRun run(EngineSettings settings, StepConstants law, List<Request> requests,
            double overhead) {
        Schedule schedule = Schedule.of(requests);
        return new Twin(settings.scheduler(schedule.longestTokens()),
                CostModel.calibrated(Fixtures.SHAPE, settings, law), overhead, new double[0])
                .run(schedule, Long.MAX_VALUE, 0);
    }

    /** The control is a plain loop that shares no code with scheduler or twin. */
    @ParameterizedTest(name = "cap {0}, budget {1}, rate {2}")
    @CsvSource({"8, 512, 4", "8, 512, 14", "32, 512, 20", "2, 512, 10", "8, 48, 12", "4, 16, 9"})
    void everyTokenComesWhenAPlainLoopSaysSo(int cap, int budget, double rate) {
        EngineSettings settings = new EngineSettings(cap, budget, 16, Optional.empty(),
                Fixtures.settings(8).weights(), Fixtures.settings(8).kv());
        StepConstants law = new StepConstants(1.2e6, 2.4e6, 0.0117, 0, 0.1, false);
        StepArithmetic a = new StepArithmetic(Fixtures.SHAPE, settings);
        SyntheticServer server = new SyntheticServer(cap, budget, (rows, prompts, kv) -> 3.6e6
                + rows * a.decodeFlops() * 0.0117 + kv * a.kvBytesPerToken() * 0.1, 5e5, 0, 0);
        List<Request> requests = Fixtures.schedule(rate, 5, 11);
        List<RequestOutcome> control = server.serve(requests, 0);
        TwinRun twin = run(settings, law, requests, 5e5);
        for (int i = 0; i < requests.size(); i++) {
            RequestOutcome o = twin.outcomes().get(i);
            assertThat(o.firstContentNanos().getAsLong()).as("first token of %d", i)
                    .isCloseTo(control.get(i).firstContentNanos().getAsLong(), within(5L));
            assertThat(o.endNanos()).isCloseTo(control.get(i).endNanos(), within(5L));
        }
    }

    /** Pollaczek-Khinchine for M/D/1: the mean wait is rho x D / (2 (1 - rho)). */
    @ParameterizedTest(name = "load {0}")
    @ValueSource(doubles = {0.3, 0.6, 0.8})
    void oneServerWithEqualRequestsWaitsAsMD1(double rho) {
        int tokens = 10;
        StepConstants constant = new StepConstants(1e6, 0, 0, 0, 0, false);
        double service = tokens * 1e6;
        SplittableRandom random = new SplittableRandom(5);
        List<Request> requests = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < 60_000; i++) {
            at -= Math.log(1 - random.nextDouble()) * service / rho;
            requests.add(new Request(i, Math.round(at), "", 5, tokens, "default", Optional.empty()));
        }
        TwinRun twin = run(Fixtures.settings(1), constant, requests, 0);
        double wait = twin.outcomes().stream()
                .mapToDouble(o -> o.firstContentNanos().getAsLong() - o.request().arrivalNanos() - 1e6)
                .average().orElseThrow();
        assertThat(wait).isCloseTo(rho * service / (2 * (1 - rho)), within(0.06 * service * rho / (1 - rho)));
    }

    @Test
    void littlesLawHolds() {
        TwinRun twin = run(Fixtures.settings(8), LAW, Fixtures.schedule(12, 200, 3), 0);
        double residence = twin.outcomes().stream()
                .mapToDouble(o -> o.endNanos() - o.request().arrivalNanos()).sum() / twin.endNanos();
        double inside = Fixtures.at(twin.telemetry(), TelemetryNames.RUNNING)
                + Fixtures.at(twin.telemetry(), TelemetryNames.WAITING);
        // A request that arrives within a step is counted from the next one on.
        assertThat(inside).isCloseTo(residence, within(0.08 * residence));
    }

    @Test
    void equalArgumentsGiveEqualRuns() {
        Schedule schedule = Schedule.of(Fixtures.schedule(12, 6, 3));
        Twin twin = new Twin(Fixtures.settings(8).scheduler(schedule.longestTokens()),
                CostModel.calibrated(Fixtures.SHAPE, Fixtures.settings(8), LAW), 1e5,
                new double[]{0.9, 1, 1.2});
        TwinRun one = twin.run(schedule, Long.MAX_VALUE, 77);
        TwinRun two = twin.run(schedule, Long.MAX_VALUE, 77);
        assertThat(one.telemetry()).isEqualTo(two.telemetry());
        assertThat(one.endNanos()).isEqualTo(two.endNanos())
                .isNotEqualTo(twin.run(schedule, Long.MAX_VALUE, 78)
                        .endNanos());
    }

    @Test
    void aSmallPoolPreemptsAndMakesRequestsSlower() {
        EngineSettings small = new EngineSettings(8, 512, 16, Optional.of(24), Fixtures.settings(8).weights(),
                Fixtures.settings(8).kv());
        List<Request> requests = Fixtures.schedule(14, 6, 3);
        TwinRun tight = run(small, LAW, requests, 0);
        TwinRun wide = run(Fixtures.settings(8), LAW, requests, 0);
        assertThat(Fixtures.at(tight.telemetry(), TelemetryNames.PREEMPTIONS)).isPositive();
        assertThat(tight.endNanos()).isGreaterThan(wide.endNanos());
        assertThat(tight.pagesPeak()).isLessThanOrEqualTo(24);
    }

    @Test
    void whatIsNotFinishedAtTheStopIsCancelled() {
        Schedule schedule = Schedule.of(Fixtures.schedule(14, 6, 3));
        TwinRun cut = new Twin(Fixtures.settings(2).scheduler(schedule.longestTokens()),
                CostModel.calibrated(Fixtures.SHAPE, Fixtures.settings(2), LAW), 0, new double[0])
                .run(schedule, 3_000_000_000L, 0);
        long done = cut.outcomes().stream().filter(RequestOutcome::completed).count();
        assertThat(done).isBetween(1L, schedule.requests().size() - 1L);
        assertThat(cut.outcomes().stream().filter(o -> !o.completed()).map(Metrics::perRequest)
                .allMatch(m -> m.ttftMs().isEmpty())).isTrue();
    }

    /** Single steps are the oracle of leaps: the same steps, so the same sums and times, bit for bit. */
    @ParameterizedTest(name = "cap {0}, pages {1}, rate {2}, jitter {3}")
    @CsvSource({"8, 4000, 12, false", "32, 4000, 25, true", "8, 30, 14, true", "3, 60, 9, false",
            "64, 80, 40, true"})
    void leapsGiveWhatSingleStepsGive(int cap, int pages, double rate, boolean jittered) {
        EngineSettings settings = new EngineSettings(cap, 512, 16, Optional.of(pages),
                Fixtures.settings(8).weights(), Fixtures.settings(8).kv());
        double[] jitter = jittered ? new double[]{0.8, 0.95, 1, 1.3} : new double[0];
        Schedule schedule = Schedule.of(Fixtures.schedule(rate, 30, 17));
        Twin twin = new Twin(settings.scheduler(schedule.longestTokens()),
                CostModel.calibrated(Fixtures.SHAPE, settings, LAW), 2e5, jitter);
        for (long stop : new long[]{Long.MAX_VALUE, 9_000_000_000L}) {
            TwinRun leaps = twin.run(schedule, stop, 5, true);
            TwinRun steps = twin.run(schedule, stop, 5, false);
            assertThat(leaps.telemetry()).isEqualTo(steps.telemetry());
            assertThat(leaps.counts()).isEqualTo(steps.counts());
            assertThat(leaps.flopsPerStep()).isEqualTo(steps.flopsPerStep());
            assertThat(leaps.endNanos()).isEqualTo(steps.endNanos());
            for (int i = 0; i < schedule.requests().size(); i++) {
                assertThat(leaps.tokens().count(i)).isEqualTo(steps.tokens().count(i));
                assertThat(leaps.tokens().first(i)).isEqualTo(steps.tokens().first(i));
                assertThat(leaps.tokens().last(i)).isEqualTo(steps.tokens().last(i));
            }
        }
    }

    /** Requests that come in pieces are replayed as those that are all there from the start. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64})
    void aReplayThatIsFedInPiecesIsTheSame(int piece) {
        Schedule schedule = Schedule.of(Fixtures.schedule(14, 30, 23));
        EngineSettings settings = Fixtures.settings(8);
        CostModel cost = CostModel.calibrated(Fixtures.SHAPE, settings, LAW);
        TwinRun whole = new Twin(settings.scheduler(schedule.longestTokens()), cost, 1e5,
                new double[]{0.9, 1.2}).run(schedule, Long.MAX_VALUE, 3);
        TwinRun.Tokens tokens = new TwinRun.Tokens(schedule.requests().size());
        Replay replay = new Replay(settings.scheduler(schedule.longestTokens()), cost, 1e5,
                new double[]{0.9, 1.2}, 3, true,
                (serial, _, first, last, n) -> tokens.put((int) serial, first, last, n));
        for (int i = 0; i < schedule.requests().size(); i++) {
            replay.offer(schedule.requests().get(i));
            if (i % piece == 0) {
                replay.run(true, Double.POSITIVE_INFINITY);
            }
        }
        replay.run(false, Double.POSITIVE_INFINITY);
        replay.close();
        assertThat(replay.telemetry()).isEqualTo(whole.telemetry());
        for (int i = 0; i < schedule.requests().size(); i++) {
            assertThat(tokens.last(i)).as("request %d", i).isEqualTo(whole.tokens().last(i)).isPositive();
        }
    }
}
