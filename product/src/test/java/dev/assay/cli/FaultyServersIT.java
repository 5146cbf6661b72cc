package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.review.Journal;
import dev.assay.review.State;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that do not start, die or answer errors end slots with a reason; what was measured stays and verifies. */
class FaultyServersIT {
    @TempDir
    Path temp;

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** A token each 8 ms, so that the calibration has gaps to read. */
    private static void pause() {
        try {
            Thread.sleep(8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Path sealed(String name, String baseline, String candidate) {
        Path review = temp.resolve(name);
        TinyReview.create(review, TinyReview.template(1, baseline, candidate).set("warmup_s", "0"));
        assertThat(Cli.run("predict", "--trust", review.toString()).err()).doesNotContain("assay:");
        assertThat(Cli.run("seal", review.toString()).code()).isZero();
        return review;
    }

    private static void verifies(Path review) {
        Cli verified = Cli.run("verify", review.toString());
        assertThat(verified.out()).contains("accepted").doesNotContain("FAILED");
    }

    @Test
    void aCandidateThatDoesNotStartIsNamedAndTheJournalStays() {
        Path review = sealed("no-start", TinyReview.engine(1), "echo 'out of luck' >&2; exit 3 # {port}");
        Cli measured = Cli.run("measure", "--trust", review.toString());
        assertThat(measured.code()).isEqualTo(Exit.ENVIRONMENT);
        assertThat(measured.err()).contains("status 3").contains("out of luck");
        verifies(review);
    }

    /** The candidate answers the comparison of outputs and dies in its first session of slots; then it dies at once. */
    @Test
    void aCandidateThatDiesMidwayLosesItsSlotsOnly() throws IOException {
        Path marker = temp.resolve("starts");
        String dying = "echo x >> '" + marker + "'; n=$(wc -l < '" + marker + "'); "
                + "(" + TinyReview.engine(2) + ") & p=$!; "
                + "[ \"$n\" -lt 2 ] || { sleep 3; kill -9 $p; pkill -9 -P $p; }; wait $p";
        Path review = sealed("dies", TinyReview.engine(1), dying);
        Cli measured = Cli.run("measure", "--trust", review.toString());
        State state = State.of(Journal.read(review));
        assertThat(state.failed()).as(measured.err()).isNotEmpty()
                .allSatisfy(f -> assertThat(f.reason()).isNotBlank());
        assertThat(Files.readString(review.resolve("journal.jsonl"))).contains("\"kind\":\"slot_failed\"");
        verifies(review);
    }

    @Test
    void errorsOfTheServerAreCountedInTheirClass() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        AtomicBoolean failing = new AtomicBoolean();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/health", e -> {
            e.sendResponseHeaders(200, -1);
            e.close();
        });
        server.createContext("/v1/completions", e -> {
            String body = new String(e.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!body.replace(" ", "").contains("\"stream\":true")) {
                answer(e, 200, "{\"choices\":[{\"index\":0,\"text\":\" t t\"}]}");
                return;
            }
            if (failing.get() && requests.incrementAndGet() % 2 == 0) {
                answer(e, 503, "{\"error\":{\"message\":\"no luck\"}}");
                return;
            }
            e.getResponseHeaders().add("Content-Type", "text/event-stream");
            e.sendResponseHeaders(200, 0);
            try (OutputStream out = e.getResponseBody()) {
                for (int i = 1; i <= 6; i++) {
                    out.write(("data: {\"choices\":[{\"index\":0,\"text\":\" t\"}]}\n\n")
                            .getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    pause();
                }
                out.write(
                        ("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":6}}\n\n"
                                + "data: [DONE]\n\n").getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Path review = sealed("errors", url, url);
            failing.set(true);
            Cli measured = Cli.run("measure", review.toString());
            assertThat(measured.code()).as(measured.err()).isEqualTo(Exit.EVIDENCE);
            assertThat(measured.out()).contains("error-share");
            assertThat(Files.readString(review.resolve("journal.jsonl"))).contains("http_5xx");
            verifies(review);
        } finally {
            server.stop(0);
        }
    }
}
