package dev.assay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Known shapes against published KV sizes and parameter counts. */
class KnownModelsTest {
    /** Bytes of KV a token in 16 bits: section 3 of the forecasting reference (vLLM paper, llm-d planner). */
    @ParameterizedTest
    @CsvSource({"meta-llama/Llama-2-7b-hf, 524288", "meta-llama/Llama-2-13b-chat-hf, 819200",
            "Llama-2-70b, 327680", "meta-llama/Meta-Llama-3-70B-Instruct, 327680",
            "meta-llama/Meta-Llama-3-8B, 131072", "Qwen/Qwen3-32B, 262144",
            "mistralai/Mistral-Small-24B-Instruct-2501, 163840"})
    void kvBytesPerToken(String path, long bytes) {
        assertThat(KnownModels.named(path).shape().kvBytesPerToken(2)).isEqualTo(bytes);
    }

    /** Parameters as the model cards state them, 10^9. */
    @ParameterizedTest
    @CsvSource({"llama-3.1-8b, 8.03", "llama-3.1-70b, 70.6", "llama-3.1-405b, 405.9", "llama-3.2-1b, 1.24",
            "llama-3.2-3b, 3.21", "llama-3.3-70b, 70.6", "llama-2-7b, 6.74", "llama-2-13b, 13.0",
            "llama-2-70b, 69.0", "qwen3-0.6b, 0.596", "qwen3-1.7b, 1.72", "qwen3-4b, 4.02", "qwen3-8b, 8.19",
            "qwen3-14b, 14.77", "qwen3-32b, 32.76", "qwen2.5-0.5b, 0.494", "qwen2.5-1.5b, 1.54",
            "qwen2.5-3b, 3.09", "qwen2.5-7b, 7.61", "qwen2.5-14b, 14.77", "qwen2.5-32b, 32.76",
            "qwen2.5-72b, 72.7", "mistral-7b-v0.3, 7.25", "mistral-nemo, 12.25", "mistral-small-24b, 23.57",
            "yi-34b, 34.4"})
    void parameters(String name, double billions) {
        assertThat(KnownModels.named(name).shape().parameters() / 1e9).isCloseTo(billions,
                within(0.006 * billions));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia/Llama-3.1-8B-Instruct-FP8", "meta-llama/Llama-3.1-8B",
            "META-LLAMA/LLAMA-3.1-8B-INSTRUCT", "RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16",
            "neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8-dynamic",
            "hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4"})
    void namesOfOneShape(String path) {
        assertThat(KnownModels.named(path).name()).isEqualTo("llama-3.1-8b");
    }

    @Test
    void whatIsNotKnownIsSaidInOneLine() {
        for (String path : new String[]{"mistralai/Mistral-7B-v0.1", "acme/Llama-3.1-8B-eagle", "", "/",
                "Qwen/Qwen3-30B-A3B"}) {
            assertThat(KnownModels.find(path)).as(path).isEmpty();
        }
        assertThatThrownBy(() -> KnownModels.named("gpt-9")).isInstanceOf(AssayException.class)
                .hasMessageContaining("gpt-9").hasMessageContaining("config.json")
                .hasMessageContaining("qwen3-32b").hasMessageNotContaining("\n");
    }
}
