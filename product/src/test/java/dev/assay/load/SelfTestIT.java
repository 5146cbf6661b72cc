package dev.assay.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.JsonValue;
import dev.assay.load.nullserver.NullServer;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The null server over real sockets, and the self-test that drives it. */
@Timeout(60)
class SelfTestIT {
    private NullServer server;
    private Thread serving;

    @BeforeEach
    void start() {
        server = new NullServer(0, System::nanoTime);
        serving = Thread.ofPlatform().daemon().start(server::run);
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.close();
        serving.join(5000);
        assertThat(serving.isAlive()).isFalse();
    }

    private Target target(Map<String, JsonValue> pace) {
        return Target.of("http://127.0.0.1:" + server.port(), "null").withExtraBody(JsonValue.Obj.of(pace));
    }

    private static List<Request> requests(int n, int tokens) {
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(new Request(i, 0, "some words", 2, tokens, "default", Optional.empty()));
        }
        return all;
    }

    @Test
    void everyTokenAskedForComesOnceInBothInterfaces() {
        for (Target.Api api : List.of(Target.Api.CHAT, Target.Api.COMPLETIONS)) {
            LoadRun run = LoadGenerator.run(target(Map.of()).withApi(api), requests(50, 300),
                    LoadOptions.closedLoop(4));
            assertThat(run.outcomes()).hasSize(50).allSatisfy(o -> {
                assertThat(o.failure()).isEmpty();
                assertThat(o.contentNanos()).hasSize(300);
                assertThat(o.outputTokens()).isEqualTo(300);
                assertThat(o.usageReported()).isTrue();
            });
        }
    }

    @Test
    void paceIsTheOneAskedForAndTheTruthSaysWhatWasDone() {
        LoadRun run = LoadGenerator.run(target(Map.of("null_ttft_us", JsonValue.of(30_000L), "null_itl_us",
                JsonValue.of(5_000L), "null_truth", JsonValue.of(true))), requests(8, 10),
                LoadOptions.closedLoop(8));
        Map<Integer, long[]> truth = NullTruth.fetch(target(Map.of()).baseUrl());
        assertThat(truth).hasSize(8);
        truth.values().forEach(times -> {
            assertThat(times).hasSize(11).isSorted();
            assertThat(times[1] - times[0]).isGreaterThanOrEqualTo(30_000_000L);
            for (int i = 2; i < times.length; i++) {
                assertThat(times[i] - times[i - 1]).isGreaterThanOrEqualTo(5_000_000L);
            }
        });
        // The client cannot have seen a token before it was written, nor less time than the server took.
        SelfTest.Accuracy seen = NullTruth.compare(run.outcomes(), truth);
        assertThat(seen.requests()).isEqualTo(8);
        assertThat(seen.ttftError().p50()).isGreaterThan(0);
        assertThat(NullTruth.fetch(target(Map.of()).baseUrl())).as("the truth is told once").isEmpty();
    }

    @Test
    void truthOfAnotherRunIsNotBelieved() {
        List<RequestOutcome> outcomes = LoadGenerator
                .run(target(Map.of()), requests(2, 3), LoadOptions.closedLoop(1)).outcomes();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> NullTruth.compare(outcomes, Map.of()))
                .hasMessageContaining("gave 3 events; the null server wrote 0");
    }

    @Test
    void requestMayArriveInPieces() throws IOException, InterruptedException {
        String body = "{\"max_tokens\":2,\"stream\":true}";
        String head = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length()
                + "\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            for (byte b : (head + body).getBytes(StandardCharsets.US_ASCII)) {
                socket.getOutputStream().write(b);
                socket.getOutputStream().flush();
            }
            InputStream in = socket.getInputStream();
            StringBuilder text = new StringBuilder();
            while (!text.toString().endsWith("0\r\n\r\n")) {
                text.append((char) in.read());
            }
            assertThat(text.toString().split("data: ", -1)).hasSize(4);
            assertThat(text).contains("[DONE]");
        }
    }

    @Test
    void pathsItDoesNotKnowAreNotFound() {
        assertThat(Http.get(target(Map.of()).baseUrl(), "/nothing", Optional.empty(), 2000).orElseThrow()
                .status())
                .isEqualTo(404);
        assertThat(Http.get(target(Map.of()).baseUrl(), "/health", Optional.empty(), 2000).orElseThrow()
                .status())
                .isEqualTo(200);
    }

    @Test
    void selfTestMeasuresEveryPhase() {
        List<String> told = new ArrayList<>();
        List<RequestOutcome> kept = new ArrayList<>();
        SelfTest.Result result = new SelfTest(target(Map.of()), 0.3, System::nanoTime, told::add,
                kept::addAll).run();
        assertThat(result.requests().requestsPerS()).isPositive();
        assertThat(result.coalesced().eventsPerS()).isGreaterThan(result.paced().getFirst().eventsPerS());
        assertThat(result.paced().getFirst().streams()).isEqualTo(200);
        assertThat(result.streams()).isEqualTo(result.streamsAsked());
        assertThat(result.accuracy().serverTtft().p50()).isBetween(50.0, 60.0);
        assertThat(result.accuracy().ttft().p50()).isGreaterThan(result.accuracy().serverTtft().p50());
        assertThat(kept).hasSize(result.accuracy().requests());
        assertThat(told).contains("accuracy", "requests", "streams");
        Ceiling ceiling = result.ceiling("2026-11-30", "a machine");
        assertThat(ceiling.requestsPerS()).isEqualTo(result.requests().requestsPerS());
        assertThat(ceiling.eventsPerS()).isGreaterThanOrEqualTo(result.paced().getFirst().eventsPerS());
    }
}
