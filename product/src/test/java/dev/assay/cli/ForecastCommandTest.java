package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForecastCommandTest {
    private static final String LLAMA = "vllm serve meta-llama/Llama-3.1-8B-Instruct";

    @TempDir
    private Path dir = Path.of("");

    private static Cli forecast(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "forecast";
        System.arraycopy(args, 0, all, 1, args.length);
        return Cli.run(all);
    }

    private static void assertGolden(String name, String text) throws IOException {
        Path golden = Path.of("src/test/resources/dev/assay/cli/" + name);
        Path file = Files.exists(golden) ? golden : Path.of("product").resolve(golden);
        assertThat(text).isEqualTo(Files.readString(file));
    }

    @Test
    void oneArmIsAsRecorded() throws IOException {
        Cli run = forecast("step", "--hardware", "h100_sxm", "--baseline", LLAMA, "--activation-gib", "4.76",
                "--batch", "1,32", "--draws", "50", "--width", "100");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertGolden("forecast-step.txt", run.out());
    }

    @Test
    void twoArmsWithTheMapAreAsRecorded() throws IOException {
        Cli run = forecast("step", "--hardware", "a100_sxm", "--baseline", LLAMA, "--candidate",
                LLAMA + " -q gptq_marlin", "--input-tokens", "512", "--metric", "tpot", "--batch", "1,64",
                "--draws",
                "30", "--surface", "--width", "80");
        assertThat(run.err()).isEmpty();
        assertGolden("forecast-pair.txt", run.out());
        assertThat(run.out().lines()).allMatch(l -> l.length() <= 80);
    }

    @Test
    void theMapFillsTheWidth() {
        for (int width : new int[]{80, 120}) {
            Cli run = forecast("--surface", "--hardware", "a100_sxm", "--baseline", LLAMA, "--candidate",
                    LLAMA + " -q gptq_marlin", "--metric", "tpot", "--width", Integer.toString(width),
                    "--draws", "10");
            assertThat(run.code()).isZero();
            assertThat(run.out().lines().filter(l -> l.contains("|"))).hasSize(12)
                    .allMatch(l -> l.length() == width && l.substring(10).matches("[-+.x]+"));
            assertThat(run.out()).contains("+++").contains("---").contains("...");
        }
    }

    @Test
    void jsonHoldsWhatTheTextSays() {
        Cli run = forecast("step", "--hardware", "h100_sxm", "--baseline", LLAMA, "--candidate",
                LLAMA + " --kv-cache-dtype fp8", "--rate", "1,4", "--draws", "6", "--json", "--surface");
        JsonValue.Obj d = Json.parse(run.out(), "out").asObject();
        assertThat(d.require("arms").asList()).hasSize(2);
        assertThat(d.require("points").asList()).hasSize(2);
        assertThat(d.require("flips").asList()).hasSize(3);
        JsonValue.Obj point = d.require("points").asList().getFirst().asObject();
        assertThat(point.require("axis").asText()).isEqualTo("rate");
        assertThat(point.require("candidate").asObject().require("limiter").asObject().require("limiter")
                .asText())
                .isNotEmpty();
        assertThat(d.require("surface").asObject().require("rows").asList()).hasSize(12);
        assertThat(d.require("arms").asList().get(1).asObject().require("kv").asText()).isEqualTo("fp8");
    }

    @Test
    void aModelOfAConfigFile() throws IOException {
        Path file = Files.writeString(dir.resolve("config.json"),
                "{\"model_type\":\"qwen3_moe\",\"num_hidden_layers\":48,\"hidden_size\":2048,"
                        + "\"num_attention_heads\":32,\"num_key_value_heads\":4,\"intermediate_size\":6144,"
                        + "\"vocab_size\":151936,\"max_position_embeddings\":40960,\"head_dim\":128,"
                        + "\"num_experts\":128,\"num_experts_per_tok\":8,\"moe_intermediate_size\":768}");
        Cli run = forecast("step", "--model", file.toString(), "--hardware", "h100_sxm", "--baseline",
                "vllm serve m", "--draws", "10", "--batch", "8", "--json");
        JsonValue.Obj arm = Json.parse(run.out(), "out").asObject().require("arms").asList().getFirst()
                .asObject();
        assertThat(arm.require("parameters").asDouble() / 1e9).isBetween(30.45, 30.55);
        assertThat(arm.require("active_parameters").asDouble() / 1e9).isBetween(3.25, 3.4);
        assertThat(arm.require("page_size").asLong()).isEqualTo(16);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', value = {
            "vllm serve meta-llama/Llama-3.1-8B -tp 3|vllm: tensor parallel size is 3; expected a divisor of the model's attention heads, 32",
            "vllm serve meta-llama/Llama-3.1-8B --block-size 24|--baseline: vllm serve: --block-size is '24'; expected a page size that vLLM supports",
            "vllm serve meta-llama/Llama-3.1-405B|vllm: the weights take 755.96 GiB on each device",
            "vllm serve nobody/Unknown-9B|model 'nobody/Unknown-9B' is no file and no known name; expected a config.json",
            "vllm serve|--baseline names no model; expected one in it, or --model",
            "vllm serve deepseek-ai/DeepSeek-V3 -tp 8 -dp 3 -ep|vllm: expert parallel size is 24; expected a divisor of the model's experts, 256",
            "ollama run x|--baseline: command 'ollama run x' is of no engine that is known"})
    void contradictionsAreOneLine(String command, String message) {
        Cli run = forecast("step", "--hardware", "h100_sxm", "--baseline", command);
        assertThat(run.code()).isEqualTo(Exit.MISUSE);
        assertThat(run.err()).startsWith("assay: " + message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "0", "uniform:9,3", "lognormal:0,1,1,9", "ten", "99999999999"})
    void absurdLengthsAreOneLine(String length) {
        Cli run = forecast("step", "--hardware", "h100_sxm", "--baseline", LLAMA, "--input-tokens=" + length);
        assertThat(run.code()).isEqualTo(Exit.MISUSE);
        assertThat(run.err()).contains("length '" + length + "'").hasLineCount(1);
    }

    @Test
    void ignoredOptionsThatDifferAreRefused() {
        Cli run = forecast("step", "--hardware", "h100_sxm", "--baseline", LLAMA, "--candidate",
                LLAMA + " --enforce-eager");
        assertThat(run.code()).isEqualTo(Exit.MISUSE);
        assertThat(run.err()).contains("the arms differ in enforce-eager, which the forecast ignores")
                .hasLineCount(1);
        Cli same = forecast("step", "--hardware", "h100_sxm", "--baseline", LLAMA + " --enforce-eager",
                "--draws",
                "5", "--batch", "1");
        assertThat(same.out()).contains("does not see\n  enforce-eager");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--batch|0|--batch is '0'; expected numbers above 0",
            "--rate|x|--rate is 'x'",
            "--draws|0|--draws is 0; expected 1 to 10000", "--width|9|--width is 9; expected 60 to 400",
            "--acceptance|2|acceptance is 2.0; expected 0 or more, below 1",
            "--routing-skew|-1|routing skew is -1.0; expected 0 to 4"})
    void badOptionsAreOneLine(String option, String value, String message) {
        Cli run = forecast("step", "--hardware", "h100_sxm", "--baseline", LLAMA, option, value);
        assertThat(run.code()).isEqualTo(Exit.MISUSE);
        assertThat(run.err()).contains(message).hasLineCount(1);
    }

    @Test
    void pagesAreAsRecorded() throws IOException {
        Path trace = Files.writeString(dir.resolve("t.csv"), "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                + "2023-11-16 18:00:00.0000000,100,30\n2023-11-16 18:00:01.0000000,37,64\n"
                + "2023-11-16 18:00:05.0000000,513,7");
        Cli run = forecast("pages", "--trace", trace.toString(), "--block-size", "8,15,16", "--shared-prefix",
                "64");
        assertThat(run.err()).isEmpty();
        assertGolden("forecast-pages.txt", run.out());
        JsonValue.Obj d = Json.parse(forecast("pages", "--trace", trace.toString(), "--json").out(), "out")
                .asObject();
        assertThat(d.require("requests").asLong()).isEqualTo(3);
        assertThat(d.require("pages").asList()).hasSize(5);
    }

    @Test
    void badTracesAndSizesAreOneLine() throws IOException {
        Path trace = Files.writeString(dir.resolve("bad.csv"), "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                + "2023-11-16 18:00:00.0000000,-4,30\n");
        Cli negative = forecast("pages", "--trace", trace.toString());
        assertThat(negative.code()).isEqualTo(Exit.MISUSE);
        assertThat(negative.err()).contains("bad.csv:2").contains("ContextTokens").hasLineCount(1);
        assertThat(forecast("pages", "--trace", trace.toString(), "--block-size", "0").err())
                .contains("--block-size has 0; expected 1 to 1048576").hasLineCount(1);
        assertThat(forecast("pages").err()).contains("expected one source of lengths").hasLineCount(1);
    }
}
