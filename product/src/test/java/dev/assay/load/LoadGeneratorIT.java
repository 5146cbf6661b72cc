package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Metrics;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against a scripted server over real sockets: what is counted, and every way to fail. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LoadGeneratorIT {
    private static final long MS = 1_000_000;

    private static List<Request> requests(int n, long gapMs, int tokens) {
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(new Request(i, i * gapMs * MS, "a \"prompt\"\n", 4, tokens, "default", Optional.empty()));
        }
        return all;
    }

    private static LoadOptions options() {
        return LoadOptions.openLoop().withTimeLimit(3000 * MS);
    }

    private static RequestOutcome one(ScriptedServer.Script script) throws IOException {
        return one(script, Target.Api.COMPLETIONS, options());
    }

    private static RequestOutcome one(ScriptedServer.Script script, Target.Api api, LoadOptions options)
            throws IOException {
        try (ScriptedServer server = new ScriptedServer(script)) {
            LoadRun run = LoadGenerator.run(Target.of(server.url(), "m").withApi(api), requests(1, 0, 4),
                    options.withText());
            assertThat(run.outcomes()).hasSize(1);
            return run.outcomes().getFirst();
        }
    }

    private static void fails(ScriptedServer.Script script, FailureClass as, String detail)
            throws IOException {
        fails(script, as, detail, options());
    }

    private static void fails(ScriptedServer.Script script, FailureClass as, String detail,
            LoadOptions options)
            throws IOException {
        RequestOutcome outcome = one(script, Target.Api.COMPLETIONS, options);
        assertThat(outcome.failure()).as(outcome.detail()).contains(as);
        assertThat(outcome.detail()).contains(detail).doesNotContain("\n");
    }

    @Test
    void aPlainStreamWithFinalUsage() throws IOException {
        RequestOutcome o = one(e -> e.stream().text("a").text("\\u00e9\\n").text("c").usage(11, 3).done());
        assertThat(o.failure()).isEmpty();
        assertThat(o.text()).isEqualTo("aé\nc");
        assertThat(o.contentTokens()).containsExactly(1, 1, 1);
        assertThat(o.outputTokens()).isEqualTo(3);
        assertThat(o.usageReported()).isTrue();
        assertThat(o.promptTokens()).hasValue(11);
        assertThat(o.cachedTokens()).hasValue(3);
        assertThat(o.contentNanos()).isSorted();
        assertThat(o.firstByteNanos().orElseThrow()).isGreaterThanOrEqualTo(o.sentNanos().orElseThrow());
    }

    @Test
    void theRequestIsWhatTheInterfaceAsksFor() throws IOException {
        ConcurrentLinkedQueue<ScriptedServer.Exchange> seen = new ConcurrentLinkedQueue<>();
        try (ScriptedServer server = new ScriptedServer(e -> {
            seen.add(e);
            e.stream().text("a").done();
        })) {
            Target target = Target.of(server.url() + "/v1/", "m\"x").withApiKey(Optional.of("k1"))
                    .withExtraBody(JsonValue.Obj
                            .of(Map.of("top_k", JsonValue.of(5), "temperature", JsonValue.of(1))));
            LoadGenerator.run(target, requests(1, 0, 4), options());
            LoadGenerator.run(
                    target.withApi(Target.Api.CHAT).withIgnoreEos(false).withUsage(Target.Usage.NONE),
                    requests(1, 0, 4), options());
        }
        ScriptedServer.Exchange completion = seen.remove();
        assertThat(completion.head()).startsWith("POST /v1/completions HTTP/1.1\r\n")
                .contains("Authorization: Bearer k1");
        assertThat(Json.canonical(Json.parse(completion.body(), "body"))).isEqualTo(
                "{\"ignore_eos\":true,\"max_tokens\":4,\"model\":\"m\\\"x\",\"prompt\":\"a \\\"prompt\\\"\\n\",\"stream\":true,"
                        + "\"stream_options\":{\"continuous_usage_stats\":true,\"include_usage\":true},\"temperature\":1,\"top_k\":5}");
        ScriptedServer.Exchange chat = seen.remove();
        assertThat(chat.head()).startsWith("POST /v1/chat/completions HTTP/1.1\r\n");
        assertThat(chat.body())
                .contains("\"messages\":[{\"role\":\"user\",\"content\":\"a \\\"prompt\\\"\\n\"}]")
                .doesNotContain("ignore_eos", "stream_options");
    }

    @Test
    void roleOnlyDeltaIsNoTokenAndReasoningAndToolCallsAre() throws IOException {
        RequestOutcome o = one(e -> {
            e.stream().event(
                    "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}");
            Thread.sleep(60);
            e.event("{\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}")
                    .event("{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}")
                    .event("{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0}]}}]}")
                    .event("{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}").done();
        }, Target.Api.CHAT, options());
        assertThat(o.failure()).isEmpty();
        assertThat(o.contentTokens()).containsExactly(1, 1, 1);
        assertThat(Metrics.perRequest(o).ttftMs().orElseThrow()).isGreaterThan(59);
    }

    @Test
    void continuousUsageCountsBundledAndTextlessTokens() throws IOException {
        RequestOutcome o = one(
                e -> e.stream().event(counted("", 0)).event(counted("ab", 2)).event(counted("", 3))
                        .event(counted("c", 3)).event(counted("d", 6)).usage(5, 6).done());
        assertThat(o.failure()).isEmpty();
        assertThat(o.contentTokens()).containsExactly(2, 1, 3);
        assertThat(o.outputTokens()).isEqualTo(6);
    }

    private static String counted(String text, int completion) {
        return "{\"choices\":[{\"text\":\"" + text
                + "\"}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":" + completion
                + "}}";
    }

    @Test
    void usageOnTheLastTextChunkIsATotalAndNoBundle() throws IOException {
        RequestOutcome o = one(e -> e.stream().text("a").text("b").event(counted("c", 3)).done());
        assertThat(o.contentTokens()).containsExactly(1, 1, 1);
        assertThat(o.outputTokens()).isEqualTo(3);
    }

    @Test
    void oneTokenReplyWithoutUsageIsGood() throws IOException {
        RequestOutcome o = one(e -> e.stream().text("a").done());
        assertThat(o.failure()).isEmpty();
        assertThat(o.outputTokens()).isEqualTo(1);
        assertThat(o.usageReported()).isFalse();
        assertThat(Metrics.perRequest(o).tpotMs()).isEmpty();
    }

    @Test
    void crlfCommentsMultiLineDataAndContentLength() throws IOException {
        String body = ": ping\r\n\r\nid: 4\r\ndata: {\"choices\":\r\ndata: [{\"text\":\"a\"}]}\r\n\r\n:\r\ndata: [DONE]\r\n\r\n";
        RequestOutcome o = one(e -> e
                .head("text/event-stream; charset=utf-8", "Content-Length: " + body.length()).write(body));
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.text()).isEqualTo("a");
    }

    @Test
    void theStreamMayBeCutAnywhereAndEndByClosing() throws IOException {
        RequestOutcome o = one(e -> {
            String all = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                    + "data: {\"choices\":[{\"text\":\"é\"}]}\n\ndata: [DONE]\n";
            byte[] bytes = all.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            for (byte b : bytes) {
                e.socket().getOutputStream().write(b);
                e.socket().getOutputStream().flush();
            }
            e.socket().close();
        });
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.text()).isEqualTo("é");
    }

    @Test
    void everyHttpFailureHasItsClass() throws IOException {
        fails(e -> e.write("HTTP/1.1 429 Too Many\r\nContent-Length: 17\r\n\r\n{\"error\":\n\"slow\"}"),
                FailureClass.HTTP_4XX,
                "HTTP 429: {\"error\": \"slow\"}");
        fails(e -> {
            e.write("HTTP/1.1 500 No\r\n\r\nout of memory");
            e.socket().close();
        }, FailureClass.HTTP_5XX, "HTTP 500: out of memory");
        fails(e -> e.write("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"), FailureClass.HTTP_5XX,
                "HTTP 503");
        fails(e -> e.write("HTTP/1.1 500 No\r\nContent-Length: 99\r\n\r\nhalf"), FailureClass.HTTP_5XX,
                "half",
                LoadOptions.openLoop().withTimeLimit(300 * MS));
        fails(e -> e.write("HTTP/1.1 302 Go\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"),
                FailureClass.MALFORMED, "redirect");
        fails(e -> e.head("application/json", "Content-Length: 8").write("{\"a\":12}"),
                FailureClass.MALFORMED,
                "content type 'application/json'");
        fails(e -> e.head("text/event-stream", "Content-Encoding: gzip"), FailureClass.MALFORMED, "gzip");
        fails(e -> e.write("SSH-2.0-x\r\n"), FailureClass.MALFORMED, "status line");
        fails(e -> e.stream().write("zz\r\n"), FailureClass.MALFORMED, "chunk size");
    }

    @Test
    void everyStreamFailureHasItsClass() throws IOException {
        fails(ScriptedServer.Exchange::reset, FailureClass.RESET, "");
        fails(e -> e.socket().close(), FailureClass.RESET, "before the response");
        fails(e -> e.stream().text("a").socket().close(), FailureClass.RESET, "within the response");
        fails(e -> {
            e.stream().text("a");
            Thread.sleep(20);
            e.reset();
        }, FailureClass.RESET, "");
        fails(e -> e.stream().text("a").write("0\r\n\r\n"), FailureClass.TRUNCATED, "[DONE]");
        fails(e -> e.stream().text("a").event("{\"error\":{\"message\":\"boom\"}}"), FailureClass.ERROR_EVENT,
                "boom");
        fails(e -> e.stream().chunk("event: error\ndata: bad luck\n\n"), FailureClass.ERROR_EVENT,
                "bad luck");
        fails(e -> e.stream().text("a").event("{\"choices\": [}"), FailureClass.MALFORMED, "no JSON");
        fails(e -> e.stream().done(), FailureClass.EMPTY, "no token");
        fails(e -> e.stream().text("").usage(4, 1).done(), FailureClass.EMPTY, "usage counts 1");
    }

    @Test
    void aStallOfAnyPlaceEndsAtTheTimeLimit() throws IOException {
        LoadOptions brief = LoadOptions.openLoop().withTimeLimit(400 * MS);
        ScriptedServer.Script hang = e -> Thread.sleep(5000);
        long from = System.nanoTime();
        fails(hang, FailureClass.TIMEOUT, "400 ms", brief);
        fails(e -> hang.answer(e.stream().text("a")), FailureClass.TIMEOUT, "400 ms", brief);
        assertThat(System.nanoTime() - from).isBetween(790 * MS, 2000 * MS);
    }

    @Test
    void anEndlessStreamAndAnEndlessLineAreGivenUp() throws IOException {
        fails(e -> {
            while (true) {
                e.text("a");
            }
        }, FailureClass.MALFORMED, "status line");
        fails(e -> {
            e.stream();
            while (true) {
                e.text("abc");
            }
        }, FailureClass.MALFORMED, "goes on past");
        String block = "x".repeat(1 << 16);
        fails(e -> {
            e.stream().chunk("data: ");
            while (true) {
                e.chunk(block);
            }
        }, FailureClass.MALFORMED, "more than 8 MiB");
    }

    @Test
    void refusedConnectionsAreCountedOneByOne() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        LoadRun run = LoadGenerator.run(Target.of("http://127.0.0.1:" + port, "m"), requests(3, 10, 4),
                options());
        assertThat(run.outcomes()).hasSize(3)
                .allMatch(o -> o.failure().equals(Optional.of(FailureClass.REFUSED)));
        assertThat(run.outcomes()).allMatch(o -> o.sentNanos().isEmpty());
    }

    @Test
    void aRefusingServerDoesNotTurnAClosedLoopIntoAFlood() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        LoadRun run = LoadGenerator.run(Target.of("http://127.0.0.1:" + port, "m"), requests(1000, 0, 4),
                LoadOptions.closedLoop(2).withStopSending(200 * MS));
        assertThat(run.outcomes()).hasSizeBetween(4, 12);
    }

    @Test
    void whatIsStillInFlightAfterTheDrainIsCancelled() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> Thread.sleep(10_000))) {
            LoadRun run = LoadGenerator.run(Target.of(server.url(), "m"), requests(2, 5, 4),
                    LoadOptions.openLoop().withDrain(150 * MS));
            assertThat(run.outcomes()).hasSize(2)
                    .allMatch(o -> o.failure().equals(Optional.of(FailureClass.CANCELLED)));
            assertThat(run.windowNanos()).isBetween(150 * MS, 1000 * MS);
        }
    }

    @Test
    void aServerStallShowsInAllThatWasScheduledInIt() throws IOException {
        long stallFrom = 200;
        AtomicInteger answered = new AtomicInteger();
        long[] start = new long[1];
        try (ScriptedServer server = new ScriptedServer(e -> {
            if (answered.getAndIncrement() == 0) {
                start[0] = System.nanoTime();
            }
            long at = (System.nanoTime() - start[0]) / MS;
            if (at >= stallFrom && at < stallFrom + 500) {
                Thread.sleep(stallFrom + 500 - at);
            }
            e.stream().text("a").text("b").done();
        })) {
            LoadRun run = LoadGenerator.run(Target.of(server.url(), "m"), requests(80, 10, 2),
                    LoadOptions.openLoop());
            assertThat(run.outcomes()).hasSize(80).allMatch(RequestOutcome::completed);
            for (RequestOutcome o : run.outcomes()) {
                long scheduled = o.request().arrivalNanos() / MS;
                double ttft = Metrics.perRequest(o).ttftMs().orElseThrow();
                if (scheduled > stallFrom + 20 && scheduled < stallFrom + 450) {
                    assertThat(ttft).as("scheduled at %d", scheduled)
                            .isGreaterThan(stallFrom + 480 - scheduled);
                }
            }
            assertThat(java.util.Arrays.stream(Metrics.scheduleLagMs(run.outcomes())).max().orElseThrow())
                    .isLessThan(100);
        }
    }

    @Test
    void connectionsAreReusedAndAStaleOneIsReplaced() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> {
            e.stream().text("a").done();
            if (e.number() == 4) {
                // The server's idle limit: it closes behind the response without saying so.
                e.socket().close();
            }
        })) {
            LoadRun run = LoadGenerator.run(Target.of(server.url(), "m"), requests(10, 0, 1),
                    LoadOptions.closedLoop(1));
            assertThat(run.outcomes()).hasSize(10).allMatch(RequestOutcome::completed);
            // One more where the end of a response trails its terminator.
            assertThat(server.connections()).isBetween(2, 3);
        }
    }

    @Test
    void aClosedLoopKeepsItsConcurrencyAndSchedulesAtTheEndOfAnother() throws IOException {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger peak = new AtomicInteger();
        try (ScriptedServer server = new ScriptedServer(e -> {
            peak.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.sleep(15);
            now.decrementAndGet();
            e.stream().text("a").done();
        })) {
            LoadRun run = LoadGenerator.run(Target.of(server.url(), "m"), requests(24, 0, 1),
                    LoadOptions.closedLoop(4));
            assertThat(run.outcomes()).hasSize(24).allMatch(RequestOutcome::completed);
            assertThat(peak).hasValue(4);
            assertThat(run.client().peakInFlight()).isEqualTo(4);
            assertThat(run.outcomes()).filteredOn(o -> o.request().arrivalNanos() > 0).hasSize(20);
            assertThat(java.util.Arrays.stream(Metrics.scheduleLagMs(run.outcomes())).max().orElseThrow())
                    .isLessThan(50);
        }
    }

    @Test
    void badUrlsAreOneClearLine() {
        assertThatThrownBy(() -> Target.of("ftp://x:1", "m"))
                .hasMessageContaining("expected http://HOST:PORT or https://HOST:PORT");
        assertThatThrownBy(() -> Target.of("localhost:8000", "m"))
                .hasMessageContaining("expected http://HOST:PORT");
        assertThatThrownBy(() -> Target.of("http://a b", "m"))
                .hasMessageContaining("expected http://HOST:PORT");
    }
}
