package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code assay twin} as its users call it. */
class TwinCommandTest {
    @TempDir
    Path temp;
    private String trace = "";

    @BeforeEach
    void writeTrace() throws IOException {
        SplittableRandom random = new SplittableRandom(9);
        List<String> lines = new ArrayList<>(List.of("TIMESTAMP,ContextTokens,GeneratedTokens"));
        double at = 0;
        for (int i = 0; i < 2000; i++) {
            at -= Math.log(1 - random.nextDouble()) / 5;
            lines.add(String.format(Locale.ROOT, "2023-11-16 18:%02d:%09.6f,%d,%d", (int) (at / 60), at % 60,
                    random.nextInt(50, 1500), random.nextInt(20, 400)));
        }
        trace = Files.write(temp.resolve("t.csv"), lines).toString();
    }

    @Test
    void jsonIsOneDocumentWithBothArms() {
        Cli cli = Cli.run("twin", "--trace", trace, "--rate", "10,20", "--slo", "ttft:300,tpot:15",
                "--candidate",
                "max_num_seqs=16", "--draws", "9", "--json");
        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        JsonValue.Obj document = Json.parse(cli.out(), "stdout").asObject();
        assertThat(document.require("simulated_requests_per_s").asDouble()).isPositive();
        JsonValue.Obj result = document.require("result").asObject();
        assertThat(result.require("trace").asObject().require("requests").asLong()).isEqualTo(2000);
        List<JsonValue> points = result.require("points").asList();
        assertThat(points).hasSize(2);
        JsonValue.Obj second = points.get(1).asObject();
        assertThat(second.require("offered_rps").asDouble()).isCloseTo(20,
                org.assertj.core.api.Assertions.within(1e-9));
        for (String arm : List.of("baseline", "candidate", "ratio")) {
            JsonValue.Obj tpot = second.require(arm).asObject().require("tpot_p50_ms").asObject();
            assertThat(tpot.require("low").asDouble()).isLessThan(tpot.require("high").asDouble());
        }
        assertThat(result.require("simulated_requests").asLong()).isGreaterThan(2 * 2 * 10 * 1000L);
    }

    @Test
    void theSameCallPrintsTheSame() {
        String[] call = {"twin", "--trace", trace, "--speed", "2", "--draws", "3", "--candidate",
                "block_size=32"};
        String first = Cli.run(call).out().replaceAll("simulated in .*", "");
        assertThat(Cli.run(call).out().replaceAll("simulated in .*", "")).isEqualTo(first);
        assertThat(first.lines().filter(l -> !l.startsWith(temp.toString())).mapToInt(String::length).max()
                .orElseThrow())
                .isLessThanOrEqualTo(80);
        assertThat(first).contains("TTFT p50, ms", "decode rows/step", "baseline limited by",
                "candidate limited by",
                "first principles on h100_sxm");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "--rate 0|--rate is '0'; expected numbers above 0",
            "--calibrate nowhere|--calibrate: no such file or directory: nowhere",
            "--calibrate a --review b|--review and --calibrate are both given",
            "--rate 1 --speed 2|--rate and --speed are both given",
            "--model gpt-unknown|'gpt-unknown' is not in the table",
            "--hardware h900|h900",
            "--model llama-3.1-70b|h100_sxm: the weights take",
            "--candidate page=3|--candidate has 'page=3'",
            "--candidate max_num_seqs=many|max_num_seqs is 'many'; expected a whole number",
            "--weights f32|weights f32 on h100_sxm",
            "--max-num-batched-tokens 8|max_num_batched_tokens is 8; expected at least 256",
            "--draws -1|draws is -1; expected 0 to 1000",
            "--num-blocks 0|num_blocks is 0; expected at least 1"})
    void misuseIsOneLine(String args, String expected) {
        List<String> all = new ArrayList<>(List.of("twin", "--trace", trace));
        all.addAll(List.of(args.split(" ")));
        Cli cli = Cli.run(all.toArray(String[]::new));
        assertThat(cli.code()).isEqualTo(Exit.MISUSE);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).contains(expected).doesNotContain("internal error");
        assertThat(cli.err().strip().lines()).hasSize(1);
    }

    @Test
    void withoutATraceOrMeasuredReviewsItSaysWhatIsExpected() {
        Cli none = Cli.run("twin");
        assertThat(none.code()).isEqualTo(Exit.MISUSE);
        assertThat(none.err()).contains("--trace is missing; expected a trace, or --slots").hasLineCount(1);
        Cli empty = Cli.run("twin", "--slots", temp.resolve("no-review").toString());
        assertThat(empty.code()).isNotZero();
        assertThat(empty.err()).hasLineCount(1).doesNotContain("internal error");
    }
}
