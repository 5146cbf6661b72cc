package dev.assay.forecast.arith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.forecast.HardwareTable;
import dev.assay.model.Configs;
import dev.assay.model.DecoderSpec;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracles: forecasting.md sections 2 and 3, closed forms and simulation. */
class ParallelAndStepTest {
    private static RankArithmetic rank(String config, QuantFormat format, Parallelism p, Routing routing) {
        return new RankArithmetic(Configs.spec(config), WeightPlan.of(format), QuantFormat.BF16, p, routing);
    }

    private static RankArithmetic plain(String config) {
        return rank(config, QuantFormat.BF16, Parallelism.ONE, Routing.UNIFORM);
    }

    /** 70B on 8 devices: 2.62 MB of payload and 4.59 MB on the wire for each token. */
    @Test
    void wireOf70B() {
        RankArithmetic r = rank(Configs.LLAMA_3_1_70B, QuantFormat.BF16, new Parallelism(8, 1, 1, 1),
                Routing.UNIFORM);
        double payload = r.allReduces() * 2.0 * 8192;
        assertThat(payload / 1e6).isCloseTo(2.62, within(0.005));
        assertThat(r.wireBytes(1) / 1e6).isCloseTo(4.59, within(0.005));
        assertThat(r.allReduces()).isEqualTo(160);
    }

    /** Key/value heads are copied where there are fewer of them than devices: KV over min(t, n_kv). */
    @ParameterizedTest
    @CsvSource({"1, 131072", "2, 65536", "8, 16384", "16, 16384"})
    void kvOfADevice(int devices, double bytes) {
        RankArithmetic r = rank(Configs.LLAMA_3_1_8B, QuantFormat.BF16, new Parallelism(devices, 1, 1, 1),
                Routing.UNIFORM);
        assertThat(r.kvBytesPerToken()).isEqualTo(bytes);
    }

    @Test
    void latentCachesAreCopiedToEveryDevice() {
        RankArithmetic r = rank(Configs.DEEPSEEK_V3, QuantFormat.FP8_BLOCK, new Parallelism(8, 1, 1, 8),
                Routing.UNIFORM);
        assertThat(r.kvBytesPerToken()).isEqualTo(70_272);
    }

    @Test
    void windowsCapWhatIsRead() {
        RankArithmetic r = plain(Configs.GPT_OSS_20B);
        double layer = 2 * 8 * 64 * 2;
        assertThat(r.kvReadBytes(RankArithmetic.Attended.context(1000))).isEqualTo(layer * 12 * (128 + 1000));
        assertThat(r.kvReadBytes(RankArithmetic.Attended.context(50))).isEqualTo(layer * 24 * 50);
    }

    /** Splitting over devices neither loses nor adds weights, but for norms; a stage has one of the two ends. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "4, 1", "8, 1", "1, 2", "2, 4"})
    void residentWeightsAddUp(int tensor, int pipeline) {
        DecoderSpec spec = Configs.spec(Configs.LLAMA_3_1_8B);
        RankArithmetic r = rank(Configs.LLAMA_3_1_8B, QuantFormat.BF16,
                new Parallelism(tensor, pipeline, 1, 1),
                Routing.UNIFORM);
        double end = 2.0 * spec.vocab() * spec.hidden();
        double layers = 2.0 * spec.parameters() - 2 * end;
        double expected = layers / pipeline + (pipeline == 1 ? 2 * end : end);
        assertThat(r.residentBytes()).isCloseTo(expected / tensor, within(2e6));
    }

    /** A decode row of a dense model costs two operations a weight. */
    @Test
    void flopsOfADenseRow() {
        DecoderSpec spec = Configs.spec(Configs.LLAMA_3_1_8B);
        assertThat(plain(Configs.LLAMA_3_1_8B).matrixFlops(1, 1))
                .isEqualTo(2.0 * spec.multipliedWeights(true));
        assertThat(plain(Configs.LLAMA_3_1_8B).attentionFlops(a -> 100)).isEqualTo(4.0 * 32 * 4096 * 100);
    }

    @Test
    void flopsOfExpertsAreThoseVisited() {
        DecoderSpec spec = Configs.spec(Configs.MIXTRAL_8X7B);
        assertThat(plain(Configs.MIXTRAL_8X7B).matrixFlops(1, 1))
                .isEqualTo(2.0 * spec.multipliedWeights(true));
    }

    /** One token reads k experts, many tokens read all: E(1-(1-k/E)^T). */
    @ParameterizedTest
    @CsvSource({"1, 2", "4, 5.46875", "1000, 8"})
    void expertsReadByAStep(double tokens, double distinct) {
        RankArithmetic r = plain(Configs.MIXTRAL_8X7B);
        double expert = 3.0 * 4096 * 14336 * 2 * 32;
        assertThat((r.weightBytes(tokens) - r.weightBytes(0)) / expert).isCloseTo(distinct, within(1e-9));
    }

    /** Skewed routing by simulation: draws without replacement in proportion to popularity, near enough. */
    @Test
    void skewedRoutingLoadsOneDeviceMore() {
        Routing skewed = new Routing(1);
        double[] visits = skewed.visits(32, 4);
        assertThat(java.util.Arrays.stream(visits).sum()).isCloseTo(4, within(1e-9));
        assertThat(java.util.Arrays.stream(visits).max().orElseThrow()).isLessThanOrEqualTo(1);
        assertThat(skewed.busiestShare(32, 4, 8)).isGreaterThan(0.125);
        assertThat(Routing.UNIFORM.busiestShare(32, 4, 8)).isEqualTo(0.125);
        SplittableRandom random = new SplittableRandom(9);
        double sum = 0;
        int trials = 4_000;
        for (int i = 0; i < trials; i++) {
            BitSet hit = new BitSet();
            for (int t = 0; t < 10; t++) {
                for (int e = 0; e < 32; e++) {
                    if (random.nextDouble() < visits[e]) {
                        hit.set(e);
                    }
                }
            }
            sum += hit.cardinality();
        }
        assertThat(skewed.distinct(32, 4, 10)).isCloseTo(sum / trials, within(0.1));
        assertThat(skewed.distinct(32, 4, 10)).isLessThan(Routing.UNIFORM.distinct(32, 4, 10));
        double parts = 0;
        for (int d = 0; d < 8; d++) {
            parts += skewed.distinctOn(32, 4, 10, 8, d);
        }
        assertThat(parts).isCloseTo(skewed.distinct(32, 4, 10), within(1e-9));
    }

    /** All-to-all: each token goes to its experts' devices but those on its own. */
    @Test
    void allToAll() {
        assertThat(Parallelism.allToAllBytes(100, 8, 14_336, 16)).isEqualTo(100.0 * 8 * 14_336 * 15 / 16);
        assertThat(Parallelism.ringBytes(1000, 4)).isEqualTo(1500);
    }

    @ParameterizedTest(name = "{4}")
    @CsvSource(delimiter = '|', value = {
            "LLAMA|3|1|1|tensor parallel size is 3; expected a divisor of the model's attention heads, 32",
            "LLAMA|1|40|1|pipeline parallel size is 40; expected at most the model's layers, 32",
            "LLAMA|2|1|2|expert parallel size is 2; expected 1, as m has no experts",
            "MIXTRAL|16|1|16|expert parallel size is 16; expected a divisor of the model's experts, 8",
            "MIXTRAL|4|1|2|expert parallel size is 2; expected tensor times data parallel size, 4"})
    void contradictions(String model, int tensor, int pipeline, int experts, String message) {
        DecoderSpec spec = Configs.spec(model.equals("LLAMA") ? Configs.LLAMA_3_1_8B : Configs.MIXTRAL_8X7B);
        assertThatThrownBy(() -> new Parallelism(tensor, pipeline, 1, experts).check(spec, "vllm"))
                .isInstanceOf(AssayException.class).hasMessage("vllm: " + message);
    }

    /** Logits of 256 rows over 128,000 tokens take 131 MB. */
    @Test
    void logits() {
        assertThat(4.0 * 128_000 * 256 / 1e6).isCloseTo(131, within(0.1));
        double rows = plain(Configs.LLAMA_3_1_8B).activationPeak(0, 256);
        assertThat(rows / 1e6).isCloseTo(131.3, within(0.1));
    }

    /** Ridge times bytes per weight over two: BF16 on A100 153 and on H100 295, INT4 in groups on A100 about 40. */
    @ParameterizedTest
    @CsvSource({"a100_sxm, bf16, 153", "h100_sxm, bf16, 295", "a100_sxm, int4_g128_zero, 39.7"})
    void kneeByThePeaks(String hardware, String format, double rows) {
        QuantFormat f = QuantFormat.named(format, "f");
        StepLaw law = new StepLaw(rank(Configs.LLAMA_3_1_8B, f, Parallelism.ONE, Routing.UNIFORM),
                QuantFormat.BF16,
                HardwareTable.named(hardware));
        assertThat(law.nominalKnee()).isCloseTo(rows, within(0.5));
    }

    /** Fitted slopes of decode attention over 99 points: 4.30 ns a token on a 4090, 2.68 on a PRO 6000, one layer. */
    @ParameterizedTest
    @CsvSource({"rtx_4090, 4.30, 0.945", "rtx_pro_6000, 2.68, 0.956"})
    void decodeAttentionReachesItsShareOfThePeak(String hardware, double nanosPerToken, double share) {
        double bytes = plain(Configs.LLAMA_3_1_8B).kvBytesPerToken() / 32;
        assertThat(bytes).isEqualTo(4096);
        assertThat(bytes / (nanosPerToken * 1e-9) / HardwareTable.named(hardware).bandwidth())
                .isCloseTo(share, within(0.002));
    }

    /** m = 1 adds memory and compute; a large m hides the smaller behind the larger. */
    @Test
    void overlapHidesTheSmaller() {
        StepLaw law = new StepLaw(plain(Configs.LLAMA_3_1_8B), QuantFormat.BF16,
                HardwareTable.named("h100_sxm"));
        StepLaw.Load load = StepLaw.Load.decode(200, 500);
        StepTheory d = StepTheory.DEFAULT;
        StepTime added = law.time(load, d);
        StepTime hidden = law.time(load, new StepTheory(60, d.memoryShare(), d.computeShare(), d.layerNanos(),
                d.collectiveNanos(), d.linkShare(), 1, d.formatZ()));
        double memory = added.weightNanos() + added.kvNanos();
        assertThat(hidden.nanos() - hidden.launchNanos())
                .isCloseTo(Math.max(memory, added.computeNanos()), within(0.02 * memory));
        assertThat(added.terms().stream().mapToDouble(StepTime.Term::share).sum()).isCloseTo(1,
                within(1e-12));
        double weights = 2.0 * (Configs.spec(Configs.LLAMA_3_1_8B).parameters() - 128_256L * 4096);
        assertThat(added.weightNanos()).isGreaterThan(weights / (1.03 * 3.35e12) * 1e9)
                .isLessThan(1.1 * weights / (1.03 * 3.35e12) * 1e9);
        assertThat(added.launchNanos()).isEqualTo(32 * 68_000.0);
    }

    /**
     * Marlin's published series (vllm#2497) of 4-bit over 16-bit products: 3.1 to 3.2 times at up to 16 rows, 2.28 at 32,
     * 1.01 at 128, 0.60 at 2048. The interval of the draws holds each; the middle law flips between 64 and 256.
     */
    @ParameterizedTest
    @CsvSource({"1, 3.15", "16, 3.1", "32, 2.28", "128, 1.01", "2048, 0.60"})
    void fourBitProductsGainWhatMarlinDid(double rows, double published) {
        double[] gains = StepTheory.uncalibrated(400, 2).stream().mapToDouble(t -> gain(rows, bare(t)))
                .sorted()
                .toArray();
        assertThat(published).isBetween(gains[20], gains[379]);
        assertThat(gain(64, bare(StepTheory.DEFAULT))).isGreaterThan(1);
        assertThat(gain(256, bare(StepTheory.DEFAULT))).isLessThan(1);
    }

    private static StepTheory bare(StepTheory t) {
        return new StepTheory(t.overlap(), t.memoryShare(), t.computeShare(), 0, 0, 1, 1, t.formatZ());
    }

    private static double gain(double rows, StepTheory t) {
        StepLaw half = new StepLaw(plain(Configs.LLAMA_2_70B), QuantFormat.BF16,
                HardwareTable.named("a100_sxm"));
        StepLaw four = new StepLaw(
                rank(Configs.LLAMA_2_70B, QuantFormat.INT4_G128, Parallelism.ONE, Routing.UNIFORM),
                QuantFormat.BF16, HardwareTable.named("a100_sxm"));
        StepLaw.Load load = new StepLaw.Load(rows, a -> 0, 0, a -> 0, 0, 1);
        return half.time(load, t).nanos() / four.time(load, t).nanos();
    }
}
