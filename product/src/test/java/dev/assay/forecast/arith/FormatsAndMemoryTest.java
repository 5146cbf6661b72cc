package dev.assay.forecast.arith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.forecast.HardwareTable;
import dev.assay.model.Configs;
import dev.assay.model.DecoderSpec;
import dev.assay.model.Matrix;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracles: forecasting.md sections 2 and 3, and simulation. */
class FormatsAndMemoryTest {
    private static final double GIB = 1L << 30;

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"bf16, 16", "fp8, 8", "fp8_block, 8.001953125", "int4_g128, 4.125", "int4_g128_zero, 4.15625",
            "nvfp4, 4.5", "mxfp4, 4.25", "q4_0, 4.5", "q8_0, 8.5", "q6_k, 6.5625", "q4_k, 4.5", "q5_k, 5.5",
            "q3_k, 3.4375", "q2_k, 2.625", "q4_1, 5", "iq4_xs, 4.25"})
    void bitsPerWeight(String format, double bits) {
        assertThat(QuantFormat.named(format, "f").bits()).isEqualTo(bits);
        double bytes = QuantFormat.named(format, "f").bytes(4096, 4096);
        assertThat(8 * bytes / 4096 / 4096).isCloseTo(bits, within(0.008));
    }

    /** A scale for each output, and squares that are cut at the edges. */
    @Test
    void scalesOfSmallMatrices() {
        assertThat(QuantFormat.FP8.bytes(10, 100)).isEqualTo(1000 + 40);
        assertThat(QuantFormat.FP8_BLOCK.bytes(130, 100)).isEqualTo(13_000 + 8);
        assertThat(QuantFormat.INT4_G128.bytes(1, 129)).isEqualTo((129 * 4 + 32) / 8.0);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8, fp8", "Qwen/Qwen3-32B-AWQ, int4_g128_zero",
            "nvidia/DeepSeek-R1-FP4, nvfp4", "models/llama-3-8b.Q8_0.gguf, q8_0",
            "x/y-quantized.w4a16, int4_g128",
            "m-BF16.gguf, bf16"})
    void formatsThatNamesTell(String name, String format) {
        assertThat(QuantFormat.hinted(name).orElseThrow().id()).isEqualTo(format);
        assertThat(QuantFormat.hinted("meta-llama/Llama-3.1-8B")).isEmpty();
    }

    /** llm-d-planner's measured closing on H100: 0.9 x 79.18 - 14.99 - 4.76 - 0.13 = 51.38 GiB. */
    @Test
    void memoryClosesOnH100() {
        KvMemory m = KvMemory.of(0.9 * 79.18 * GIB, 14.99 * GIB, 4.76 * GIB, 0.13 * GIB, 131_072, 16, 1, "x");
        assertThat((m.pages() + 1) * m.pageBytes() / GIB).isCloseTo(51.38, within(0.005));
        WeightPlan plan = WeightPlan.of(QuantFormat.BF16);
        assertThat(plan.bytes(Configs.spec(Configs.LLAMA_3_1_8B)) / GIB).isCloseTo(14.99, within(0.05));
    }

    /** vLLM 0.19 on an RTX 4090 at 0.9: 2,588 blocks of 16 = 41,408 tokens = 5.055 GiB, and 1.153 GiB remain. */
    @Test
    void memoryClosesOnRtx4090() {
        double taken = 0.9 * HardwareTable.named("rtx_4090").memoryBytes();
        double weights = WeightPlan.of(QuantFormat.BF16).bytes(Configs.spec(Configs.LLAMA_3_1_8B));
        assertThat(2588 * 16).isEqualTo(41_408);
        assertThat(41_408 * 131_072.0 / GIB).isCloseTo(5.055, within(0.0005));
        assertThat((taken - weights - 41_408 * 131_072.0) / GIB).isCloseTo(1.153, within(0.0005));
        double rest = 1.153 * GIB;
        assertThat(KvMemory.blocks(taken, weights, rest, 0, 16 * 131_072.0)).isBetween(2587L, 2588L);
    }

    /** Mistral-Small-24B: 28.20 GiB hold 184,832 tokens, and 15,049 tokens need 118 blocks of 128. */
    @Test
    void poolOfMistralSmall() {
        double perToken = Configs.spec(Configs.MISTRAL_SMALL_24B).kvBytesPerToken(2);
        assertThat(184_832 * perToken / GIB).isCloseTo(28.20, within(0.005));
        assertThat(dev.assay.forecast.PageArithmetic.pages(15_049, 128)).isEqualTo(118);
    }

    @Test
    void aModelThatDoesNotFitIsOneLine() {
        assertThatThrownBy(() -> KvMemory.of(20 * GIB, 65 * GIB, GIB, 0, 1, 16, 1, "vllm"))
                .isInstanceOf(AssayException.class)
                .hasMessage(
                        "vllm: the weights take 65.00 GiB on each device and activations and context 1.00 GiB;"
                                + " expected less than the memory that the engine may use, 20.00 GiB");
    }

    /** The largest k with k·mean + z·sd·sqrt(k) within the pool, by trying. */
    @ParameterizedTest
    @CsvSource({"10000, 30, 20, 2.33", "500, 90, 5, 1.64", "1e6, 1234, 900, 2.33"})
    void safeConcurrencyIsTheLargest(double pool, double mean, double sd, double z) {
        long k = KvMemory.admissible(pool, mean, sd, z);
        assertThat(k * mean + z * sd * Math.sqrt(k)).isLessThanOrEqualTo(pool);
        assertThat((k + 1) * mean + z * sd * Math.sqrt(k + 1)).isGreaterThan(pool);
        assertThat(KvMemory.admissible(pool, mean)).isGreaterThanOrEqualTo(k);
    }

    /** Pools filled at random overflow about as often as the deviate says. */
    @Test
    void safeConcurrencyHoldsInSimulation() {
        SplittableRandom random = new SplittableRandom(4);
        double mean = 550;
        double sd = 450 / Math.sqrt(3);
        long k = KvMemory.admissible(60_000, mean, sd, 1.6448536);
        int over = 0;
        for (int i = 0; i < 4_000; i++) {
            double sum = 0;
            for (int j = 0; j < k; j++) {
                sum += 100 + 900 * random.nextDouble();
            }
            over += sum > 60_000 ? 1 : 0;
        }
        assertThat(over / 4_000.0).isBetween(0.02, 0.055);
    }

    @Test
    void stillUnquantizedPartsStay() {
        DecoderSpec spec = Configs.spec(Configs.LLAMA_3_1_8B);
        double head = 2.0 * spec.vocab() * spec.hidden();
        Matrix layer = new Matrix(Matrix.Role.DENSE, Matrix.Split.EVEN, 14336, 4096, 1);
        assertThat(WeightPlan.of(QuantFormat.INT4_G128).bytes(spec) - 2 * head)
                .isCloseTo((spec.parameters() - 2.0 * spec.vocab() * spec.hidden()) * 4.125 / 8, within(1e6));
        assertThat(WeightPlan.of(QuantFormat.Q8_0).bytes(spec)).isCloseTo(spec.parameters() * 8.5 / 8,
                within(1e6));
        assertThat(WeightPlan.of(QuantFormat.MXFP4).bytes(layer)).isEqualTo(2.0 * layer.parameters());
    }

    /** gpt-oss-20b's checkpoint is 12.8 GiB: experts in MXFP4, the rest in 16 bits (OpenAI's model card). */
    @Test
    void checkpointOfGptOss() {
        DecoderSpec spec = Configs.spec(Configs.GPT_OSS_20B);
        assertThat(WeightPlan.stored(spec).bytes(spec) / GIB).isCloseTo(12.8, within(0.1));
        DecoderSpec large = Configs.spec(Configs.GPT_OSS_120B);
        assertThat(WeightPlan.stored(large).bytes(large) / GIB).isCloseTo(60.8, within(0.3));
    }
}
