package dev.assay.load;

import static dev.assay.load.LoadFixtures.options;
import static dev.assay.load.LoadFixtures.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS against the JDK's own server with a key made on the spot, and proxies against scripted ones. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TransportIT {
    @TempDir
    static Path dir;
    private static ScriptedServer server;
    private static Path certificate;

    @BeforeAll
    static void start() throws IOException, InterruptedException, GeneralSecurityException {
        OwnCertificate made = OwnCertificate.make(dir, "dns:localhost,dns:far.test,ip:127.0.0.1");
        certificate = made.file();
        server = new ScriptedServer(ScriptedServer.completions(e -> {
            e.stream();
            for (int i = 0; i < 20; i++) {
                e.text("t".repeat(i * 100) + "x");
            }
            e.usage(e.body().length(), 20).done();
        }), made.server());
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static Target secure(Optional<Path> caCert, boolean insecure) {
        Target target = Target.of(server.url(), "m");
        return target.withTransport(target.transport().withCertificates(caCert, insecure));
    }

    @Test
    void tlsCarriesARunOverReusedConnections() {
        LoadRun run = LoadGenerator.run(secure(Optional.of(certificate), false), requests(200, 0, 20),
                LoadOptions.closedLoop(8).withText());
        assertThat(run.outcomes()).hasSize(200)
                .allSatisfy(o -> assertThat(o.failure()).as(o.detail()).isEmpty());
        assertThat(run.outcomes())
                .allMatch(o -> o.contentNanos().length == 20 && o.text().length() == 19_020);
        assertThat(run.client().connections()).isLessThanOrEqualTo(16);
        assertThat(LoadGenerator.run(secure(Optional.empty(), true), requests(3, 1000, 20), options())
                .outcomes())
                .allMatch(RequestOutcome::completed);
    }

    @Test
    void aLargePromptGoesThroughTls() {
        String prompt = "word ".repeat(400_000);
        LoadRun run = LoadGenerator.run(secure(Optional.of(certificate), false),
                List.of(new Request(0, 0, prompt, 9, 20, "d", Optional.empty())), options());
        RequestOutcome o = run.outcomes().getFirst();
        assertThat(o.failure()).as(o.detail()).isEmpty();
        assertThat(o.promptTokens().orElseThrow()).isGreaterThan(prompt.length());
    }

    @Test
    void aCertificateThatIsNotBelievedRefuses() {
        LoadRun run = LoadGenerator.run(secure(Optional.empty(), false), requests(3, 1000, 20), options());
        assertThat(run.outcomes()).hasSize(3)
                .allMatch(o -> o.failure().equals(Optional.of(FailureClass.REFUSED)))
                .allMatch(o -> o.detail().contains("TLS: "));
        Path none = dir.resolve("none.pem");
        assertThatThrownBy(() -> {
            Files.writeString(none, "");
            LoadGenerator.run(secure(Optional.of(none), false), requests(1, 0, 1), options());
        }).hasMessageContaining("none.pem");
    }

    @Test
    void aServerWithoutTlsRefusesAndOneThatIsSilentTimesOut() throws IOException {
        try (ScriptedServer plain = new ScriptedServer(e -> e.stream().text("a").done());
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Target wrong = Target.of(plain.url().replace("http:", "https:"), "m");
            // The scripted server waits for a request that TLS never sends.
            assertThat(LoadGenerator.run(wrong, requests(2, 0, 1),
                    LoadOptions.openLoop().withTimeLimit(400 * LoadFixtures.MS)).outcomes())
                    .allMatch(o -> o.failure().isPresent());
            Target none = Target.of("https://127.0.0.1:" + silent.getLocalPort(), "m");
            assertThat(LoadGenerator
                    .run(none, requests(2, 0, 1), LoadOptions.openLoop().withTimeLimit(400 * LoadFixtures.MS))
                    .outcomes()).allMatch(o -> o.failure().equals(Optional.of(FailureClass.TIMEOUT)));
        }
    }

    @Test
    void probesGoTheSameWay() {
        Target target = secure(Optional.of(certificate), false);
        target.transport().use(target.baseUrl());
        assertThat(Probe.model(target)).isEqualTo("tiny");
        assertThat(Probe.calibrate(target)).isPresent();
    }

    private static Target behind(String url, int proxyPort) {
        URI base = URI.create(url);
        Transport way = Transport.to(base, Map.of(base.getScheme() + "_proxy",
                "http://me:p%40ss@127.0.0.1:" + proxyPort));
        return Target.of(url, "m").withTransport(way.withCertificates(Optional.of(certificate), false));
    }

    @Test
    void plainHttpGoesToTheProxyInAbsoluteForm() throws IOException {
        ConcurrentLinkedQueue<String> heads = new ConcurrentLinkedQueue<>();
        try (ScriptedServer proxy = new ScriptedServer(e -> {
            heads.add(e.head());
            e.stream().text("a").done();
        })) {
            int port = URI.create(proxy.url()).getPort();
            assertThat(LoadGenerator.run(behind("http://far.test:8000", port), requests(2, 0, 1), options())
                    .outcomes()).allMatch(RequestOutcome::completed);
        }
        assertThat(heads).hasSize(2).allSatisfy(h -> assertThat(h)
                .startsWith("POST http://far.test:8000/v1/completions HTTP/1.1\r\nHost: far.test:8000\r\n")
                .contains("Proxy-Authorization: Basic bWU6cEBzcw==\r\n"));
    }

    /** A proxy that joins each CONNECT to the TLS server, whatever name it asks for. */
    @Test
    void httpsGoesThroughATunnel() throws IOException {
        ConcurrentLinkedQueue<String> heads = new ConcurrentLinkedQueue<>();
        try (ScriptedServer proxy = new ScriptedServer(e -> {
            heads.add(e.head());
            try (Socket far = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                e.write("HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n");
                e.join(far);
            }
        })) {
            int port = URI.create(proxy.url()).getPort();
            LoadRun run = LoadGenerator.run(behind("https://far.test:443", port), requests(6, 2000, 20),
                    options());
            assertThat(run.outcomes()).allSatisfy(o -> assertThat(o.failure()).as(o.detail()).isEmpty());
        }
        assertThat(heads).isNotEmpty()
                .allSatisfy(h -> assertThat(h).startsWith("CONNECT far.test:443 HTTP/1.1\r\n")
                        .contains("Proxy-Authorization: Basic bWU6cEBzcw==\r\n"));
    }

    @Test
    void aProxyThatRefusesIsNamed() throws IOException {
        try (ScriptedServer proxy = new ScriptedServer(
                e -> e.write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"))) {
            int port = URI.create(proxy.url()).getPort();
            assertThat(LoadGenerator.run(behind("https://far.test", port), requests(1, 0, 1), options())
                    .outcomes())
                    .allMatch(o -> o.failure().equals(Optional.of(FailureClass.REFUSED))
                            && o.detail().contains("407"));
            assertThat(LoadGenerator.run(behind("http://far.test", port), requests(1, 0, 1), options())
                    .outcomes())
                    .allMatch(o -> o.failure().equals(Optional.of(FailureClass.HTTP_4XX)));
        }
    }
}
