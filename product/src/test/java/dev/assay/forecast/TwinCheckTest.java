package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TwinCheckTest {
    private static final Slo SLO = Slo.parse("ttft:120,tpot:9");

    /** The control is a plain loop that shares no code with scheduler or twin, with a cost of its own. */
    @Test
    void aSlotThatFollowsTheLawIsReplayedAsItWas() {
        EngineSettings settings = Fixtures.settings(8);
        StepConstants law = new StepConstants(1.2e6, 2.4e6, 0.0117, 0, 0.1, false);
        StepArithmetic a = new StepArithmetic(Fixtures.SHAPE, settings);
        SyntheticServer server = new SyntheticServer(8, 512, (rows, prompts, kv) -> 3.6e6
                + rows * a.decodeFlops() * 0.0117 + kv * a.kvBytesPerToken() * 0.1, 5e5, 0, 0);
        List<RequestOutcome> slot = server.serve(Fixtures.schedule(12, 20, 31), 0);
        Calibration calibration = new Calibration(settings, law, Map.of(), List.of(), List.of(law), 5e5, 0,
                .02,
                List.of(), Map.of(), Map.of(), new Calibration.Lengths(0, 1),
                new Calibration.Region(8, 1, 20, 256, 384),
                100, "made up", List.of());
        Map<String, Double> twin = TwinCheck.replayed(Fixtures.SHAPE, calibration, settings,
                LocalMeasurements.NONE, slot,
                SLO);
        Map<String, Double> observed = TwinCheck.measured(slot, SLO);
        for (String name : List.of(MetricNames.TPOT_P50, MetricNames.TTFT_P50, MetricNames.GOODPUT,
                MetricNames.E2E_P50)) {
            double value = Fixtures.at(observed, name);
            assertThat(Fixtures.at(twin, name)).as(name).isCloseTo(value, within(1e-6 * value)).isPositive();
        }
        // The same slot served by an arm of two places waits longer than it did.
        Map<String, Double> fewer = TwinCheck.replayed(Fixtures.SHAPE, calibration, Fixtures.settings(2),
                LocalMeasurements.NONE, slot, SLO);
        assertThat(Fixtures.at(fewer, MetricNames.TTFT_P50))
                .isGreaterThan(2 * Fixtures.at(observed, MetricNames.TTFT_P50));
    }
}
