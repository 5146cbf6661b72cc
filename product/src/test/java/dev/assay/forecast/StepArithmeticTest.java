package dev.assay.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.model.ModelShape;
import dev.assay.forecast.arith.QuantFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepArithmeticTest {
    /** forecasting.md section 3: KV bytes per token in FP16 of published configurations. */
    @ParameterizedTest(name = "{0}: {6} bytes a token")
    @CsvSource({"Llama-2-7B, 32, 4096, 32, 32, 128, 524288", "Llama-2-13B, 40, 5120, 40, 40, 128, 819200",
            "Llama-3-70B, 80, 8192, 64, 8, 128, 327680", "Llama-3-8B, 32, 4096, 32, 8, 128, 131072",
            "Qwen3-32B, 64, 5120, 64, 8, 128, 262144", "Qwen3-30B-A3B, 48, 2048, 32, 4, 128, 98304",
            "Mistral-Small-24B, 40, 5120, 32, 8, 128, 163840"})
    void kvBytesPerTokenOfPublishedModels(String name, int layers, int hidden, int heads, int kvHeads,
            int dim,
            long bytes) {
        ModelShape shape = new ModelShape(layers, hidden, heads, kvHeads, dim, 4 * hidden, 32_000, 4096,
                10_000, 1e-5,
                false);
        EngineSettings half = new EngineSettings(8, 512, 16, Optional.empty(), QuantFormat.BF16,
                QuantFormat.F16);
        assertThat(new StepArithmetic(shape, half).kvBytesPerToken()).as(name).isEqualTo(bytes);
    }

    /** Summed over rows and positions one by one. */
    @Test
    void prefillFlopsEqualTheSumOverTokens() {
        StepArithmetic step = new StepArithmetic(Fixtures.SHAPE, Fixtures.settings(8));
        double sum = 0;
        for (int i = 0; i < 37; i++) {
            sum += Fixtures.SHAPE.matmulFlops(false) + Fixtures.SHAPE.attentionFlops(100 + i + 1);
        }
        assertThat(step.prefillFlops(100, 37)).isEqualTo(sum);
    }

    /** engine.md section 4: the 28M model reads 103 MB of weights a step in f32; 28.9 MB is stated for Q8_0. */
    @Test
    void weightBytesFollowTheFormatExactly() {
        StepArithmetic f32 = new StepArithmetic(Fixtures.SHAPE, Fixtures.settings(8));
        StepArithmetic q8 = new StepArithmetic(Fixtures.SHAPE, Fixtures.settings(8, QuantFormat.Q8_0));
        long matrices = 8L * (512L * (2 * 512 + 2 * 256 + 3 * 1408)) + 512L * 4096;
        assertThat(f32.weightBytes()).isEqualTo(4 * matrices);
        assertThat(q8.weightBytes()).isEqualTo(matrices / 32 * 34);
        assertThat((double) q8.weightBytes() / f32.weightBytes()).isEqualTo(8.5 / 32);
        assertThat(f32.kvBytesPerToken()).isEqualTo(16 * 1024);
    }

    /** forecasting.md section 2, "Effective bits/weight". */
    @ParameterizedTest(name = "{0} bits, group {1}, scale {2}, zero {3}: {4}")
    @CsvSource({"4, 128, 16, 0, 4.125", "4, 128, 16, 4, 4.15625", "4, 16, 8, 0, 4.5", "4, 32, 8, 0, 4.25",
            "4, 32, 16, 0, 4.5", "8, 32, 16, 0, 8.5", "8, 16384, 32, 0, 8.001953125"})
    void effectiveBitsPerWeight(int bits, int group, int scale, int zero, double effective) {
        assertThat(new BlockFormat(bits, group, scale, zero).effectiveBits()).isEqualTo(effective);
    }

    /** forecasting.md section 2: BF16 on A100 153, on H100 295; INT4-g128 on A100 about 40. */
    @Test
    void kneeOfPublishedHardware() {
        assertThat(Limits.kneeTokens(312e12, 2.039e12, 16)).isCloseTo(153, within(0.5));
        assertThat(Limits.kneeTokens(989e12, 3.35e12, 16)).isCloseTo(295, within(0.5));
        assertThat(Limits.kneeTokens(312e12, 2.039e12, 4.156)).isCloseTo(40, within(0.5));
    }

    /** A kernel from 120 to 90 us that is 3 % of the step saves 0.75 % of it. */
    @Test
    void amdahlBoundsTheWhole() {
        assertThat(1 / Limits.amdahl(0.03, 120.0 / 90)).isCloseTo(1 - 0.0075, within(1e-12));
        assertThat(Limits.amdahl(0.5, Double.POSITIVE_INFINITY)).isEqualTo(2);
        assertThatThrownBy(() -> Limits.amdahl(1.2, 2)).hasMessageContaining("share 1.2");
    }

    /** Bytes over bandwidth by hand: 103,809,024 B of weights and 1,000 tokens of 16 KiB at 50 GB/s. */
    @Test
    void floorOfAStepIsBytesOverBandwidth() {
        long matrices = 8L * (512L * (2 * 512 + 2 * 256 + 3 * 1408)) + 512L * 4096;
        assertThat(Limits.floorStepNanos(Fixtures.SHAPE, Fixtures.settings(8), 1000, 50e9))
                .isCloseTo((4.0 * matrices + 16_384_000) / 50, within(1e-6));
    }
}
