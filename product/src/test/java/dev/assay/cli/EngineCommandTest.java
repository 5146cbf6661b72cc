package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.engine.EngineConfig;
import dev.assay.engine.EngineServer;
import dev.assay.model.WeightFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Options become settings, and wrong ones become one line. */
class EngineCommandTest {
    private static final Path MODEL = Path.of(System.getProperty("assay.root", "."), "model",
            "assay-18m-bf16.gguf");

    private static EngineConfig config(String... options) {
        List<String> all = new ArrayList<>(List.of("--model", MODEL.toString()));
        all.addAll(List.of(options));
        EngineCommand command = new EngineCommand();
        new CommandLine(command).parseArgs(all.toArray(String[]::new));
        return command.config();
    }

    @Test
    void defaults() {
        EngineConfig config = config();
        assertThat(config.servedModelName()).isEqualTo("assay-18m");
        assertThat(config.host()).isEqualTo("127.0.0.1");
        assertThat(config.port()).isEqualTo(8000);
        assertThat(config.maxModelLen()).isEqualTo(2048);
        assertThat(config.weights()).isEqualTo(WeightFormat.F32);
        assertThat(config.threads()).isEqualTo(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
        assertThat(config.scheduler().maxNumSeqs()).isEqualTo(8);
        assertThat(config.scheduler().maxNumBatchedTokens()).isEqualTo(256);
        assertThat(config.scheduler().blockSize()).isEqualTo(16);
        assertThat(config.scheduler().numBlocks()).isEqualTo(8 * 2048 / 16);
        assertThat(config.scheduler().prefixCaching()).isTrue();
    }

    @Test
    void optionsAreTaken() {
        EngineConfig config = config("--port", "0", "--block-size", "32", "--num-blocks", "77",
                "--max-num-seqs", "3",
                "--max-num-batched-tokens", "40", "--max-model-len", "512", "--threads", "2", "--dtype",
                "float16",
                "--served-model-name", "x", "--no-enable-prefix-caching", "--watermark", "0.2");
        assertThat(config.scheduler()).isEqualTo(
                new dev.assay.scheduler.SchedulerConfig(3, 40, 32, 77, 0.2, false));
        assertThat(config.weights()).isEqualTo(WeightFormat.F16);
        assertThat(config.maxModelLen()).isEqualTo(512);
        assertThat(config.threads()).isEqualTo(2);
        assertThat(config.servedModelName()).isEqualTo("x");
        assertThat(config("--enable-prefix-caching").scheduler().prefixCaching()).isTrue();
        assertThat(config("--quantization", "q8_0").weights()).isEqualTo(WeightFormat.Q8_0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--block-size|24|block_size must be a multiple of 16, was 24",
            "--block-size|0|block_size must be at least 1, was 0",
            "--max-num-seqs|0|max_num_seqs must be at least 1",
            "--max-num-batched-tokens|7|max_num_batched_tokens must be at least 8, was 7",
            "--num-blocks|0|num_blocks must be at least 1", "--threads|0|threads must be at least 1",
            "--max-model-len|9999|--max-model-len 9999: the model's context length is 2048",
            "--watermark|1|watermark must be in [0, 1)", "--port|70000|port must be between 0 and 65535",
            "--dtype|int4|--dtype int4: expected", "--quantization|q4|--quantization q4: expected",
            "--model|/no/such.gguf|/no/such.gguf: no such file"})
    void wrongValuesAreMisuseInOneLine(String option, String value, String message) {
        assertThatThrownBy(() -> {
            EngineCommand command = new EngineCommand();
            List<String> all = option.equals("--model")
                    ? List.of(option, value)
                    : List.of("--model", MODEL.toString(), option, value);
            new CommandLine(command).parseArgs(all.toArray(String[]::new));
            command.config();
        }).isInstanceOfSatisfying(AssayException.class, e -> {
            assertThat(e.kind()).isEqualTo(AssayException.Kind.MISUSE);
            assertThat(e.getMessage()).contains(message).doesNotContain("\n");
        });
    }

    @Test
    void aTakenPortIsAFaultOfTheEnvironment() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EngineConfig config = config("--port", Integer.toString(taken.getLocalPort()));
            assertThatThrownBy(() -> EngineServer.start(config).close())
                    .isInstanceOfSatisfying(AssayException.class, e -> {
                        assertThat(e.kind()).isEqualTo(AssayException.Kind.ENVIRONMENT);
                        assertThat(e.getMessage()).contains(":" + taken.getLocalPort() + ": cannot listen");
                    });
        }
    }
}
