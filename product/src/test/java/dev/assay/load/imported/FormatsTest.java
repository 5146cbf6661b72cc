package dev.assay.load.imported;

import static dev.assay.load.imported.Runs.fixture;
import static dev.assay.load.imported.Runs.has;
import static dev.assay.load.imported.Runs.mean;
import static dev.assay.load.imported.Runs.p;
import static dev.assay.load.imported.Runs.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Formats without a real file at hand, and odd content of the others: made-up files whose numbers are seen in them. */
class FormatsTest {
    private static List<ImportedRun> parse(String text) {
        return Importer.read(text.getBytes(StandardCharsets.UTF_8), "f");
    }

    @Test
    void sglangLinesWithInfinityTraceAndUnmeasuredTtft() {
        List<ImportedRun> runs = Importer.read(fixture("sglang.jsonl"));
        ImportedRun open = runs.getFirst();
        assertThat(open.facts()).containsEntry(Fact.RATE, "inf").containsEntry(Fact.CONCURRENCY, "16")
                .containsEntry(Fact.DATASET, "random 1024/128 x0.5");
        assertThat(open.counts().failed()).as("SGLang counts no failures").isEmpty();
        assertThat(mean(open, Formula.TTFT_CONTENT_CONNECT)).isEqualTo(250.5);
        assertThat(p(open, Formula.TPOT_STREAM_END, 99, QuantileRule.LINEAR)).isEqualTo(33);
        assertThat(p(open, Formula.E2E_STREAM_SENT, 50, QuantileRule.LINEAR)).isEqualTo(2800.25);
        ImportedRun trace = runs.getLast();
        assertThat(trace.facts()).containsEntry(Fact.ARRIVALS, "trace").doesNotContainKey(Fact.RATE);
        assertThat(has(trace, Formula.TTFT_CONTENT_CONNECT)).as("0 is not measured").isFalse();
        assertThat(has(trace, Formula.TPOT_STREAM_END)).as("it holds the prefill").isFalse();
        assertThat(has(trace, Formula.ITL_CHUNK_OVER_TOKENS)).isFalse();
        assertThat(mean(trace, Formula.E2E_STREAM_SENT)).isEqualTo(900);
    }

    @Test
    void sglangDetailsLeaveUnmeasuredRequestsOut() {
        ImportedRun run = Runs.only(fixture("sglang_details.jsonl"));
        assertThat(mean(run, Formula.TTFT_CONTENT_CONNECT)).isCloseTo(100, within(1e-9));
        assertThat(run.notes()).anyMatch(n -> n.contains("TTFT mean is 66.70 in the file"));
        assertThat(has(run, Formula.TPOT_STREAM_END)).isFalse();
    }

    @Test
    void vllmChatCountsItsFirstChunkAndItsFailures() {
        ImportedRun run = Runs.only(fixture("vllm_chat.json"));
        assertThat(mean(run, Formula.TTFT_CHUNK_SENT)).isCloseTo(60, within(1e-9));
        assertThat(has(run, Formula.TTFT_CONTENT_SENT)).isFalse();
        assertThat(has(run, Formula.TPOT_CONTENT)).isFalse();
        assertThat(run.counts().failed()).isEqualTo(OptionalLong.of(2));
        assertThat(run.requests().stream().filter(ImportedRequest::completed)).hasSize(2);
        assertThat(has(run, Formula.GOOD_PER_SECOND)).as("null goodput is absent").isFalse();
        assertThat(run.notes()).anyMatch(n -> n.contains("speculative"));
    }

    @Test
    void guidellmOfTheOldForm() {
        List<ImportedRun> runs = Importer.read(fixture("guidellm_v04.json"));
        ImportedRun rate = runs.getFirst();
        assertThat(rate.version()).contains("0.4.0");
        assertThat(rate.facts()).containsEntry(Fact.MODEL, "m").containsEntry(Fact.ENDPOINT, "chat")
                .containsEntry(Fact.RATE, "2").containsEntry(Fact.SEED, "42");
        assertThat(has(rate, Formula.TTFT_CONTENT_SENT)).as("0 is not measured").isFalse();
        assertThat(mean(rate, Formula.E2E_SOCKET_SENT)).as("seconds").isEqualTo(1500);
        assertThat(p(rate, Formula.E2E_SOCKET_SENT, 99.9, QuantileRule.INVERSE_CDF)).isEqualTo(2200);
        assertThat(mean(rate, Formula.NTPOT_CONTENT_WEIGHTED)).isEqualTo(15);
        assertThat(rate.counts().failed()).as("one was cut off, not failed").isEqualTo(OptionalLong.of(1));
        assertThat(rate.notes()).anyMatch(n -> n.startsWith("1 requests were cut off"));
        assertThat(whole(rate, Formula.REQUESTS_OVER_WINDOW)).isEqualTo(1.8);
        assertThat(runs.getLast().facts()).containsEntry(Fact.CONCURRENCY, "4").doesNotContainKey(Fact.RATE);
    }

    @Test
    void mlperfSummaryOfBothLabels() {
        ImportedRun run = Runs.only(fixture("mlperf_log_summary.txt"));
        assertThat(run.invalid()).containsExactly("LoadGen: result is INVALID");
        assertThat(mean(run, Formula.TPOT_SUT)).isCloseTo(126.269215, within(1e-9));
        assertThat(p(run, Formula.TTFT_SUT_SCHEDULED, 99, QuantileRule.FLOOR)).isCloseTo(1760.966679,
                within(1e-9));
        assertThat(p(run, Formula.E2E_SUT_SCHEDULED, 99.9, QuantileRule.FLOOR)).isCloseTo(145708.791529,
                within(1e-6));
        assertThat(whole(run, Formula.OUTPUT_LOADGEN)).isEqualTo(29522.56);
        assertThat(run.facts()).containsEntry(Fact.RATE, "104").containsEntry(Fact.SEED,
                "16159082839903944936");
        assertThat(run.notes()).anyMatch(n -> n.contains("early stopping satisfied: NO"));
        ImportedRun renamed = parse("MLPerf Results Summary\nScenario : Server\nResult is : VALID\n"
                + "Mean Time per Output Token (ns) : 5000000\n99.00 percentile time per output token (ns) : 9000000\n")
                .getFirst();
        assertThat(mean(renamed, Formula.TPOT_SUT)).isEqualTo(5);
        assertThat(p(renamed, Formula.TPOT_SUT, 99, QuantileRule.FLOOR)).isEqualTo(9);
        assertThat(renamed.invalid()).isEmpty();
    }

    @Test
    void mlperfDetail() {
        ImportedRun run = Runs.only(fixture("mlperf_log_detail.txt"));
        assertThat(run.counts().attempted()).isEqualTo(OptionalLong.of(24576));
        assertThat(p(run, Formula.TPOT_SUT, 99, QuantileRule.FLOOR)).isCloseTo(164.964162, within(1e-9));
        assertThat(p(run, Formula.E2E_SUT_SCHEDULED, 99.9, QuantileRule.FLOOR)).isCloseTo(145708.791529,
                within(1e-6));
        assertThat(run.invalid()).isEmpty();
    }

    @Test
    void llmdReportsTakeTheFormulasOfTheToolTheyName() {
        ImportedRun run = Runs.only(fixture("llmd.json"));
        assertThat(run.facts()).containsEntry(Fact.MODEL, "Qwen/Qwen3-0.6B").containsEntry(Fact.RATE, "10");
        assertThat(run.counts().completed()).isEqualTo(OptionalLong.of(490));
        assertThat(mean(run, Formula.TTFT_CONTENT_SENT)).as("seconds").isCloseTo(36.9, within(1e-9));
        assertThat(mean(run, Formula.TPOT_CONTENT)).as("milliseconds").isEqualTo(12.5);
        assertThat(p(run, Formula.TTFT_CONTENT_SENT, 99.9, QuantileRule.LINEAR)).isCloseTo(57, within(1e-9));
        ImportedRun guidellm = Runs.only(fixture("llmd.yaml"));
        assertThat(mean(guidellm, Formula.NTPOT_CONTENT_WEIGHTED)).as("GuideLLM's TPOT").isCloseTo(30,
                within(1e-9));
        assertThat(guidellm.facts()).containsEntry(Fact.CONCURRENCY, "inf");
        assertThat(guidellm.counts().failed()).isEmpty();
    }

    @Test
    void inferencexInteractivityIsReadAsTpot() {
        ImportedRun run = Runs.only(fixture("inferencex.json"));
        assertThat(p(run, Formula.TPOT_CHOICES, 99, QuantileRule.LINEAR)).isEqualTo(25);
        assertThat(mean(run, Formula.TTFT_VLLM_UNSTATED)).isEqualTo(250);
    }

    @Test
    void assaysOwnSummary() {
        ImportedRun run = Runs.only(fixture("assay_summary.json"));
        assertThat(mean(run, Formula.TTFT_CONTENT_SCHEDULED)).isEqualTo(30);
        assertThat(mean(run, Formula.TTFT_CONTENT_SENT)).isEqualTo(29);
        assertThat(run.counts().failed()).isEqualTo(OptionalLong.of(2));
        assertThat(run.invalid()).containsExactly("Assay: schedule-lag: p99 12 ms, bound 1 ms");
    }

    @Test
    void tablesAreFoundInPastedText() {
        List<ImportedRun> runs = Importer.read(fixture("pasted.md"));
        assertThat(runs).hasSize(2).allMatch(r -> r.tool() == Tool.VLLM);
        assertThat(mean(runs.getFirst(), Formula.TTFT_VLLM_UNSTATED)).isEqualTo(90.1);
        assertThat(mean(runs.getLast(), Formula.TTFT_VLLM_UNSTATED)).as("quoted by >").isEqualTo(70);
        assertThat(runs.getFirst().counts().failed()).as("no such row in this version").isEmpty();
        assertThat(has(runs.getLast(), Formula.ITL_CHUNKS)).isFalse();
        ImportedRun sglang = Runs.only(fixture("console_sglang.txt"));
        assertThat(sglang.tool()).isEqualTo(Tool.SGLANG);
        assertThat(sglang.facts()).containsEntry(Fact.RATE, "inf").doesNotContainKey(Fact.CONCURRENCY);
        assertThat(p(sglang, Formula.ITL_CHUNK_OVER_TOKENS, 95, QuantileRule.LINEAR)).isEqualTo(13752.97);
    }

    @Test
    void coloursAndWindowsLineEndsDoNotMatter() {
        ImportedRun run = parse("\u001B[1m============ Serving Benchmark Result ============\u001B[0m\r\n"
                + "Mean TTFT (ms):    20.15   \r\nP99.9 TTFT (ms):   99.00\r\n"
                + "==================================================\r\n").getFirst();
        assertThat(mean(run, Formula.TTFT_VLLM_UNSTATED)).isEqualTo(20.15);
        assertThat(p(run, Formula.TTFT_VLLM_UNSTATED, 99.9, QuantileRule.LINEAR)).isEqualTo(99);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{\"backend\":\"b\",\"num_prompts\":1,\"completed\":1,\"request_throughput\":1,\"completed\":2}|field 'completed' stands twice",
            "{\"backend\":\"b\",\"num_prompts\":1,\"completed\":-1,\"request_throughput\":1}|field 'completed': expected a count of at least 0",
            "{\"backend\":\"b\",\"num_prompts\":1,\"completed\":1,\"request_throughput\":\"x\"}|field 'request_throughput': expected a number, found 'x'",
            "{\"backend\":\"b\",\"num_prompts\":1,\"completed\":1,\"request_throughput\":1,\"ttfts\":[null]}|field 'ttfts': expected a number",
            "{\"a\":1}|not a result that is understood", "hello|not a result that is understood",
            "{\"a\":|f:1:", "``|not a result that is understood",
            "== Serving Benchmark Result ==|not a result that is understood",
            "==== Serving Benchmark Result ====|expected rows such as",
            "MLPerf Results Summary|the run's result (VALID or INVALID) is missing",
            "{\"version\":\"0.3\",\"run\":{},\"results\":{\"request_performance\":{}}}|field 'version' is '0.3'"})
    void faultsAreOneLineThatNamesThePlace(String text, String message) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(AssayException.class).hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aRowThatStandsTwiceInATableIsAFault() {
        assertThatThrownBy(
                () -> parse("==== Serving Benchmark Result ====\nMean TTFT (ms): 1.0\nMean TTFT (ms): 2.0\n"))
                .hasMessage("f:3: row 'mean ttft (ms)' stands twice in one table");
    }
}
