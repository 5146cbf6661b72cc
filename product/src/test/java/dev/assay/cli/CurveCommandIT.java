package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command against a server with one place of 10 ms: it serves 100 requests a second and no more. */
class CurveCommandIT {
    private static final int SERVICE_MILLIS = 10;

    @TempDir
    Path dir;
    private HttpServer server;
    private final Semaphore place = new Semaphore(1, true);

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/models", x -> reply(x, "{\"data\":[{\"id\":\"tiny\"}]}"));
        server.createContext("/health", x -> reply(x, "ok"));
        server.createContext("/v1/completions", this::complete);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static void reply(HttpExchange x, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        x.sendResponseHeaders(200, bytes.length);
        x.getResponseBody().write(bytes);
        x.close();
    }

    private void complete(HttpExchange x) throws IOException {
        x.getRequestBody().readAllBytes();
        place.acquireUninterruptibly();
        try {
            Thread.sleep(SERVICE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            place.release();
        }
        x.getResponseHeaders().set("Content-Type", "text/event-stream");
        x.sendResponseHeaders(200, 0);
        try (OutputStream stream = x.getResponseBody()) {
            stream.write(("data: {\"choices\":[{\"text\":\" w\"}]}\n\ndata: {\"choices\":[],\"usage\":"
                    + "{\"prompt_tokens\":8,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void givenLoadsGiveATableThatFitsATerminal() throws IOException {
        Path out = dir.resolve("curve");
        Cli run = Cli.run("curve", "--url", url(), "--slo", "ttft:300", "--loads", "20,400", "--requests",
                "100",
                "--input-tokens", "8", "--output-tokens", "1", "--slot-seconds", "0.5,4", "--warmup-seconds",
                "2",
                "--out", out.toString());
        assertThat(run.out()).as(run.err()).contains("max sustainable load", "TTFT95", "validity", "sat.")
                .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
        JsonValue.Obj curve = Json.parse(Files.readString(out.resolve("curve.json")), "curve.json").asObject()
                .require("curve").asObject();
        assertThat(curve.require("slots").asList()).hasSizeGreaterThanOrEqualTo(2);
        JsonValue.Obj first = curve.require("points").asList().getFirst().asObject();
        assertThat(first.require("attainment").asObject().require("share").asDouble()).isGreaterThan(0.9);
        assertThat(Files.readString(out.resolve("curve.txt"))).isEqualTo(run.out());
    }

    @Test
    void theSearchStaysWithinItsSlots() {
        Cli run = Cli.run("curve", "--url", url(), "--slo", "ttft:300", "--start", "40", "--max-load", "320",
                "--slots", "5", "--requests", "20", "--input-tokens", "8", "--output-tokens", "1",
                "--slot-seconds", "0.3,1.5", "--warmup-seconds", "0", "--json");
        JsonValue.Obj curve = Json.parse(run.out(), "stdout").asObject().require("curve").asObject();
        assertThat(curve.require("slots").asList().stream()
                .filter(s -> !s.asObject().require("purpose").asText().equals("spread")).count())
                .isLessThanOrEqualTo(6);
        assertThat(curve.require("slots").asList()).allMatch(
                s -> s.asObject().require("offered_rps").asDouble() <= 320);
        assertThat(run.code()).isIn(Exit.DONE, Exit.EVIDENCE);
    }

    @Test
    void misuseIsOneLine() {
        for (String[] args : new String[][]{{"curve", "--url", url()},
                {"curve", "--url", url(), "--slo", "ttft:1", "--mlperf", "llama3.1-8b-server"},
                {"curve", "--url", url(), "--mlperf", "bert"},
                {"curve", "--url", url(), "--slo", "ttft:1", "--loads", "1,x"},
                {"curve", "--url", url(), "--slo", "ttft:1", "--slot-seconds", "5"},
                {"curve", "--url", url(), "--slo", "ttft:1", "--attainment", "2"},
                {"curve", "--slo", "ttft:1"}}) {
            Cli run = Cli.run(args);
            assertThat(run.code()).as(String.join(" ", args)).isEqualTo(Exit.MISUSE);
            assertThat(run.err()).startsWith("assay: ").hasLineCount(1);
        }
    }
}
