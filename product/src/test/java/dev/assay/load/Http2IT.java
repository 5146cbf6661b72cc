package dev.assay.load;

import static dev.assay.load.LoadFixtures.options;
import static dev.assay.load.LoadFixtures.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 against Netty's server side over real sockets; the definitions' oracle is the reader of HTTP/1.1. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class Http2IT {
    @TempDir
    static Path dir;

    private static void tokens(Http2Server.Stream s, int n) {
        s.stream();
        for (int i = 0; i < n; i++) {
            s.text("t" + i);
        }
        s.done();
    }

    private static RequestOutcome one(Http2Server.Script script) {
        return run(requests(1, 0, 4), options().withText(), script).outcomes().getFirst();
    }

    private static LoadRun run(List<Request> schedule, LoadOptions options, Http2Server.Script script) {
        try (Http2Server server = new Http2Server(script)) {
            return LoadGenerator.run(server.target(), schedule, options);
        }
    }

    private static void fails(RequestOutcome outcome, FailureClass kind, String detail) {
        assertThat(outcome.failure()).as(outcome.detail()).contains(kind);
        assertThat(outcome.detail()).contains(detail);
    }

    @Test
    void everyEventIsCountedAndInOrder() {
        List<String> seen = new ArrayList<>();
        LoadRun run = run(requests(40, 2000, 5), options().withText(), s -> {
            seen.add(s.headers().method() + " " + s.headers().scheme() + " " + s.headers().path() + " "
                    + s.headers().get("x-request-id") + " "
                    + (Integer.parseInt(s.headers().get("content-length").toString()) == s.bodyBytes()));
            tokens(s, 5);
        });
        assertThat(run.outcomes()).hasSize(40).allSatisfy(o -> {
            assertThat(o.failure()).as(o.detail()).isEmpty();
            assertThat(o.text()).isEqualTo("t0t1t2t3t4");
            assertThat(o.contentNanos()).hasSize(5).isSorted();
            assertThat(o.sentNanos().orElseThrow()).isLessThanOrEqualTo(o.firstByteNanos().orElseThrow());
            assertThat(o.firstByteNanos().orElseThrow()).isLessThanOrEqualTo(o.headersNanos().orElseThrow());
            assertThat(o.headersNanos().orElseThrow()).isLessThanOrEqualTo(o.contentNanos()[0]);
            assertThat(o.endNanos()).isGreaterThanOrEqualTo(o.contentNanos()[4]);
        });
        assertThat(run.client().connections()).isEqualTo(1);
        assertThat(seen).hasSize(40).contains("POST http /v1/completions Assay-Request-7 true");
    }

    @Test
    void fiftyStreamsShareAConnection() {
        List<Http2Server.Stream> held = new ArrayList<>();
        LoadRun run = run(requests(50, 0, 3),
                LoadOptions.closedLoop(50).withTimeLimit(5000 * LoadFixtures.MS),
                s -> {
                    held.add(s);
                    if (held.size() == 50) {
                        held.forEach(h -> tokens(h, 3));
                    }
                });
        assertThat(run.outcomes()).hasSize(50).allMatch(RequestOutcome::completed);
        assertThat(run.client().connections()).isEqualTo(1);
        assertThat(run.client().peakInFlight()).isEqualTo(50);
    }

    @Test
    void theServersLimitOfStreamsIsKeptByMoreConnections() {
        for (LoadOptions options : List.of(LoadOptions.closedLoop(16), options())) {
            List<Http2Server.Stream> held = new ArrayList<>();
            try (Http2Server server = new Http2Server(4, Optional.empty(), s -> {
                held.add(s);
                if (held.size() == 16) {
                    held.forEach(h -> tokens(h, 3));
                } else if (held.size() > 16) {
                    tokens(s, 3);
                }
            })) {
                LoadRun run = LoadGenerator.run(server.target(), requests(40, 500, 3),
                        options.withTimeLimit(5000 * LoadFixtures.MS));
                assertThat(run.outcomes()).hasSize(40)
                        .allSatisfy(o -> assertThat(o.failure()).as(o.detail()).isEmpty());
                assertThat(run.client().connections()).isBetween(4, 12)
                        .isEqualTo(server.connections.get());
            }
        }
    }

    @Test
    void aResetStreamIsAFailureOfItsRequestAlone() {
        LoadRun run = run(requests(20, 1000, 4), options(), s -> {
            s.stream().text("a").text("b");
            switch (s.number() % 4) {
                case 0 -> s.reset(Http2Error.INTERNAL_ERROR);
                case 1 -> s.later(30, () -> s.reset(Http2Error.CANCEL));
                default -> s.text("c").done();
            }
        });
        assertThat(run.outcomes().stream().filter(RequestOutcome::completed)).hasSize(10)
                .allMatch(o -> o.contentNanos().length == 3);
        assertThat(run.outcomes().stream().filter(o -> !o.completed())).hasSize(10)
                .allMatch(o -> o.contentNanos().length == 2)
                .allSatisfy(o -> fails(o, FailureClass.RESET, "stream reset: "));
        assertThat(run.client().connections()).isEqualTo(1);
        fails(one(s -> s.reset(Http2Error.REFUSED_STREAM)), FailureClass.REFUSED, "REFUSED_STREAM");
    }

    @Test
    void aServerThatLeavesGetsNoMoreAndAnswersWhatItBegan() {
        // The first request of each connection is answered late; those behind it are named as not begun.
        List<Http2Server.Stream> all = new ArrayList<>();
        LoadRun run = run(requests(6, 20_000, 2), options(), s -> {
            all.add(s);
            if (s.number() == 0) {
                s.later(50, () -> {
                    s.goAway(s.id().id());
                    tokens(s, 2);
                });
            } else if (!s.context().equals(all.getFirst().context())) {
                tokens(s, 2);
            }
        });
        assertThat(run.outcomes()).hasSize(6)
                .allSatisfy(o -> assertThat(o.failure()).as(o.detail()).isEmpty());
        assertThat(run.client().connections()).isEqualTo(2);
        assertThat(all).hasSizeGreaterThan(6);
        // One that does so again and again fails the request instead of going round for ever.
        fails(run(requests(2, 0, 2), options(), s -> {
            if (s.id().id() > 3 || s.number() % 2 == 1) {
                s.goAway(1);
            }
        }).outcomes().getLast(), FailureClass.RESET, "leaving");
    }

    @Test
    void aConnectionThatBreaksIsResetAndTheNextRequestGetsANewOne() {
        LoadRun run = run(requests(4, 100_000, 2), options(), s -> {
            if (s.number() == 1) {
                s.stream().text("a");
                s.later(20, s::close);
            } else {
                tokens(s, 2);
            }
        });
        assertThat(run.outcomes().stream().filter(RequestOutcome::completed)).hasSize(3);
        fails(run.outcomes().get(1), FailureClass.RESET, "closed");
        assertThat(run.outcomes().get(1).contentNanos()).hasSize(1);
    }

    @Test
    void statusTypeAndEndAreJudgedAsInHttp1() {
        fails(one(s -> s.head("503", "content-type", "text/plain").write("no room").end()),
                FailureClass.HTTP_5XX, "HTTP 503: no room");
        fails(one(s -> s.head("404").end()), FailureClass.HTTP_4XX, "HTTP 404");
        fails(one(s -> s.head("302", "location", "/x").end()), FailureClass.MALFORMED, "redirect");
        fails(one(s -> s.head("200", "content-type", "application/json").write("{}").end()),
                FailureClass.MALFORMED, "application/json");
        fails(one(s -> s.head("200", "content-type", "text/event-stream", "content-encoding", "gzip")
                .write("x").end()), FailureClass.MALFORMED, "gzip");
        fails(one(s -> s.stream().text("a").end()), FailureClass.TRUNCATED, "[DONE]");
        fails(one(s -> s.stream().write("data: [DONE]\n\n").end()), FailureClass.EMPTY, "no token");
        RequestOutcome interim = one(s -> {
            s.head("103", "link", "x");
            s.later(50, () -> tokens(s, 1));
        });
        assertThat(interim.failure()).as(interim.detail()).isEmpty();
        assertThat(interim.headersNanos().orElseThrow() - interim.firstByteNanos().orElseThrow())
                .isGreaterThan(20 * LoadFixtures.MS);
    }

    @Test
    void aStallTimesOutAloneAndItsStreamIsCancelled() {
        List<Long> resets;
        LoadRun run;
        try (Http2Server server = new Http2Server(s -> {
            if (s.number() == 3) {
                s.stream().text("a");
            } else {
                tokens(s, 3);
            }
        })) {
            run = LoadGenerator.run(server.target(), requests(40, 20_000, 3),
                    LoadOptions.openLoop().withTimeLimit(300 * LoadFixtures.MS));
            resets = List.copyOf(server.resets);
        }
        RequestOutcome stalled = run.outcomes().get(3);
        fails(stalled, FailureClass.TIMEOUT, "300 ms");
        assertThat(stalled.endNanos() - stalled.sentNanos().orElseThrow())
                .isBetween(299 * LoadFixtures.MS, 800 * LoadFixtures.MS);
        assertThat(run.outcomes().stream().filter(RequestOutcome::completed)).hasSize(39);
        assertThat(run.client().connections()).isEqualTo(1);
        assertThat(resets).containsExactly(Http2Error.CANCEL.code());
    }

    @Test
    void largeBodiesPassBothWays() {
        String piece = "x".repeat(8000);
        Request large = new Request(0, 0, "word ".repeat(400_000), 9, 1000, "d", Optional.empty());
        LoadRun run = run(List.of(large), options(), s -> {
            assertThat(s.bodyBytes()).isGreaterThan(2_000_000);
            s.stream();
            for (int i = 0; i < 1000; i++) {
                s.text(piece);
            }
            s.done();
        });
        RequestOutcome o = run.outcomes().getFirst();
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.contentNanos()).hasSize(1000);
        // Many megabytes on one connection one after another: the windows have to be given back.
        LoadRun many = run(requests(100, 0, 1000), LoadOptions.closedLoop(4), s -> {
            s.stream();
            for (int i = 0; i < 100; i++) {
                s.text(piece);
            }
            s.done();
        });
        assertThat(many.outcomes()).hasSize(100).allMatch(x -> x.contentNanos().length == 100);
    }

    @Test
    void everyStreamReadsAsByHttp1HoweverItIsCut() {
        Map<String, String> bodies = new LinkedHashMap<>(Streams.chat());
        List<String> names = List.copyOf(bodies.keySet());
        SplittableRandom random = new SplittableRandom(11);
        try (Http2Server server = new Http2Server(s -> {
            byte[] body = bodies.getOrDefault(names.get(s.number()), "").getBytes(StandardCharsets.UTF_8);
            s.stream();
            for (int at = 0; at < body.length;) {
                int to = Math.min(body.length, at + random.nextInt(1, 30));
                var _ = s.context().write(new DefaultHttp2DataFrame(
                        Unpooled.copiedBuffer(body, at, to - at), false).stream(s.id()));
                at = to;
            }
            s.end();
        })) {
            LoadRun run = LoadGenerator.run(server.target().withApi(Target.Api.CHAT),
                    requests(names.size(), 0, 4), LoadOptions.closedLoop(1).withText());
            for (int i = 0; i < names.size(); i++) {
                RequestOutcome got = run.outcomes().get(i);
                RequestOutcome want = byHttp1(bodies.getOrDefault(names.get(i), ""), got.request());
                assertThat(got.failure()).as(names.get(i)).isEqualTo(want.failure());
                assertThat(got.detail()).as(names.get(i)).isEqualTo(want.detail());
                assertThat(got.text()).as(names.get(i)).isEqualTo(want.text());
                assertThat(got.contentTokens()).as(names.get(i)).isEqualTo(want.contentTokens());
                assertThat(got.outputTokens()).as(names.get(i)).isEqualTo(want.outputTokens());
                assertThat(got.promptTokens()).as(names.get(i)).isEqualTo(want.promptTokens());
            }
        }
    }

    private static RequestOutcome byHttp1(String body, Request request) {
        Exchange exchange = new Exchange(request, ByteBuffer.allocate(0), 0);
        ResponseReader reader = new ResponseReader(Target.Api.CHAT, true);
        reader.begin(exchange);
        byte[] all = Streams.response(body, 7);
        reader.feed(all, 0, all.length, 1);
        return exchange.outcome(1, Optional.ofNullable(reader.failure()), reader.detail());
    }

    @Test
    void aServerThatIsNotThereOrSpeaksNoHttp2IsNamed() throws IOException {
        int closed;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = gone.getLocalPort();
        }
        LoadOptions brief = LoadOptions.openLoop().withTimeLimit(400 * LoadFixtures.MS);
        assertThat(LoadGenerator.run(plain(closed), requests(3, 1000, 1), brief).outcomes()).hasSize(3)
                .allSatisfy(o -> fails(o, FailureClass.REFUSED, "no connection to http://127.0.0.1:"));
        try (ScriptedServer old = new ScriptedServer(
                e -> e.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"));
                ScriptedServer closes = new ScriptedServer(e -> e.socket().close());
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(LoadGenerator.run(plain(URI.create(old.url()).getPort()), requests(3, 1000, 1), brief)
                    .outcomes()).hasSize(3)
                    .allSatisfy(o -> fails(o, FailureClass.REFUSED, "does not speak HTTP/2"));
            assertThat(
                    LoadGenerator.run(plain(URI.create(closes.url()).getPort()), requests(3, 1000, 1), brief)
                            .outcomes())
                    .hasSize(3)
                    .allSatisfy(o -> fails(o, FailureClass.REFUSED, "before its HTTP/2 settings"));
            assertThat(
                    LoadGenerator.run(plain(silent.getLocalPort()), requests(3, 1000, 1), brief).outcomes())
                    .hasSize(3).allSatisfy(o -> fails(o, FailureClass.TIMEOUT, "400 ms"));
        }
        assertThat(LoadGenerator.run(plain(closed), requests(3, 1000, 1),
                LoadOptions.closedLoop(2).withTimeLimit(400 * LoadFixtures.MS)).outcomes()).hasSize(3)
                .noneMatch(RequestOutcome::completed);
    }

    private static Target plain(int port) {
        return Target.of("http://127.0.0.1:" + port, "m").withProtocol(Target.Protocol.HTTP_2);
    }

    @Test
    void tlsAgreesOnHttp2OrRefuses() throws IOException, GeneralSecurityException, InterruptedException {
        SslContext both = tls("h2", "http/1.1");
        try (Http2Server server = new Http2Server(100, Optional.of(both), s -> tokens(s, 20));
                Http2Server old = new Http2Server(100, Optional.of(tls("http/1.1")), s -> tokens(s, 20))) {
            LoadRun run = LoadGenerator.run(believing(server.target()), requests(30, 500, 20),
                    LoadOptions.openLoop().withTimeLimit(20_000 * LoadFixtures.MS));
            assertThat(run.outcomes().stream().map(o -> o.failure() + o.detail()).distinct())
                    .containsExactly("Optional.empty");
            assertThat(run.outcomes()).hasSize(30)
                    .allSatisfy(o -> assertThat(o.contentNanos()).hasSize(20));
            assertThat(run.client().connections()).isLessThanOrEqualTo(2);
            assertThat(LoadGenerator.run(believing(old.target()), requests(2, 500, 20), options()).outcomes())
                    .hasSize(2).allSatisfy(o -> fails(o, FailureClass.REFUSED, "h2 (ALPN)"));
        }
    }

    private static Target believing(Target target) {
        return target.withTransport(target.transport().withCertificates(Optional.empty(), true));
    }

    private static SslContext tls(String... protocols)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path store = dir.resolve("key.p12");
        if (!store.toFile().exists()) {
            Process process = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
                    "-keystore", store.toString(), "-storepass", "secret", "-alias", "k", "-keyalg", "EC",
                    "-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1").redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(store.toFile(), "secret".toCharArray()), "secret".toCharArray());
        return SslContextBuilder.forServer(keys).sslProvider(SslProvider.JDK)
                .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
                        Arrays.asList(protocols)))
                .build();
    }

    @Test
    void whatHttp2CannotCarryIsAMisuse() {
        Target target = Target.of("http://far.test:8000", "m");
        Transport way = Transport.to(target.baseUrl(), Map.of("http_proxy", "http://127.0.0.1:1"));
        assertThatThrownBy(() -> target.withTransport(way).withProtocol(Target.Protocol.HTTP_2))
                .isInstanceOf(AssayException.class).hasMessageContaining("through a proxy");
        assertThatThrownBy(() -> target.withHeaders(List.of(new Target.Header("TE", "trailers")))
                .withProtocol(Target.Protocol.HTTP_2)).hasMessageContaining("'TE'");
    }

    @Test
    void anInterruptedRunCancelsItsStreams() {
        Thread self = Thread.currentThread();
        LoadRun run = run(requests(8, 1000, 4), options(), s -> {
            s.stream().text("a");
            if (s.number() == 7) {
                s.later(30, self::interrupt);
            }
        });
        assertThat(run.outcomes()).hasSize(8)
                .allSatisfy(o -> fails(o, FailureClass.CANCELLED, "interrupted"));
    }
}
