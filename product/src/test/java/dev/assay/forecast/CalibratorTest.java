package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.workload.RequestOutcome;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Known laws, served by a plain loop and seen through a client's noise, must come back. */
class CalibratorTest {
    private static final List<Double> RATES = List.of(4.0, 8.0, 11.0, 14.0);
    private static final StepArithmetic ARITHMETIC = new StepArithmetic(Fixtures.SHAPE, Fixtures.settings(8));
    private static final double ROW = ARITHMETIC.decodeFlops();
    private static final double PROMPT_TOKEN = Fixtures.SHAPE.matmulFlops(false);

    /** Streaming overlaps compute: max(3.55, ...) as measured on the 28M model, with a part that grows with context. */
    private static final SyntheticServer.Law OVERLAPPED = (rows, prompts, kv) -> 1.2e6
            + Math.max(2.35e6, 0.6e6 * rows + 0.57e6 * prompts) + 1770.0 * kv;
    /** Mostly overhead, as vLLM on a CPU: 5.2 ms at one stream and 7.0 at eight. */
    private static final SyntheticServer.Law SUMMED = (rows, prompts, kv) -> 4.95e6 + 0.257e6 * rows
            + 0.1e6 * prompts;

    private static Calibration calibrate(SyntheticServer.Law law, long seed) {
        SyntheticServer server = new SyntheticServer(8, 512, law, 0.8e6, 0.15e6, 0.05);
        return Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(8),
                Fixtures.slots(server, RATES, seed));
    }

    @Test
    void anOverlappedLawIsRecovered() {
        Calibration c = calibrate(OVERLAPPED, 1);
        assertThat(c.constants().overlapped()).isTrue();
        assertThat(c.constants().overheadNanos()).isCloseTo(1.2e6, within(0.2e6));
        assertThat(c.constants().weightNanos()).isCloseTo(2.35e6, within(0.25e6));
        assertThat(c.constants().decodeNanosPerFlop() * ROW).isCloseTo(0.6e6, within(0.04e6));
        assertThat(c.constants().prefillNanosPerFlop() * PROMPT_TOKEN).isCloseTo(0.57e6, within(0.03e6));
        // An error in the prompts' cost goes into the time outside the steps: their sum is what TTFT rests on.
        double prompt48 = ARITHMETIC.prefillFlops(0, 48) * c.constants().prefillNanosPerFlop();
        assertThat(c.ttftOverheadNanos() + prompt48).isCloseTo(0.95e6 + 48 * 0.57e6, within(0.8e6));
        assertThat(c.region().maxDecodeRows()).isEqualTo(8);
        assertThat(c.warnings()).isEmpty();
    }

    @Test
    void aSummedLawIsRecoveredAndItsConstantLeftOpen() {
        Calibration c = calibrate(SUMMED, 2);
        double constant = c.constants().overheadNanos() + c.constants().weightNanos();
        assertThat(c.constants().overlapped()).isFalse();
        assertThat(constant).isCloseTo(4.95e6, within(0.1e6));
        assertThat(c.constants().decodeNanosPerFlop() * ROW).isCloseTo(0.257e6, within(0.03e6));
        assertThat(c.constants().prefillNanosPerFlop() * PROMPT_TOKEN).isCloseTo(0.1e6, within(0.005e6));
        assertThat(c.warnings()).anyMatch(w -> w.contains("cannot be told apart"));
        double[] parts = c.draws().stream()
                .mapToDouble(d -> d.weightNanos() / (d.weightNanos() + d.overheadNanos())).sorted().toArray();
        assertThat(parts[0]).isLessThan(0.25);
        assertThat(parts[parts.length - 1]).isGreaterThan(0.85);
    }

    /** 1.2 ms of 4.95 outside products and attention leaves 76 % of the constant to the weights. */
    @Test
    void aServersAccountOfItsStagesNarrowsTheConstant() {
        SyntheticServer server = new SyntheticServer(8, 512, SUMMED, 0.8e6, 0.15e6, 0.05);
        double gemm = (1 - 1.2 / 6.0) * ARITHMETIC.blocksShare();
        List<CalibrationRun> told = Fixtures.slots(server, RATES, 2).stream()
                .map(r -> new CalibrationRun(r.offeredRps(), r.outcomes(),
                        Map.of(TelemetryNames.STEP_TIME, 6.0,
                                TelemetryNames.GEMM_SHARE, gemm, TelemetryNames.ATTENTION_SHARE, 0.0)))
                .toList();
        Calibration c = Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(8), told);
        assertThat(c.constants().weightNanos()).isCloseTo(3.75e6, within(0.12e6));
        assertThat(c.warnings()).noneMatch(w -> w.contains("told apart"));
    }

    @Test
    void stallsOfTheClientDoNotPullTheFit() {
        SyntheticServer server = new SyntheticServer(8, 512,
                (rows, prompts, kv) -> OVERLAPPED.nanos(rows, prompts, kv) + (kv % 50 == 0 ? 40e6 : 0), 0.8e6,
                0.15e6,
                0.05);
        Calibration c = Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(8),
                Fixtures.slots(server, List.of(4.0, 7.0, 9.0), 3));
        assertThat(c.constants().decodeNanosPerFlop() * ROW).isCloseTo(0.6e6, within(0.06e6));
        assertThat(c.constants().overheadNanos() + c.constants().weightNanos()).isCloseTo(3.55e6,
                within(0.4e6));
    }

    @Test
    void aCalibrationSurvivesItsFile() {
        Calibration c = calibrate(SUMMED, 4);
        assertThat(Json.read(Json.canonical(c), Calibration.class, "calibration.json")).isEqualTo(c);
    }

    @Test
    void theSameSlotsGiveTheSameCalibration() {
        List<CalibrationRun> slots = Fixtures
                .slots(new SyntheticServer(8, 512, OVERLAPPED, 0.8e6, 0.15e6, 0.05), List.of(6.0, 12.0), 5);
        assertThat(Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(8), slots))
                .isEqualTo(Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(8), slots));
    }

    @Test
    void tooFewStepsAreRefusedInOneLine() {
        SyntheticServer server = new SyntheticServer(8, 512, SUMMED, 0, 0, 0);
        List<RequestOutcome> few = server.serve(Fixtures.schedule(4, 6, 1).subList(0, 1), 1)
                .stream().map(o -> cut(o, 5)).toList();
        assertThatThrownBy(() -> Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(8),
                List.of(new CalibrationRun(4, few, Map.of())))).isInstanceOf(AssayException.class)
                .hasMessageContaining("expected at least 30").hasMessageNotContaining("\n");
        assertThatThrownBy(() -> Calibrator.calibrate(Fixtures.SHAPE, Fixtures.settings(8), List.of()))
                .isInstanceOf(AssayException.class).hasMessageContaining("no slot");
    }

    private static RequestOutcome cut(RequestOutcome o, int tokens) {
        return new RequestOutcome(o.request(), o.sentNanos(), o.firstByteNanos(), o.headersNanos(),
                o.firstAnswerNanos(), o.endNanos(),
                java.util.Arrays.copyOf(o.contentNanos(), tokens),
                java.util.Arrays.copyOf(o.contentTokens(), tokens),
                tokens, true, o.promptTokens(), o.cachedTokens(), o.failure(), "", "");
    }

    /** The steps read from the client's events against the law that made them. */
    @Test
    void stepsAreReadFromTokenGaps() {
        SyntheticServer server = new SyntheticServer(8, 512, OVERLAPPED, 0, 0.1e6, 0);
        List<StepTimeline.Step> steps = new StepTimeline(ARITHMETIC, Fixtures.settings(8))
                .steps(server.serve(Fixtures.schedule(10, 6, 8), 8));
        ToDoubleFunction<StepTimeline.Step> law = s -> OVERLAPPED.nanos(s.decodeRows(),
                (int) s.promptTokens(),
                s.kvTokens());
        long near = steps.stream().filter(s -> Math.abs(s.nanos() / law.applyAsDouble(s) - 1) < 0.1).count();
        assertThat(steps.size()).isGreaterThan(500);
        assertThat((double) near / steps.size()).isGreaterThan(0.93);
    }
}
