package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each trace format: a fixture made here, and the public file where it is present, against figures from Python. */
class TraceTest {
    @TempDir
    Path dir;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }

    /** A public file beside the checkout, or the test is skipped. */
    static Path shared(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path file = at.resolve("shared/data").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        Assumptions.abort("skipped: the shared data is not here (" + name + ")");
        return Path.of("");
    }

    private static List<Request> replay(WorkloadSpec spec, int n) {
        return spec.schedule(new Arrivals.Replay(1), new Extent.Count(n), 1, Calibration.ASSUMED);
    }

    /** Oracle: csv.reader and sums in Python: rows, prompt tokens, answer tokens, milliseconds to the last arrival. */
    @ParameterizedTest
    @CsvSource({"code,8819,18059974,245896,3435948", "conv,19366,22361870,4088665,3501721"})
    void azureFilesOf2023(String name, int rows, long input, long output, long lastMs) {
        Trace trace = Trace.read(shared("AzureLLMInferenceTrace_" + name + ".csv"));
        assertThat(trace.rows()).hasSize(rows);
        assertThat(trace.rows().stream().mapToLong(Trace.Row::inputTokens).sum()).isEqualTo(input);
        assertThat(trace.rows().stream().mapToLong(Trace.Row::outputTokens).sum()).isEqualTo(output);
        assertThat(trace.rows().getLast().arrivalNanos() / 1_000_000).isEqualTo(lastMs);
    }

    @Test
    void azureRowsOf2024HaveAnOffsetAndAreSortedByTime() throws IOException {
        Trace trace = Trace.read(file("a.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                + "2024-05-12 00:00:01.500000+00:00,30,3\n2024-05-12 00:00:00.009930+00:00,20,2\n"
                + "2024-05-12 02:00:02+02:00,40,4\n"));
        assertThat(trace.rows()).containsExactly(new Trace.Row(0, 20, 2),
                new Trace.Row(1_490_070_000L, 30, 3), new Trace.Row(1_990_070_000L, 40, 4));
    }

    /** Oracle: json and sums in Python; "hits" are tokens of leading blocks that an earlier row had, block by block. */
    @ParameterizedTest
    @CsvSource({"conversation,12031,144793823,54098411", "synthetic,3993,61194628,39852661"})
    void mooncakeFiles(String name, int rows, long input, long hits) {
        Trace trace = Trace.read(shared("mooncake_" + name + "_trace.jsonl"));
        assertThat(trace.rows()).hasSize(rows);
        assertThat(trace.rows().stream().mapToLong(Trace.Row::inputTokens).sum()).isEqualTo(input);
        Set<Integer> seen = new HashSet<>();
        long found = 0;
        for (Trace.Row row : trace.rows()) {
            boolean leading = true;
            for (int i = 0; i < row.blocks().size(); i++) {
                leading &= seen.contains(row.blocks().get(i));
                found += leading ? Math.min(512, row.inputTokens() - 512 * i) : 0;
            }
            for (int i = 0; i < row.blocks().size(); i++) {
                seen.add(row.blocks().get(i));
            }
        }
        assertThat(found).isEqualTo(hits);
    }

    /** The texts of the public file share what its numbers say: each pair of the first 60 prompts, word for word. */
    @Test
    void mooncakePromptsShareTheirBlocks() {
        WorkloadSpec spec = WorkloadSpec
                .presetOrFile(shared("mooncake_conversation_trace.jsonl").toString());
        Trace trace = ((WorkloadSpec.Content.Traced) spec.content()).trace();
        List<Request> all = replay(spec, 60);
        for (int i = 0; i < 60; i++) {
            for (int j = 0; j < i; j++) {
                HashIds a = trace.rows().get(i).blocks();
                HashIds b = trace.rows().get(j).blocks();
                int blocks = 0;
                while (blocks < Math.min(a.size(), b.size()) && a.get(blocks) == b.get(blocks)) {
                    blocks++;
                }
                int words = Math.min(512 * blocks,
                        Math.min(all.get(i).promptTokens(), all.get(j).promptTokens()));
                assertThat(ScheduleTest.shared(all.get(i), all.get(j))).isBetween(words, words + 2);
            }
        }
    }

    @Test
    void burstGptWithSessions() throws IOException {
        Trace trace = Trace.read(file("b.csv",
                "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                        + "5,s1,2.5,ChatGPT,100,20,120,Conversation log\n"
                        + "6,,1,GPT-4,70,7,77,API log\n"
                        + "9,s2,1,ChatGPT,50,0,50,Conversation log\n"
                        + "20,s1,3,ChatGPT,150,30,180,Conversation log\n"
                        + "40,s1,3,ChatGPT,90,30,120,Conversation log\n"));
        assertThat(trace.rows()).hasSize(4);
        assertThat(trace.rows().get(2)).isEqualTo(new Trace.Row(15_000_000_000L, 150, 30, HashIds.NONE,
                OptionalInt.of(0), 12_500_000_000L));
        List<Request> all = replay(WorkloadSpec.of("b", new WorkloadSpec.Content.Traced(trace)), 9);
        assertThat(all).extracting(Request::promptTokens).containsExactly(100, 150, 70, 90);
        assertThat(all.get(1).turn()).hasValue(new Turn("c0", 1, OptionalInt.of(0), 12_500_000_000L));
        assertThat(all.get(1).prompt().split(" ")).hasSize(30);
        // The fifth row's context shrank, so it is no continuation of what its session said before.
        assertThat(all.get(3).turn()).isEmpty();
        assertThat(all.get(3).arrivalNanos()).isEqualTo(35_000_000_000L);
    }

    @Test
    void burstGptWithoutSessions() throws IOException {
        Trace trace = Trace.read(file("b.csv",
                "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                        + "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,Conversation log\n"));
        assertThat(trace.rows()).containsExactly(new Trace.Row(0, 472, 18),
                new Trace.Row(40_000_000_000L, 1087, 230));
    }

    private static final String BAILIAN = """
            {"chat_id": 7, "parent_chat_id": -1, "timestamp": 1.5, "input_length": 40, "output_length": 10, "type": "text", "turn": 1, "hash_ids": [1, 2, 3]}
            {"chat_id": 8, "parent_chat_id": -1, "timestamp": 2.0, "input_length": 33, "output_length": 5, "type": "text", "turn": 1, "hash_ids": [1, 2, 9]}
            {"chat_id": 9, "parent_chat_id": 7, "timestamp": 4.0, "input_length": 70, "output_length": 10, "type": "search", "turn": 2, "hash_ids": [1, 2, 3, 4, 5]}
            {"chat_id": 10, "parent_chat_id": 9, "timestamp": 9.0, "input_length": 75, "output_length": 10, "type": "text", "turn": 3, "hash_ids": [1, 2, 3, 4, 6]}
            {"chat_id": 11, "parent_chat_id": 7, "timestamp": 9.5, "input_length": 60, "output_length": 10, "type": "text", "turn": 2, "hash_ids": [1, 2, 3, 8]}
            {"chat_id": 12, "parent_chat_id": 99, "timestamp": 9.6, "input_length": 60, "output_length": 10, "type": "text", "turn": 4, "hash_ids": [1, 2, 3, 8]}
            """;

    @Test
    void bailianConversationsByTheirParents() throws IOException {
        WorkloadSpec spec = WorkloadSpec.presetOrFile(file("q.jsonl", BAILIAN).toString());
        List<Request> all = replay(spec, 99);
        assertThat(all).hasSize(6);
        assertThat(all).extracting(r -> r.turn().map(Turn::number).orElse(-1)).containsExactly(0, 1, 2, -1,
                -1,
                -1);
        // 40 + 10, then 20 new; 80, of which the recorded next context kept 75: at least one new token.
        assertThat(all).extracting(r -> r.prompt().split(" ").length).containsExactly(40, 20, 1, 33, 60, 60);
        assertThat(all).extracting(Request::promptTokens).containsExactly(40, 70, 81, 33, 60, 60);
        assertThat(all.get(1).turn().orElseThrow().thinkNanos()).isEqualTo(2_500_000_000L);
        assertThat(ScheduleTest.shared(all.get(0), all.get(3))).isBetween(32, 34);
        // A second answer to the same parent is a conversation of its own with its whole prompt.
        assertThat(ScheduleTest.shared(all.get(0), all.get(4))).isEqualTo(40);
        assertThat(all.get(4).prompt()).isEqualTo(all.get(5).prompt());
    }

    @Test
    void turnsAndPausesOfATraceCanBeOverridden() throws IOException {
        WorkloadSpec spec = WorkloadSpec.presetOrFile(file("q.jsonl", BAILIAN).toString());
        assertThat(replay(spec.withTurns(LengthDistribution.parse("1")), 99)).hasSize(4)
                .allMatch(r -> r.turn().isEmpty());
        assertThat(replay(spec.withThink(Pause.parse("7")), 99).get(1).turn().orElseThrow().thinkNanos())
                .isEqualTo(7_000_000_000L);
    }

    @Test
    void goingAroundATraceMakesNewTexts() throws IOException {
        WorkloadSpec spec = WorkloadSpec.presetOrFile(file("q.jsonl", BAILIAN).toString());
        List<Request> all = spec.schedule(new Arrivals.Poisson(1), new Extent.Count(12), 4,
                Calibration.ASSUMED);
        assertThat(all.stream().filter(r -> r.promptTokens() == 33).map(Request::prompt)).hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void faultsNameFileLineAndField() throws IOException {
        String azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
        fault("a.csv", azure + "2023-11-16 18:17:03,5\n", "a.csv:2: expected 3 columns, found 2");
        fault("a.csv", azure + "yesterday,5,1\n", "a.csv:2: field 'TIMESTAMP': expected a time");
        fault("a.csv", azure + "2023-11-16 18:17:03,-5,1\n", "field 'ContextTokens': expected 0 to 10000000");
        fault("a.csv", azure + "2023-11-16 18:17:03,5,99999999999\n", "found 99999999999");
        fault("a.csv", azure + "\n", "at least one row");
        String burst = "Timestamp,Model,Request tokens,Response tokens\n";
        fault("b.csv", burst + "1,m,5,1\n-4,m,5,1\n", "b.csv:3: field 'Timestamp': expected a time of 0");
        fault("b.csv", burst + "1,m,5.5,1\n", "whole number");
        fault("b.csv", "Timestamp,Request tokens\n1,2\n", "column 'Response tokens' is missing");
        fault("m.jsonl", "{\"timestamp\":0,\"input_length\":-1,\"output_length\":1}\n",
                "m.jsonl:1: field 'input_length'");
        fault("m.jsonl", "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[-2]}\n",
                "field 'hash_ids'");
        fault("m.jsonl", "{\"timestamp\":0,\"input_length\":1,\"output_length\":1}\n{nope\n", "m.jsonl:2");
    }

    private void fault(String name, String text, String message) throws IOException {
        Path path = file(name, text);
        assertThatThrownBy(() -> Trace.read(path)).isInstanceOf(dev.assay.AssayException.class)
                .hasMessageContaining(message);
    }

    private static final String CHATS = """
            [{"id": "a", "conversations": [{"from": "system", "value": "be brief"},
               {"from": "human", "value": "zwölf Größen — と"}, {"from": "gpt", "value": "12345678"},
               {"from": "human", "value": "and \\"then\\"?"}, {"from": "gpt", "value": "abcdefghijkl"},
               {"from": "human", "value": "unanswered"}]},
             {"id": "b", "conversations": [{"from": "gpt", "value": "only an answer"}]},
             {"id": "c", "conversations": [{"from": "user", "value": "hello"}, {"from": "assistant", "value": "hi"}]}
            ]
            """;

    @Test
    void shareGptGivesItsTextsTurnByTurn() throws IOException {
        WorkloadSpec spec = WorkloadSpec.presetOrFile(file("s.json", CHATS).toString())
                .withThink(Pause.parse("2"));
        List<Request> all = spec.schedule(new Arrivals.Poisson(1), new Extent.Count(6), 2,
                Calibration.ASSUMED);
        int first = all.getFirst().prompt().equals("hello") ? 1 : 0;
        Request a = all.get(first);
        Request b = all.get(first + 1);
        assertThat(a.prompt()).isEqualTo("zwölf Größen — と");
        assertThat(b.prompt()).isEqualTo("and \"then\"?");
        assertThat(a.outputTokens()).isEqualTo(2);
        assertThat(b.outputTokens()).isEqualTo(3);
        assertThat(b.promptTokens()).isEqualTo(a.promptTokens() + 2 + 2);
        assertThat(b.turn().orElseThrow().thinkNanos()).isEqualTo(2_000_000_000L);
        assertThat(all.get(first + 2).prompt()).isEqualTo("hello");
        assertThat(all.get(first + 2).turn()).isEmpty();
        assertThat(spec.requests(new Arrivals.Poisson(1), new Extent.Count(6), 2, Calibration.ASSUMED))
                .containsExactlyElementsOf(all);
    }

    @Test
    void shareGptFaults() throws IOException {
        assertThatThrownBy(() -> WorkloadSpec.presetOrFile(file("s.json", "[{\"id\":1}]").toString()))
                .hasMessageContaining("s.json:1").hasMessageContaining("'conversations' is missing");
        assertThatThrownBy(() -> WorkloadSpec.presetOrFile(file("s.json", "[]").toString()))
                .hasMessageContaining("at least one conversation");
        assertThatThrownBy(
                () -> WorkloadSpec.presetOrFile(file("s.json", "[\n{\"conversations\": [").toString()))
                .hasMessageContaining("s.json:2");
    }

    /** Oracle: in Python, 1,301 windows with 675,387 requests to be expected, mean lengths 322.136 and 108.433. */
    @Test
    void serveGenProfile() {
        ServeGen profiles = ServeGen.read(shared("servegen_m-large_chunk0_trace.csv"));
        List<ServeGen.Window> windows = profiles.clients().getFirst().windows();
        double expected = windows.stream().mapToDouble(ServeGen.Window::expected).sum();
        assertThat(windows).hasSize(1301);
        assertThat(expected).isCloseTo(675_387, within(0.5));
        assertThat(windows.stream().mapToDouble(w -> w.expected() * w.input().mean()).sum() / expected)
                .isCloseTo(322.1363, within(0.001));
        assertThat(windows.stream().mapToDouble(w -> w.expected() * w.output().mean()).sum() / expected)
                .isCloseTo(108.4330, within(0.001));
    }

    /** The first day by Python: 54,126 requests to be expected; ten seeds together are within 3 %. */
    @Test
    void serveGenReplayHasTheRateOfItsWindows() {
        ServeGen profiles = ServeGen.read(shared("servegen_m-large_chunk0_trace.csv"));
        double total = 0;
        for (int seed = 0; seed < 10; seed++) {
            Session.Source source = profiles.source(seed, true);
            for (int id = 0; source.next(id).orElseThrow().recordedNanos() < 86_400_000_000_000L; id++) {
                total++;
            }
        }
        assertThat(total / 10).isCloseTo(54_126, within(54_126 * 0.03));
    }

    private Path profiles() throws IOException {
        file("chunk-0-trace.csv", "0,20,1,Gamma,1,1\n100,0,0,,0,0\n200,40,0.5,Weibull,1,1\n");
        file("chunk-0-dataset.json", """
                {"0": {"input_tokens": "{10: 0.25, 20: 0.75}", "output_tokens": "{5: 1.0}"},
                 "200": {"input_tokens": "{30: 1.0}", "output_tokens": "{}"}}
                """);
        file("chunk-1-trace.csv", "0,5,1,Gamma,1,1\n300,0,0,,0,0\n");
        file("chunk-1-dataset.json",
                "{\"0\": {\"input_tokens\": \"{99: 1.0}\", \"output_tokens\": \"{7: 1.0}\"}}\n");
        return dir;
    }

    /** By hand: 20 × 100 + 40 × 100 requests of client 0, 5 × 300 of client 1, merged by time. */
    @Test
    void serveGenClientsAreMerged() throws IOException {
        WorkloadSpec spec = WorkloadSpec.presetOrFile(profiles().toString());
        List<Request> all = spec.schedule(new Arrivals.Replay(1), new Extent.Count(Integer.MAX_VALUE), 3,
                Calibration.ASSUMED);
        assertThat(all).extracting(Request::arrivalNanos).isSorted();
        assertThat(all).hasSizeBetween(7500 - 300, 7500 + 300);
        assertThat(all.stream().filter(r -> r.promptTokens() == 99).count()).isBetween(1350L, 1650L);
        assertThat(all.stream().filter(r -> r.promptTokens() == 20).count() * 1.0
                / all.stream().filter(r -> r.promptTokens() == 10).count()).isCloseTo(3, within(0.4));
        assertThat(all.stream().filter(r -> r.promptTokens() != 99)
                .noneMatch(r -> r.arrivalNanos() > 100e9 && r.arrivalNanos() < 200e9)).isTrue();
        List<Request> other = spec.schedule(new Arrivals.Poisson(9), new Extent.Count(6000), 3,
                Calibration.ASSUMED);
        assertThat(other.stream().filter(r -> r.promptTokens() == 99).count() / 6000.0)
                .isCloseTo(0.2, within(0.02));
    }

    @Test
    void serveGenFaults() throws IOException {
        Path trace = file("x-trace.csv", "0,1,1,Gamma,1,1\n0,1,1,Gamma,1,1\n");
        assertThatThrownBy(() -> ServeGen.read(trace)).hasMessageContaining("x-dataset.json");
        file("x-dataset.json", "{\"0\": {\"input_tokens\": \"{9: 1}\", \"output_tokens\": \"{9: x}\"}}");
        assertThatThrownBy(() -> ServeGen.read(trace)).hasMessageContaining("x-dataset.json:1")
                .hasMessageContaining("'output_tokens'");
        file("x-dataset.json", "{\"0\": {\"input_tokens\": \"{9: 1}\", \"output_tokens\": \"{9: 1}\"}}");
        assertThatThrownBy(() -> ServeGen.read(trace)).hasMessageContaining("x-trace.csv:2: field 'start'");
    }
}
