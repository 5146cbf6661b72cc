package dev.assay.load;

import static dev.assay.load.LoadFixtures.options;
import static dev.assay.load.LoadFixtures.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.assay.workload.FailureClass;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
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
    private static HttpsServer server;
    private static Path certificate;

    @BeforeAll
    static void start() throws IOException, InterruptedException, GeneralSecurityException {
        Path store = dir.resolve("key.p12");
        keytool("-genkeypair", "-keystore", store.toString(), "-storepass", "secret", "-alias", "k",
                "-keyalg", "EC",
                "-dname", "CN=localhost", "-ext", "san=dns:localhost,dns:far.test,ip:127.0.0.1", "-validity",
                "2");
        certificate = dir.resolve("cert.pem");
        keytool("-exportcert", "-rfc", "-keystore", store.toString(), "-storepass", "secret", "-alias", "k",
                "-file",
                certificate.toString());
        KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "secret".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/completions", TransportIT::complete);
        server.createContext("/v1/models", x -> {
            byte[] body = "{\"data\":[{\"id\":\"tiny\"}]}".getBytes(StandardCharsets.UTF_8);
            x.sendResponseHeaders(200, body.length);
            x.getResponseBody().write(body);
            x.close();
        });
        server.start();
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    private static void complete(HttpExchange x) throws IOException {
        int length = x.getRequestBody().readAllBytes().length;
        x.getResponseHeaders().add("Content-Type", "text/event-stream");
        x.sendResponseHeaders(200, 0);
        try (OutputStream out = x.getResponseBody()) {
            for (int i = 0; i < 20; i++) {
                out.write(("data: {\"choices\":[{\"text\":\"" + "t".repeat(i * 100) + "x\"}]}\n\n")
                        .getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
            out.write(("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" + length
                    + ",\"completion_tokens\":20}}\n\ndata: [DONE]\n\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Target secure(Optional<Path> caCert, boolean insecure) {
        Target target = Target.of("https://127.0.0.1:" + server.getAddress().getPort(), "m");
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
            try (Socket far = new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort())) {
                e.write("HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n");
                Thread back = Thread.ofVirtual().start(() -> copy(far, e.socket()));
                copy(e.socket(), far);
                back.interrupt();
            }
        }, true)) {
            int port = URI.create(proxy.url()).getPort();
            LoadRun run = LoadGenerator.run(behind("https://far.test:443", port), requests(6, 2000, 20),
                    options());
            assertThat(run.outcomes()).allSatisfy(o -> assertThat(o.failure()).as(o.detail()).isEmpty());
        }
        assertThat(heads).isNotEmpty()
                .allSatisfy(h -> assertThat(h).startsWith("CONNECT far.test:443 HTTP/1.1\r\n")
                        .contains("Proxy-Authorization: Basic bWU6cEBzcw==\r\n"));
    }

    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            return;
        }
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
