package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.forecast.arith.QuantFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitersTest {
    /** Overhead 1 ms, weights 3 ms, 0.5 ms a row, KV 1 ms for 1,000 tokens. */
    private static final EngineSettings SETTINGS = Fixtures.settings(8);
    private static final double FLOPS = new StepArithmetic(Fixtures.SHAPE, SETTINGS).decodeFlops();
    private static final StepConstants LAW = new StepConstants(1e6, 3e6, 0.5e6 / FLOPS, 0.5e6 / FLOPS,
            1e6 / (1000 * 16_384), true);
    private static final CostModel COST = CostModel.calibrated(Fixtures.SHAPE, SETTINGS, LAW);

    private static Map<String, Double> telemetry(double busy, double rows, double kvTokens) {
        Map<String, Double> t = new HashMap<>();
        t.put(TelemetryNames.STEPS, 100.0);
        t.put(TelemetryNames.BUSY_SHARE, busy);
        t.put(TelemetryNames.DECODE_ROWS, rows);
        t.put(TelemetryNames.TOKENS, rows);
        t.put(TelemetryNames.KV_BYTES, kvTokens * 16_384);
        t.put(TelemetryNames.WAIT_CAP, 0.0);
        t.put(TelemetryNames.WAIT_PAGES, 0.0);
        t.put(TelemetryNames.WAIT_BUDGET, 0.0);
        return t;
    }

    /** By hand: the largest of overhead 1, weights 3, rows x 0.5 and KV tokens / 1000, all in ms. */
    @ParameterizedTest(name = "busy {0}, {1} rows, {2} KV tokens: {3}, then {4}")
    @CsvSource({"0.3, 2, 200, ARRIVALS, WEIGHT_BANDWIDTH", "0.95, 3, 500, WEIGHT_BANDWIDTH, COMPUTE",
            "0.95, 8, 500, COMPUTE, WEIGHT_BANDWIDTH", "0.95, 2, 9000, KV_BANDWIDTH, WEIGHT_BANDWIDTH",
            "0.95, 1, 10, WEIGHT_BANDWIDTH, LAUNCH"})
    void theLargestTermOfABusyStepLimits(double busy, double rows, double kv, Limiter first, Limiter second) {
        LimiterForecast limiter = Limiters.classify(telemetry(busy, rows, kv), SETTINGS, COST).orElseThrow();
        assertThat(limiter.limiter()).isEqualTo(first);
        assertThat(limiter.runnerUp()).isEqualTo(second);
        assertThat(limiter.share()).isBetween(0.0, 1.0);
    }

    @ParameterizedTest(name = "{0} steps waited: {1}")
    @CsvSource({"wait_cap, BATCH_SLOTS", "wait_pages, KV_CAPACITY", "wait_budget, PREFILL_BUDGET"})
    void theReasonThatMostStepsWaitForLimits(String counter, Limiter expected) {
        Map<String, Double> t = telemetry(0.99, 4, 100);
        t.put(counter, 60.0);
        LimiterForecast limiter = Limiters.classify(t, SETTINGS, COST).orElseThrow();
        assertThat(limiter.limiter()).isEqualTo(expected);
        assertThat(limiter.share()).isEqualTo(0.6);
        assertThat(limiter.runnerUp()).isEqualTo(Limiter.WEIGHT_BANDWIDTH);
    }

    /** A server that reports gauges alone, as vLLM does. */
    @Test
    void gaugesAloneNameTheUsedUpResource() {
        Map<String, Double> t = new HashMap<>(
                Map.of(TelemetryNames.DECODE_ROWS, 7.5, TelemetryNames.RUNNING, 7.8,
                        TelemetryNames.WAITING, 5.0, TelemetryNames.KV_USAGE_PEAK, 0.3));
        assertThat(Limiters.classify(t, SETTINGS, COST).orElseThrow().limiter())
                .isEqualTo(Limiter.BATCH_SLOTS);
        t.put(TelemetryNames.KV_USAGE_PEAK, 0.99);
        assertThat(Limiters.classify(t, SETTINGS, COST).orElseThrow().limiter())
                .isEqualTo(Limiter.KV_CAPACITY);
        t.putAll(Map.of(TelemetryNames.WAITING, 0.0, TelemetryNames.RUNNING, 0.4));
        assertThat(Limiters.classify(t, SETTINGS, COST).orElseThrow().limiter()).isEqualTo(Limiter.ARRIVALS);
    }

    @Test
    void tooLittleTelemetryNamesNothing() {
        assertThat(Limiters.classify(Map.of(), SETTINGS, COST)).isEmpty();
        assertThat(Limiters.classify(Map.of(TelemetryNames.DECODE_ROWS, 3.0), SETTINGS, COST)).isEmpty();
    }

    @Test
    void anIgnoredSettingIsAnErrorToPredictThrough() {
        EngineSettings kv8 = new EngineSettings(8, 512, 16, Optional.empty(), QuantFormat.F32,
                QuantFormat.Q8_0);
        assertThatThrownBy(() -> Blindness.check(SETTINGS, kv8, List.of("watermark", "threads")))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("differ in threads, watermark, which")
                .hasMessageNotContaining("\n");
        Blindness.check(SETTINGS, kv8, List.of("kv"));
        Blindness.check(SETTINGS, Fixtures.settings(32, QuantFormat.Q8_0),
                List.of("max_num_seqs", "weights"));
    }
}
