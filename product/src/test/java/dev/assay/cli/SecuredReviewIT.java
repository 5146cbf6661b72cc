package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.load.OwnCertificate;
import dev.assay.load.RequestLog;
import dev.assay.load.ScriptedServer;
import dev.assay.review.ReviewFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A review of servers that speak TLS by certificates of their own and want a key, which comes from the environment. */
class SecuredReviewIT {
    private static final String VARIABLE = "ASSAY_TEST_SERVER_KEY";
    private static final String KEY = Optional.ofNullable(System.getenv(VARIABLE)).orElse("");

    @TempDir
    static Path temp;
    /** The key that the servers take. */
    private static volatile String accepted = KEY;
    private static OwnCertificate own;
    private static OwnCertificate others;
    private static ScriptedServer believed;
    /** Its certificate is for another name. */
    private static ScriptedServer unbelieved;

    @BeforeAll
    static void start() throws IOException, InterruptedException, GeneralSecurityException {
        own = OwnCertificate.make(Files.createDirectory(temp.resolve("own")), "ip:127.0.0.1");
        others = OwnCertificate.make(Files.createDirectory(temp.resolve("others")), "dns:far.test");
        AtomicInteger streams = new AtomicInteger();
        ScriptedServer.Script open = ScriptedServer.completions(e -> {
            if (streams.incrementAndGet() % 40 == 0) {
                e.reply(503, "no luck today for " + e.header("authorization").orElse("nobody"));
            } else {
                e.tokens(TinyReview.QUICK_TOKENS, 12, TinyReview.QUICK_GAP_MILLIS);
            }
        });
        ScriptedServer.Script locked = e -> {
            if (e.path().equals("/health")
                    || e.header("authorization").equals(Optional.of("Bearer " + accepted))) {
                open.answer(e);
            } else {
                e.reply(401, "no entry");
            }
        };
        believed = new ScriptedServer(locked, own.server());
        unbelieved = new ScriptedServer(locked, others.server());
    }

    @AfterAll
    static void stop() throws IOException {
        believed.close();
        unbelieved.close();
    }

    private static ReviewFiles review(String name, String baseline, String candidate) {
        return TinyReview.create(temp.resolve(name), TinyReview.quick(believed.url(), unbelieved.url())
                .set("baseline", "url: \"" + believed.url() + "\"\n    " + baseline)
                .set("candidate", "url: \"" + unbelieved.url() + "\"\n    " + candidate)
                .set("warmup_s", "0.1"));
    }

    private static void refused(Cli run, int code, String... words) {
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).doesNotContain("\tat ", "Exception");
        assertThat(run.err().lines().filter(l -> l.startsWith("assay: "))).singleElement().asString()
                .contains(words).contains("expected");
        assertThat(run.err().lines().reduce((_, last) -> last).orElseThrow()).startsWith("assay: ");
    }

    private static Cli run(String command, ReviewFiles files, String... options) {
        List<String> words = new ArrayList<>(List.of(command, files.directory().toString()));
        words.addAll(List.of(options));
        return Cli.run(words.toArray(String[]::new));
    }

    @Test
    void slotsAreMeasuredByTheWayThatTheArmsNameAndTheKeyStaysOutOfTheFiles() throws IOException {
        Assumptions.assumeTrue(!KEY.isEmpty(), VARIABLE + " is set by the build");
        String key = "\n    api_key_env: " + VARIABLE;
        ReviewFiles files = review("kept", "cacert: \"" + own.file() + "\"" + key, "insecure: true" + key);
        assertThat(run("lint", files).out()).contains("ready to predict");
        refused(run("predict", files), Exit.MISUSE, "a key is sent", "--trust");
        Cli predicted = run("predict", files, "--trust", "--ledger", "none");
        assertThat(predicted.code()).as(predicted.err()).isZero();
        assertThat(run("seal", files).code()).isZero();
        accepted = "another";
        refused(run("measure", files, "--trust"), Exit.ENVIRONMENT, VARIABLE, believed.url(), "HTTP 401");
        accepted = KEY;
        Cli measured = run("measure", files, "--trust");
        assertThat(measured.code()).as(measured.err()).isIn(Exit.DONE, Exit.AGAINST, Exit.EVIDENCE);
        assertThat(Files.readString(files.directory().resolve("journal.jsonl")).lines()
                .filter(l -> l.contains("\"kind\":\"slot_finished\""))).hasSize(16);
        assertThat(run("verify", files).out()).contains("accepted");
        assertThat(Files.readString(files.directory().resolve(ReviewFiles.RECORD_MD)))
                .contains("certificates of " + own.file(), "any certificate", "API key from $" + VARIABLE);

        List<String> details = new ArrayList<>();
        for (Path file : written(files)) {
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).as(file.toString())
                    .doesNotContain(KEY);
            if (file.toString().endsWith(".parquet")) {
                RequestLog.read(file).forEach(o -> details.add(o.detail()));
            }
        }
        assertThat(details).noneMatch(d -> d.contains(KEY))
                .anyMatch(d -> d.contains("no luck today for Bearer "));
        assertThat(predicted + measured.toString()).doesNotContain(KEY);
    }

    private static List<Path> written(ReviewFiles files) throws IOException {
        try (Stream<Path> all = Files.walk(files.directory())) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void whatDoesNotOpenTheServerIsNamed() throws IOException {
        Path none = Files.writeString(temp.resolve("none.pem"), "no certificate\n");
        Path absent = temp.resolve("absent.pem");
        predictIsRefused("other", "cacert: \"" + others.file() + "\"", believed.url(), "TLS",
                others.file().toString());
        predictIsRefused("jdk", "headers: {X-Tenant: a}", believed.url(), "TLS", "the JDK's list");
        predictIsRefused("empty", "cacert: \"" + none + "\"", none.toString(), "certificates in PEM");
        predictIsRefused("absent", "cacert: \"" + absent + "\"", absent.toString(), "no such file");
        refused(predict("unset", "cacert: \"" + own.file() + "\"\n    api_key_env: " + VARIABLE + "_NOT"),
                Exit.MISUSE,
                VARIABLE + "_NOT", "api_key_env", "is not set");
        predictIsRefused("keyless", "cacert: \"" + own.file() + "\"", believed.url(), "HTTP 401",
                "api_key_env");
    }

    private static void predictIsRefused(String name, String baseline, String... words) {
        refused(predict(name, baseline), Exit.ENVIRONMENT, words);
    }

    private static Cli predict(String name, String baseline) {
        return run("predict", review(name, baseline, "insecure: true"), "--trust", "--ledger", "none");
    }
}
