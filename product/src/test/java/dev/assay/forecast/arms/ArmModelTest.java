package dev.assay.forecast.arms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.forecast.HardwareTable;
import dev.assay.forecast.Limiter;
import dev.assay.forecast.arith.KvMemory;
import dev.assay.forecast.arith.LengthSample;
import dev.assay.forecast.arith.Routing;
import dev.assay.forecast.arith.StepTheory;
import dev.assay.forecast.arith.StepTime;
import dev.assay.forecast.arms.ArmPair.Axis;
import dev.assay.forecast.engines.ArmSettings;
import dev.assay.model.Configs;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracles: closed forms of forecasting.md section 2 and the published effects that follow from arithmetic. */
class ArmModelTest {
    private static final StepTheory MIDDLE = StepTheory.DEFAULT;
    private static final double GIB = 1L << 30;

    private static ArmModel arm(String config, String hardware, String options, LengthSample lengths,
            ArmInputs inputs) {
        return new ArmModel(Configs.spec(config),
                ArmSettings.of("vllm serve m " + options, HardwareTable.named(hardware).memoryBytes()),
                HardwareTable.named(hardware), lengths, inputs);
    }

    private static ArmModel llama(String options, int input, int output) {
        return arm(Configs.LLAMA_3_1_8B, "h100_sxm", options, LengthSample.constant(input, output),
                ArmInputs.NONE);
    }

    private static ArmPair pair(ArmModel a, ArmModel b) {
        return new ArmPair(a, b, MIDDLE, StepTheory.uncalibrated(100, 3));
    }

    /** llm-d-planner, H100 at 0.9: 51.38 GiB of KV for Llama-3.1-8B with the measured activations. */
    @Test
    void kvPoolOfH100() {
        ArmInputs measured = new ArmInputs(OptionalDouble.of(4.76 * GIB), 0.13 * GIB, Routing.UNIFORM, 0,
                OptionalDouble.empty(), 0);
        ArmModel m = arm(Configs.LLAMA_3_1_8B, "h100_sxm", "--gpu-memory-utilization 0.9",
                LengthSample.constant(1000, 200), measured);
        assertThat(m.memory().pages() * m.memory().pageBytes() / GIB).isCloseTo(51.38, within(0.05));
        long each = Math.ceilDiv(1100, 16) * 16L;
        assertThat(m.admissible()).isCloseTo(m.memory().tokens() / each, within(m.admissible() / 100));
        assertThat(m.safelyAdmissible()).isLessThanOrEqualTo(m.admissible());
        assertThat(m.overflowProbability(m.safelyAdmissible())).isBetween(0.0, 0.0101);
        assertThat(m.overflowProbability(m.admissible() * 1.1)).isGreaterThan(0.99);
    }

    /** Little's law closes at the fixed point, and an overload has none. */
    @Test
    void rateIsAFixedPoint() {
        ArmModel m = llama("", 800, 200);
        ArmPoint p = m.atRate(10, MIDDLE);
        assertThat(p.requestRate()).isEqualTo(10);
        assertThat(p.running()).isGreaterThan(10 * 200 * p.tpotNanos() / 1e9).isLessThan(10
                * (200 * p.tpotNanos() + p.ttftNanos().orElseThrow()) / 1e9 * 1.01);
        assertThat(p.outputRate()).isCloseTo(2000, within(1e-9));
        ArmPoint over = m.atRate(10_000, MIDDLE);
        assertThat(over.saturated()).isTrue();
        assertThat(over.ttftNanos()).isEmpty();
        assertThat(m.atRate(0.01, MIDDLE).limiter().limiter()).isEqualTo(Limiter.ARRIVALS);
    }

    /**
     * The prefill that rides with decode (T = b + b·I/O): a decode-only account of 70B on A100 says that 8 to 32 gives
     * 3.51 times the throughput, serving measured 2.45.
     */
    @Test
    void prefillRidesWithDecode() {
        ArmModel served = arm(Configs.LLAMA_2_70B, "a100_sxm", "-tp 8", LengthSample.constant(2000, 250),
                ArmInputs.NONE);
        ArmModel decodeOnly = arm(Configs.LLAMA_2_70B, "a100_sxm", "-tp 8", LengthSample.constant(1, 2000),
                ArmInputs.NONE);
        double gain = served.atBatch(32, MIDDLE).outputRate() / served.atBatch(8, MIDDLE).outputRate();
        double without = decodeOnly.atBatch(32, MIDDLE).outputRate()
                / decodeOnly.atBatch(8, MIDDLE).outputRate();
        assertThat(without).isCloseTo(3.51, within(0.2));
        assertThat(gain).isBetween(1.9, 2.9);
    }

    @Test
    void equalArmsHaveNoEffectAndNoInterval() {
        ArmPair same = pair(llama("", 500, 100), llama("", 500, 100));
        ArmPair.PairPoint p = same.at(Axis.BATCH, 16);
        assertThat(p.ratios().get(Outcome.TPOT)).isEqualTo(new Outcome.Spread(1, 1, 1));
        assertThat(same.verdict(Axis.BATCH, 16, Outcome.TPOT, 0.01)).isEqualTo(ArmPair.Verdict.UNKNOWN);
        assertThat(same.flip(Axis.BATCH, 1, 500, Outcome.TPOT, 0.01)).isEmpty();
    }

    /** 4-bit weights help small batches and hurt large ones; the flip is where the two verdicts change. */
    @Test
    void fourBitsFlipSign() {
        LengthSample lengths = LengthSample.constant(600, 200);
        ArmPair p = pair(arm(Configs.LLAMA_3_1_8B, "a100_sxm", "", lengths, ArmInputs.NONE),
                arm(Configs.LLAMA_3_1_8B, "a100_sxm", "-q gptq_marlin", lengths, ArmInputs.NONE));
        assertThat(p.verdict(Axis.BATCH, 1, Outcome.TPOT, 0.01)).isEqualTo(ArmPair.Verdict.HELPS);
        assertThat(p.verdict(Axis.BATCH, 600, Outcome.TPOT, 0.01)).isEqualTo(ArmPair.Verdict.HURTS);
        ArmPair.Flip flip = p.flip(Axis.BATCH, 1, 600, Outcome.TPOT, 0.01).orElseThrow();
        assertThat(flip.helpsAbove()).isFalse();
        assertThat(flip.low()).isLessThan(flip.at());
        assertThat(flip.high()).isGreaterThan(flip.at());
        double at = flip.at();
        assertThat(gain(p, at * 0.97)).isGreaterThan(1);
        assertThat(gain(p, at * 1.03)).isLessThan(1);
        Surface map = Surface.of(Axis.BATCH, Outcome.TPOT, 0.01, Surface.scale(1, 600, 20), List.of(300),
                n -> p);
        assertThat(map.rows().getFirst()).matches("\\++\\.*-+");
    }

    private static double gain(ArmPair p, double batch) {
        return Outcome.TPOT.gain(p.baseline().atBatch(batch, MIDDLE), p.candidate().atBatch(batch, MIDDLE))
                .orElseThrow();
    }

    /** A smaller page never takes memory away: 16 to 8 on chat lengths admits about 0.3 % more. */
    @Test
    void halvingPagesAddsAlittleRoom() {
        ArmModel b = llama("--block-size 16", 1154, 211);
        ArmModel c = llama("--block-size 8", 1154, 211);
        assertThat(c.admissible() / (double) b.admissible()).isBetween(0.999, 1.008);
        assertThat(pair(b, c).verdict(Axis.BATCH, 64, Outcome.THROUGHPUT, 0.01))
                .isEqualTo(ArmPair.Verdict.UNKNOWN);
    }

    /** A lower budget trades the time to the first token for the gap between tokens. */
    @Test
    void prefillBudget() {
        ArmModel large = llama("--max-num-batched-tokens 8192 --max-num-seqs 64", 4000, 400);
        ArmModel small = llama("--max-num-batched-tokens 512 --max-num-seqs 64", 4000, 400);
        assertThat(small.atBatch(16, MIDDLE).ttftNanos().orElseThrow())
                .isGreaterThan(large.atBatch(16, MIDDLE).ttftNanos().orElseThrow());
        LengthSample one = LengthSample.constant(1000, 10);
        assertThat(one.prefillSteps(256, 0, 16)).isEqualTo(4);
        assertThat(one.reread(256)).isEqualTo(1000 * 3 / 2.0);
        ArmModel bound = llama("--max-num-batched-tokens 64 --max-num-seqs 64", 4000, 20);
        assertThat(bound.atBatch(32, MIDDLE).limiter().limiter()).isEqualTo(Limiter.PREFILL_BUDGET);
    }

    @Test
    void limitersNameWhatBinds() {
        assertThat(llama("", 100, 100).atBatch(1, MIDDLE).limiter().limiter())
                .isEqualTo(Limiter.WEIGHT_BANDWIDTH);
        assertThat(llama("", 4000, 100).atBatch(100, MIDDLE).limiter().limiter()).isEqualTo(Limiter.COMPUTE);
        assertThat(llama("--max-num-seqs 8", 100, 100).atBatch(20, MIDDLE).limiter().limiter())
                .isEqualTo(Limiter.BATCH_SLOTS);
        assertThat(llama("", 40_000, 4000).atBatch(200, MIDDLE).limiter().limiter())
                .isEqualTo(Limiter.KV_CAPACITY);
        assertThat(arm(Configs.DEEPSEEK_V2_LITE, "h100_sxm", "-tp 8", LengthSample.constant(10, 500),
                ArmInputs.NONE)
                .atBatch(1, MIDDLE).step().terms().stream().mapToDouble(StepTime.Term::share).sum())
                .isCloseTo(1, within(1e-9));
    }

    /** With every draft accepted k + 1 tokens come of a step; with none one does. */
    @Test
    void drafts() {
        String draft = "--speculative-config '{\"num_speculative_tokens\":3}'";
        ArmInputs most = new ArmInputs(OptionalDouble.empty(), KvMemory.OTHER_BYTES, Routing.UNIFORM, 0,
                OptionalDouble.of(0.999), 0);
        LengthSample lengths = LengthSample.constant(100, 100);
        ArmModel plain = arm(Configs.LLAMA_3_1_8B, "h100_sxm", "", lengths, ArmInputs.NONE);
        ArmModel with = arm(Configs.LLAMA_3_1_8B, "h100_sxm", draft, lengths, most);
        double ratio = plain.atBatch(1, MIDDLE).tpotNanos() / with.atBatch(1, MIDDLE).tpotNanos();
        assertThat(ratio).isBetween(3.7, 4.0);
        assertThatThrownBy(() -> arm(Configs.LLAMA_3_1_8B, "h100_sxm", draft, lengths, ArmInputs.NONE))
                .isInstanceOf(AssayException.class).hasMessageContaining("expected --acceptance");
    }

    @Test
    void sharedPrefixesSavePrefill() {
        ArmInputs shared = new ArmInputs(OptionalDouble.empty(), KvMemory.OTHER_BYTES, Routing.UNIFORM, 1000,
                OptionalDouble.empty(), 0);
        LengthSample lengths = LengthSample.constant(1200, 100);
        double off = arm(Configs.LLAMA_3_1_8B, "h100_sxm", "--no-enable-prefix-caching", lengths, shared)
                .atBatch(32, MIDDLE).outputRate();
        double on = arm(Configs.LLAMA_3_1_8B, "h100_sxm", "--enable-prefix-caching", lengths, shared)
                .atBatch(32, MIDDLE).outputRate();
        assertThat(on / off).isBetween(1.5, 5.0);
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(delimiter = '|', value = {
            "LLAMA|-tp 3|vllm: tensor parallel size is 3; expected a divisor of the model's attention heads, 32",
            "LLAMA|--max-model-len 500|vllm: the longest request has 1200 tokens; expected at most the longest sequence, 500",
            "DEEPSEEK|-tp 8|vllm: the weights take",
            "LLAMA|--num-gpu-blocks-override 100000|vllm: the command asks for a KV cache of 1599984 tokens; expected at most what fits",
            "LLAMA|--num-gpu-blocks-override 9|vllm: the KV cache holds 128 tokens; expected room for one running request"})
    void contradictionsAreOneLine(String model, String options, String message) {
        assertThatThrownBy(
                () -> arm(model.equals("LLAMA") ? Configs.LLAMA_3_1_8B : Configs.DEEPSEEK_V3, "h100_sxm",
                        options, LengthSample.constant(1000, 200), ArmInputs.NONE))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining(message);
    }
}
