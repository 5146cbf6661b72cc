package dev.assay.forecast.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.forecast.arith.Parallelism;
import dev.assay.forecast.arith.QuantFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArmSettingsTest {
    private static final double H100 = 79.18 * (1L << 30);
    private static final double SMALL = 24e9;

    private static ArmSettings of(String command) {
        return ArmSettings.of(command, H100);
    }

    @Test
    void defaultsOfVllm() {
        ArmSettings s = of("vllm serve meta-llama/Llama-3.1-8B-Instruct");
        assertThat(s.engine()).isEqualTo("vllm");
        assertThat(s.model()).contains("meta-llama/Llama-3.1-8B-Instruct");
        assertThat(s.maxNumSeqs()).isEqualTo(1024);
        assertThat(s.tokenBudget()).isEqualTo(8192);
        assertThat(s.pageSize()).isEqualTo(16);
        assertThat(s.memoryShare()).isEqualTo(0.92);
        assertThat(s.parallel()).isEqualTo(Parallelism.ONE);
        assertThat(s.prefixCaching()).isTrue();
        assertThat(s.mixed()).isTrue();
        assertThat(s.weights()).isEmpty();
        assertThat(s.blind()).isEmpty();
        assertThat(s.defaults()).contains("max-num-seqs=1024", "gpu-memory-utilization=0.92");
        ArmSettings small = ArmSettings.of("vllm serve m", SMALL);
        assertThat(small.maxNumSeqs()).isEqualTo(256);
        assertThat(small.tokenBudget()).isEqualTo(2048);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "vllm serve m -tp 4 -pp 2 --max-num-seqs 64 --max_num_batched_tokens=4K --kv-cache-dtype fp8 -q awq",
            "CUDA_VISIBLE_DEVICES=0,1 /usr/bin/vllm serve --model m --tensor-parallel-size=4 --pipeline-parallel-size 2"
                    + " --max-num-seqs=64 --max-num-batched-tokens 4096 --kv_cache_dtype=fp8_e4m3 --quantization awq",
            "python3 -m vllm.entrypoints.openai.api_server --model \"m\" -tp=4 -pp=2 --max-num-seqs 64 \\\n"
                    + " --max-num-batched-tokens 4096 --kv-cache-dtype 'fp8' --quantization=awq_marlin --port 8000"})
    void shortFormsUnderscoresAndEqualsAreTheSame(String command) {
        ArmSettings s = of(command);
        assertThat(s.model()).contains("m");
        assertThat(s.parallel()).isEqualTo(new Parallelism(4, 2, 1, 1));
        assertThat(s.maxNumSeqs()).isEqualTo(64);
        assertThat(s.tokenBudget()).isEqualTo(4096);
        assertThat(s.kv()).contains(QuantFormat.FP8);
        assertThat(s.weights()).contains(QuantFormat.INT4_G128_ZERO);
        assertThat(s.blind()).isEmpty();
    }

    @Test
    void expertParallelismAndDrafts() {
        ArmSettings s = of("vllm serve m -tp 2 -dp 4 --enable-expert-parallel --no-enable-prefix-caching"
                + " --speculative-config '{\"method\":\"ngram\",\"num_speculative_tokens\":3}'");
        assertThat(s.parallel()).isEqualTo(new Parallelism(2, 1, 4, 8));
        assertThat(s.prefixCaching()).isFalse();
        assertThat(s.speculativeTokens()).isEqualTo(3);
    }

    @Test
    void whatIsNotSeenIsListed() {
        ArmSettings s = of(
                "vllm serve m --enforce-eager --attention-backend FLASHINFER --new-knob 3 --other-flag"
                        + " --host 0.0.0.0 --trust-remote-code");
        assertThat(s.blind()).containsExactly("enforce-eager", "attention-backend=FLASHINFER", "new-knob=3",
                "other-flag");
        assertThat(ArmSettings.blindDifferences(s, of("vllm serve m --attention-backend FLASH_ATTN")))
                .containsExactly("attention-backend", "enforce-eager", "new-knob", "other-flag");
        assertThat(ArmSettings.blindDifferences(s, s)).isEmpty();
    }

    @Test
    void sglang() {
        ArmSettings s = of("python -m sglang.launch_server --model-path m --tp 2 --mem-fraction-static 0.8"
                + " --page-size 64 --chunked-prefill-size 4096 --max-running-requests 100 --disable-radix-cache"
                + " --kv-cache-dtype fp8_e5m2 --quantization fp8");
        assertThat(s.engine()).isEqualTo("sglang");
        assertThat(s.parallel().tensor()).isEqualTo(2);
        assertThat(s.pageSize()).isEqualTo(64);
        assertThat(s.tokenBudget()).isEqualTo(4096);
        assertThat(s.maxNumSeqs()).isEqualTo(100);
        assertThat(s.prefixCaching()).isFalse();
        assertThat(s.mixed()).isFalse();
        assertThat(s.kv()).contains(QuantFormat.FP8);
        ArmSettings d = of("python3 -m sglang.launch_server --model m");
        assertThat(d.pageSize()).isEqualTo(1);
        assertThat(d.tokenBudget()).isEqualTo(8192);
        assertThat(of("sglang serve --model-path m --attention-backend flashmla").pageSize()).isEqualTo(64);
    }

    @Test
    void spreadAttentionOfSglang() {
        ArmSettings s = of(
                "python -m sglang.launch_server --model m --tp 8 --dp 4 --ep 8 --enable-dp-attention");
        assertThat(s.parallel()).isEqualTo(new Parallelism(2, 1, 4, 8));
    }

    @Test
    void llamaServer() {
        ArmSettings s = of(
                "llama-server -m models/llama-3.1-8b.Q8_0.gguf -c 8192 -np 4 -b 1024 -ctk q8_0 -ctv q8_0"
                        + " -t 2 -ngl 99 --port 8080");
        assertThat(s.engine()).isEqualTo("llama.cpp");
        assertThat(s.maxNumSeqs()).isEqualTo(4);
        assertThat(s.tokenBudget()).isEqualTo(1024);
        assertThat(s.kvTokens()).hasValue(8192);
        assertThat(s.longest()).hasValue(2048);
        assertThat(s.weights()).contains(QuantFormat.Q8_0);
        assertThat(s.kv()).contains(QuantFormat.Q8_0);
        assertThat(s.blind()).containsExactly("t=2", "gpu-layers=99");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "vllm serve m --block-size 12|vllm serve: --block-size is '12'; expected a page size that vLLM supports, one of [1, 8, 16, 32, 64, 128, 256]",
            "vllm serve m --max-num-seqs many|vllm serve: --max-num-seqs is 'many'; expected a whole number of at least 1",
            "vllm serve m --max-num-seqs -4|vllm serve: --max-num-seqs is '-4'; expected a whole number of at least 1",
            "vllm serve m --max-num-seqs|vllm serve: --max-num-seqs has no value; expected one after it",
            "vllm serve m --max-num-seqs 8 --max-num-seqs 9|vllm serve: --max-num-seqs is given twice; expected once",
            "vllm serve m --gpu-memory-utilization 1.5|vllm serve: --gpu-memory-utilization is '1.5'; expected a number above 0 and at most 1",
            "vllm serve m --max-num-batched-tokens 4|vllm serve: --max-num-batched-tokens is 4; expected at least --max-num-seqs, 1024",
            "vllm serve m -q zip|vllm serve: --quantization is 'zip'; expected fp8",
            "vllm serve m --kv-cache-dtype fp3|vllm serve: --kv-cache-dtype is 'fp3'; expected auto",
            "vllm serve m --speculative-config {}|field 'num_speculative_tokens' is missing",
            "sglang serve --model m --page-size 16 --attention-backend flashmla|sglang: --page-size is '16'; expected a page size that attention backend flashmla supports, one of [64]",
            "sglang serve --model m --chunked-prefill-size 100 --page-size 64|sglang: --chunked-prefill-size is 100; expected -1 or a multiple of --page-size, 64",
            "llama-server -m x -np 8 -c 4|llama-server: --ctx-size is '4'; expected at least one token for each of 8 slots",
            "llama-server -m x -ctk q8_0|llama-server: --cache-type-k is q8_0 and --cache-type-v f16; expected the same",
            "trtllm-serve m|command 'trtllm-serve m' is of no engine that is known; expected vllm serve",
            "vllm serve 'm|expected the quote ' to be closed"}, quoteCharacter = '`')
    void faultsAreOneLine(String command, String message) {
        assertThatThrownBy(() -> of(command)).isInstanceOf(AssayException.class).hasMessageContaining(message)
                .message().doesNotContain("\n");
    }
}
