package dev.assay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracles: the parameter counts that the models' authors publish, and the KV sizes of forecasting.md section 3. */
class DecoderSpecTest {
    private static final Map<String, String> MODELS = Map.ofEntries(
            Map.entry("llama-3.1-8b", Configs.LLAMA_3_1_8B),
            Map.entry("llama-3.1-70b", Configs.LLAMA_3_1_70B),
            Map.entry("llama-2-7b", Configs.LLAMA_2_7B), Map.entry("llama-2-13b", Configs.LLAMA_2_13B),
            Map.entry("llama-2-70b", Configs.LLAMA_2_70B), Map.entry("qwen3-32b", Configs.QWEN3_32B),
            Map.entry("qwen2.5-7b", Configs.QWEN2_5_7B), Map.entry("qwen3-30b-a3b", Configs.QWEN3_30B_A3B),
            Map.entry("mistral-7b", Configs.MISTRAL_7B),
            Map.entry("mistral-small-24b", Configs.MISTRAL_SMALL_24B),
            Map.entry("mixtral-8x7b", Configs.MIXTRAL_8X7B), Map.entry("deepseek-v3", Configs.DEEPSEEK_V3),
            Map.entry("deepseek-v2-lite", Configs.DEEPSEEK_V2_LITE),
            Map.entry("gemma-2-9b", Configs.GEMMA_2_9B),
            Map.entry("gemma-3-12b", Configs.GEMMA_3_12B), Map.entry("gpt-oss-20b", Configs.GPT_OSS_20B),
            Map.entry("gpt-oss-120b", Configs.GPT_OSS_120B), Map.entry("phi-3-mini", Configs.PHI_3_MINI));

    /** Published totals in billions, to the digits that are published. */
    @ParameterizedTest(name = "{0} {1}B")
    @CsvSource({"llama-3.1-8b, 8.03, 0.005", "llama-3.1-70b, 70.6, 0.05", "llama-2-7b, 6.74, 0.005",
            "llama-2-13b, 13.02, 0.005", "llama-2-70b, 69, 0.5", "qwen3-32b, 32.8, 0.05",
            "qwen2.5-7b, 7.61, 0.01", "qwen3-30b-a3b, 30.5, 0.05", "mistral-7b, 7.24, 0.005",
            "mistral-small-24b, 23.6, 0.05", "mixtral-8x7b, 46.7, 0.05", "deepseek-v3, 671, 0.5",
            "deepseek-v2-lite, 15.7, 0.05", "gemma-2-9b, 9.24, 0.01", "gemma-3-12b, 11.8, 0.05",
            "gpt-oss-20b, 20.9, 0.05", "gpt-oss-120b, 116.8, 0.05", "phi-3-mini, 3.82, 0.005"})
    void parametersMatchWhatIsPublished(String name, double billions, double rounding) {
        assertThat(spec(name).parameters() / 1e9).isCloseTo(billions, within(rounding));
    }

    /** Published active counts; some authors leave out the embedding, of which a token reads one row. */
    @ParameterizedTest(name = "{0} {1}B active")
    @CsvSource({"mixtral-8x7b, 12.9, 0.05, true", "qwen3-30b-a3b, 3.3, 0.06, true",
            "deepseek-v3, 37, 0.5, false",
            "gpt-oss-20b, 3.61, 0.005, false", "gpt-oss-120b, 5.13, 0.005, false",
            "deepseek-v2-lite, 2.4, 0.06, false"})
    void activeParametersMatchWhatIsPublished(String name, double billions, double rounding,
            boolean embedding) {
        DecoderSpec spec = spec(name);
        long without = embedding ? 0 : (long) spec.vocab() * spec.hidden();
        assertThat((spec.activeParameters() - without) / 1e9).isCloseTo(billions, within(rounding));
    }

    @ParameterizedTest(name = "{0} {1} B/token")
    @CsvSource({"llama-2-7b, 524288", "llama-2-13b, 819200", "llama-2-70b, 327680", "llama-3.1-70b, 327680",
            "llama-3.1-8b, 131072", "qwen3-32b, 262144", "qwen3-30b-a3b, 98304", "mistral-small-24b, 163840",
            "deepseek-v3, 70272"})
    void kvBytesOfATokenAt16Bits(String name, long bytes) {
        assertThat(spec(name).kvBytesPerToken(2)).isEqualTo(bytes);
    }

    @Test
    void slidingLayersAreCounted() {
        assertThat(windows(Configs.GPT_OSS_20B))
                .isEqualTo(Map.of(OptionalInt.of(128), 12, OptionalInt.empty(), 12));
        assertThat(windows(Configs.GEMMA_3_12B))
                .isEqualTo(Map.of(OptionalInt.of(1024), 40, OptionalInt.empty(), 8));
        assertThat(windows(Configs.GEMMA_2_9B))
                .isEqualTo(Map.of(OptionalInt.of(4096), 21, OptionalInt.empty(), 21));
        assertThat(windows(Configs.MISTRAL_7B)).isEqualTo(Map.of(OptionalInt.of(4096), 32));
        assertThat(windows(Configs.QWEN2_5_7B)).isEqualTo(Map.of(OptionalInt.empty(), 28));
    }

    private static Map<OptionalInt, Integer> windows(String config) {
        return Configs.spec(config).layers().stream().collect(java.util.stream.Collectors.toMap(
                r -> r.attention().window(), LayerRun::count));
    }

    /** Brute force over the draws of each expert set of a small router. */
    @Test
    void expectedDistinctExpertsAgreesWithSimulation() {
        FeedForward.Mixture m = new FeedForward.Mixture(16, 4, 8, 0, false, false);
        java.util.SplittableRandom random = new java.util.SplittableRandom(3);
        for (int tokens : new int[]{1, 3, 9}) {
            double sum = 0;
            int trials = 20_000;
            for (int i = 0; i < trials; i++) {
                java.util.BitSet hit = new java.util.BitSet();
                for (int t = 0; t < tokens; t++) {
                    java.util.BitSet own = new java.util.BitSet();
                    while (own.cardinality() < 4) {
                        own.set(random.nextInt(16));
                    }
                    hit.or(own);
                }
                sum += hit.cardinality();
            }
            assertThat(m.expectedDistinct(tokens)).isCloseTo(sum / trials, within(0.05));
        }
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(delimiter = '|', value = {
            "\"hidden_size\":4096,||config.json: field 'hidden_size' is missing; expected a whole number of at least 1",
            "\"hidden_size\":4096|\"hidden_size\":-1|config.json: field 'hidden_size' is -1; expected 1 to 67108864",
            "\"model_type\":\"llama\"|\"model_type\":\"mamba\"|config.json: field 'model_type' is 'mamba'; expected one of llama, mistral",
            "\"num_key_value_heads\":8|\"num_key_value_heads\":7|config.json: num_attention_heads is 32; expected a multiple of num_key_value_heads, 7",
            "\"num_attention_heads\":32|\"num_attention_heads\":30|config.json: field 'num_attention_heads' is 30; expected a divisor of hidden_size, 4096",
            "\"hidden_size\":4096|\"hidden_size\":\"4096\"|field 'hidden_size' is a text; expected a whole number",
            "\"vocab_size\":128256|\"vocab_size\":1.5|field 'vocab_size' is a number; expected a whole number",
            "bfloat16|int7|field 'torch_dtype' is 'int7'",
            "\"num_hidden_layers\":32|\"num_hidden_layers\":32,\"layer_types\":[\"full_attention\"]|field 'layer_types' has 1 entries; expected num_hidden_layers, 32"})
    void faultsNameFileFieldAndBound(String good, String bad, String message) {
        assertThat(Configs.LLAMA_3_1_8B).contains(good);
        assertThatThrownBy(() -> Configs.spec(Configs.LLAMA_3_1_8B.replace(good, bad == null ? "" : bad)))
                .isInstanceOf(AssayException.class).hasMessageContaining(message).message()
                .doesNotContain("\n");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', value = {
            "\"num_experts_per_tok\":8|\"num_experts_per_tok\":300|experts per token is 300; expected at most the experts, 256",
            "\"first_k_dense_replace\":3|\"first_k_dense_replace\":62|field 'first_k_dense_replace' is 62; expected at most num_hidden_layers, 61",
            "\"kv_lora_rank\":512,||field 'kv_lora_rank' is missing",
            "\"fp8\"|\"zip\"|field 'quant_method' is 'zip'"})
    void faultsOfExpertsAndLatentAttention(String good, String bad, String message) {
        assertThat(Configs.DEEPSEEK_V3).contains(good);
        assertThatThrownBy(() -> Configs.spec(Configs.DEEPSEEK_V3.replace(good, bad == null ? "" : bad)))
                .isInstanceOf(AssayException.class).hasMessageContaining(message);
    }

    private static DecoderSpec spec(String name) {
        return Configs.spec(java.util.Objects.requireNonNull(MODELS.get(name)));
    }
}
