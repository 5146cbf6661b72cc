package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.RequestLog;
import dev.assay.load.ScriptedServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command from its options to its exit code, against a small server with a word for a token. */
class LoadCommandIT {
    @TempDir
    Path dir;
    private ScriptedServer server;
    private final StringWriter out = new StringWriter();
    private String fault = "";

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(ScriptedServer.completions(e -> {
            JsonValue.Obj body = Json.parse(e.body(), "body").asObject();
            if (!body.require("model").asText().equals("tiny")) {
                e.reply(404, "{\"error\":\"no such model\"}");
                return;
            }
            int words = body.require("prompt").asText().split(" ").length;
            e.tokens((int) body.require("max_tokens").asLong(), words + 1, 0);
        }));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private int run(String... args) {
        CommandLine command = new CommandLine(new LoadCommand()).setOut(new PrintWriter(out, true));
        command.setExecutionExceptionHandler((e, _, _) -> {
            if (e instanceof AssayException known) {
                fault = String.valueOf(known.getMessage());
                return switch (known.kind()) {
                    case MISUSE -> 2;
                    case EVIDENCE -> 3;
                    case ENVIRONMENT -> 4;
                };
            }
            throw e;
        });
        return command.execute(args);
    }

    @Test
    void jsonIsOneDocumentAndTheRecordsAreKept() throws IOException {
        int code = run("--url", server.url(), "--concurrency", "2", "--requests", "30", "--input-tokens",
                "uniform:10,40",
                "--output-tokens", "5", "--slo", "ttft:5000", "--out", dir.resolve("run").toString(),
                "--json");
        assertThat(code).as(out.toString()).isZero();
        JsonValue.Obj summary = Json.parse(out.toString(), "stdout").asObject();
        assertThat(summary.require("requests").asObject().require("completed").asLong()).isEqualTo(30);
        assertThat(summary.require("good_fraction").asDouble()).isEqualTo(1);
        assertThat(summary.fields()).containsKeys("ttft_ms", "ttft_from_sent_ms", "tpot_ms", "itl_ms",
                "e2e_ms",
                "throughput", "goodput_rps", "schedule_lag_ms", "validity");
        assertThat(Files.readString(dir.resolve("run/summary.json"))).isEqualTo(out.toString());
        // The calibration found one token a word and one more: each prompt has what was meant.
        assertThat(RequestLog.read(dir.resolve("run/requests.parquet"))).hasSize(30)
                .allMatch(o -> o.promptTokens().orElseThrow() == o.request().promptTokens());
    }

    @Test
    void theSummaryForPeopleFitsATerminal() {
        assertThat(run("--url", server.url(), "--rate", "100", "--requests", "20", "--output-tokens", "3"))
                .isZero();
        assertThat(out.toString()).contains("TTFT from schedule", "throughput", "percentile-p99")
                .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
    }

    @Test
    void tooFewRequestsAreInvalidAndFaultsAreOneLine() {
        assertThat(
                run("--url", server.url(), "--concurrency", "1", "--requests", "3", "--output-tokens", "2"))
                .isEqualTo(3);
        assertThat(run("--url", server.url(), "--model", "big")).isEqualTo(4);
        assertThat(fault).contains("HTTP 404").contains("no such model").doesNotContain("\n");
        assertThat(run("--url", server.url(), "--rate", "1", "--concurrency", "1")).isEqualTo(2);
        assertThat(run("--url", server.url(), "--rate", "-1")).isEqualTo(2);
        assertThat(fault).contains("rate is -1.0; expected");
        assertThat(run()).isEqualTo(2);
        assertThat(run("--nonsense")).isEqualTo(2);
    }

    /** Ctrl-C is SIGINT: the process ends by it, and what was measured until then is printed and written. */
    @Test
    void aRunThatIsStoppedSaysWhatItMeasured() throws IOException, InterruptedException {
        Path run = dir.resolve("cut");
        Path printed = dir.resolve("printed");
        Process process = new ProcessBuilder("sh", "-c",
                "exec " + TinyReview.assay() + " load --url " + server.url()
                        + " --api completions --rate 20 --duration 120 --output-tokens 4 --out '"
                        + run + "'")
                .redirectOutput(printed.toFile()).start();
        // The records are opened when the requests begin.
        while (process.isAlive() && !Files.isDirectory(run)) {
            Thread.sleep(50);
        }
        Thread.sleep(3000);
        assertThat(process.isAlive()).isTrue();
        new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor();
        assertThat(process.waitFor(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(Files.readString(printed)).contains("TTFT from schedule",
                "FAIL cut-short: stopped by the user after");
        JsonValue.Obj summary = Json.parseFile(run.resolve("summary.json")).asObject();
        long completed = summary.require("requests").asObject().require("completed").asLong();
        assertThat(completed).isBetween(5L, 1000L);
        assertThat(RequestLog.read(run.resolve("requests.parquet")))
                .hasSizeGreaterThanOrEqualTo((int) completed);
    }
}
