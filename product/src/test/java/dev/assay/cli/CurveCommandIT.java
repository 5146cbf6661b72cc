package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.ScriptedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command against a server with one place of 10 ms: it serves 100 requests a second and no more. */
class CurveCommandIT {
    private static final int SERVICE_MILLIS = 10;

    @TempDir
    Path dir;
    private ScriptedServer server;
    private final Semaphore place = new Semaphore(1, true);
    private final AtomicInteger served = new AtomicInteger();

    @BeforeEach
    void start() throws IOException {
        ScriptedServer.Script usual = ScriptedServer.completions(this::complete);
        server = new ScriptedServer(e -> {
            if (e.path().equals("/metrics")) {
                e.reply(200, "llamacpp:requests_processing 1\nllamacpp:requests_deferred 0\n"
                        + "llamacpp:n_decode_total " + served.get() + "\n");
            } else {
                usual.answer(e);
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private void complete(ScriptedServer.Exchange e) throws IOException, InterruptedException {
        place.acquire();
        try {
            Thread.sleep(SERVICE_MILLIS);
        } finally {
            place.release();
        }
        served.incrementAndGet();
        e.tokens(1, 8, 0);
    }

    @Test
    void givenLoadsGiveATableThatFitsATerminal() throws IOException {
        Path out = dir.resolve("curve");
        Cli run = Cli.run("curve", "--url", server.url(), "--slo", "ttft:300", "--loads", "50,400",
                "--requests",
                "40", "--input-tokens", "8", "--output-tokens", "1", "--slot-seconds", "0.2,2",
                "--warmup-seconds", "0.3",
                "--out", out.toString());
        assertThat(run.out()).as(run.err()).contains("max sustainable load", "TTFT95", "validity", "sat.")
                .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
        JsonValue.Obj curve = Json.parse(Files.readString(out.resolve("curve.json")), "curve.json").asObject()
                .require("curve").asObject();
        assertThat(curve.require("slots").asList()).hasSizeGreaterThanOrEqualTo(2);
        JsonValue.Obj first = curve.require("points").asList().getFirst().asObject();
        assertThat(first.require("attainment").asObject().require("share").asDouble()).isGreaterThan(0.9);
        assertThat(Files.readString(out.resolve("curve.txt"))).isEqualTo(run.out());
        // The server's own metrics of each load, by the names of llama.cpp.
        assertThat(run.out()).contains(" load/s running    most waiting    most",
                "   50.0     1.0       1     0.0       0");
        assertThat(first.require("telemetry").asObject().require("running_mean").asDouble()).isEqualTo(1);
        assertThat(run.err()).as("nothing on stderr where nobody watches").isEmpty();
    }

    /** Ctrl-C is SIGINT, {@code kill} SIGTERM: the process ends by it and keeps the slots that were whole. */
    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void aCurveThatIsStoppedKeepsItsSlots(String signal, int code) throws IOException, InterruptedException {
        Path out = dir.resolve("cut");
        Path printed = dir.resolve("printed");
        Process process = new ProcessBuilder("sh", "-c", "exec " + TinyReview.assay() + " curve --url "
                + server.url()
                + " --slo ttft:300 --loads 50,55,60,65,70 --requests 20 --slot-seconds 0.5,3 --input-tokens 8"
                + " --output-tokens 1 --warmup-seconds 0 --out '" + out + "'")
                .redirectOutput(printed.toFile()).start();
        // Slots of 27, 28 and 30 requests: within the third.
        while (process.isAlive() && served.get() < 65) {
            Thread.sleep(20);
        }
        new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(code);
        JsonValue.Obj curve = Json.parseFile(out.resolve("curve.json")).asObject().require("curve")
                .asObject();
        int slots = curve.require("slots").asList().size();
        assertThat(slots).isBetween(1, 4);
        assertThat(curve.require("cut_short").asText())
                .startsWith("stopped by the user in slot " + (slots + 1) + ", ").contains("left out");
        assertThat(Files.readString(printed)).isEqualTo(Files.readString(out.resolve("curve.txt")))
                .contains("CUT SHORT  stopped by the user in slot ", "max sustainable load");
    }

    @Test
    void theSearchStaysWithinItsSlots() {
        Cli run = Cli.run("curve", "--url", server.url(), "--slo", "ttft:300", "--start", "40", "--max-load",
                "250",
                "--slots", "4", "--requests", "20", "--input-tokens", "8", "--output-tokens", "1",
                "--slot-seconds", "0.3,0.5", "--warmup-seconds", "0", "--json");
        JsonValue.Obj curve = Json.parse(run.out(), "stdout").asObject().require("curve").asObject();
        assertThat(curve.require("slots").asList().stream()
                .filter(s -> !s.asObject().require("purpose").asText().equals("spread")).count())
                .isLessThanOrEqualTo(5);
        JsonValue.Obj needed = Json.parse(run.out(), "stdout").asObject().require("time_needed").asObject();
        assertThat(needed.require("likely_low_seconds").asDouble()).isPositive();
        assertThat(curve.require("seconds").asDouble())
                .isLessThanOrEqualTo(needed.require("most_seconds").asDouble());
        assertThat(curve.fields()).doesNotContainKey("cut_short");
        assertThat(curve.require("slots").asList()).allMatch(
                s -> s.asObject().require("offered_rps").asDouble() <= 250);
        assertThat(run.code()).isIn(Exit.DONE, Exit.EVIDENCE);
    }

    @Test
    void misuseIsOneLine() {
        for (String[] args : new String[][]{{"curve", "--url", server.url()},
                {"curve", "--url", server.url(), "--slo", "ttft:1", "--mlperf", "llama3.1-8b-server"},
                {"curve", "--url", server.url(), "--mlperf", "bert"},
                {"curve", "--url", server.url(), "--slo", "ttft:1", "--loads", "1,x"},
                {"curve", "--url", server.url(), "--slo", "ttft:1", "--slot-seconds", "5"},
                {"curve", "--url", server.url(), "--slo", "ttft:1", "--attainment", "2"},
                {"curve", "--url", server.url(), "--slo", "ttft:1", "--workload", "chat", "--input-tokens",
                        "9"},
                {"curve", "--url", server.url(), "--slo", "ttft:1", "--command", "server --port {port}"},
                {"curve", "--slo", "ttft:1", "--command", "server --port 8000"},
                {"curve", "--slo", "ttft:1", "--command", "server {port}", "--ready-seconds", "0"},
                {"curve", "--slo", "ttft:1"}}) {
            Cli run = Cli.run(args);
            assertThat(run.code()).as(String.join(" ", args)).isEqualTo(Exit.MISUSE);
            assertThat(run.err()).startsWith("assay: ").hasLineCount(1);
        }
    }
}
