package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.load.ScriptedServer;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code load_points: find} against a server with one place of 9 ms: it serves 111 requests a second and no more. */
class FindLoadPointsIT {
    private static final int TOKENS = 3;
    private static final int GAP_MILLIS = 3;

    @TempDir
    Path temp;
    private ScriptedServer server;
    /** Tokens of an answer, however many were asked for. */
    private volatile int given = TOKENS;
    private final Semaphore place = new Semaphore(1, true);

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(ScriptedServer.completions(e -> {
            place.acquire();
            try {
                e.tokens(given, 12, GAP_MILLIS);
            } finally {
                place.release();
            }
        }));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private Path review() {
        Path review = temp.resolve("found");
        TinyReview.create(review,
                TinyReview.template(1, server.url(), server.url()).set("load_points", "find")
                        .set("objective_points", "[above, \"overload\"]  # past the knee")
                        .set("ttft_ms", "300")
                        .set("output_tokens", String.valueOf(TOKENS)));
        return review;
    }

    private static List<Path> curves(Path review) throws IOException {
        try (Stream<Path> files = Files.list(review.resolve("evidence"))) {
            return files.filter(f -> f.toString().endsWith("-curve.json")).toList();
        }
    }

    /** The search slot by slot, for a message. */
    private static String slots(Path review) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : curves(review)) {
            JsonValue.Obj curve = Json.parse(Files.readString(file), "curve").asObject().require("curve")
                    .asObject();
            for (JsonValue slot : curve.require("slots").asList()) {
                JsonValue.Obj s = slot.asObject();
                text.append(s.require("purpose").asText()).append(' ')
                        .append(s.require("offered_rps").asDouble()).append("/s ")
                        .append(Json.canonical(s.require("attainment"))).append(' ')
                        .append(Json.canonical(s.require("void_by"))).append('\n');
            }
        }
        return text.toString();
    }

    @Test
    @Tag("slow")
    void predictFindsThemAndWritesThem() throws IOException {
        Path review = review();
        String before = Files.readString(review.resolve(ReviewFiles.PROPOSAL));
        assertThat(Cli.run("lint", review.toString()).out()).contains("which finds the load points first");
        for (String command : List.of("seal", "show", "measure")) {
            Cli early = Cli.run(command, review.toString());
            assertThat(early.code()).as(command).isEqualTo(Exit.EVIDENCE);
            assertThat(early.err()).contains("load_points is 'find'").contains("assay predict")
                    .matches("(?s)assay: review\\.yaml:\\d+:\\d+: .*").hasLineCount(1);
        }
        Cli predicted = Cli.run("predict", "--ledger", "none", review.toString());
        if (predicted.err().contains("was not bracketed")) {
            // A machine that is busy with other work voids slots, and says so; the rest is in LoadFindingTest.
            assertThat(predicted.code()).isEqualTo(Exit.EVIDENCE);
            assertThat(Files.readString(review.resolve(ReviewFiles.PROPOSAL))).isEqualTo(before);
            Assumptions.abort("skipped: " + predicted.err() + slots(review));
        }
        assertThat(predicted.code()).as("%s\n%s", predicted.err(), slots(review)).isZero();
        assertThat(predicted.out()).containsPattern(
                "operating curve of the baseline: the SLO is met up to .*/s was shown to meet it, .* load points");
        Proposal proposal = ReviewFiles.of(review).proposal();
        List<Double> points = proposal.loadPoints();
        assertThat(points).hasSize(4);
        assertThat(points.get(3) / points.get(0)).isBetween(3.1, 3.3);
        // A busy machine serves less than 111 a second, never more.
        assertThat(points.get(1)).isBetween(5.0, 111.0);
        assertThat(proposal.objective().loadPoints()).isEqualTo(points.subList(2, 4));
        List<String> old = before.lines().toList();
        List<String> now = Files.readString(review.resolve(ReviewFiles.PROPOSAL)).lines().toList();
        assertThat(now).hasSameSizeAs(old);
        for (int i = 0; i < old.size(); i++) {
            if (!old.get(i).contains("load_points: find") && !old.get(i).contains("overload\"")) {
                assertThat(now.get(i)).isEqualTo(old.get(i));
            }
        }
        assertThat(now).anyMatch(l -> l.matches("load_points: \\[.*]  # found: 0.5, 0.8, 1.25, 1.6 times .*"))
                .anyMatch(l -> l.matches("  load_points: \\[[0-9.]+, [0-9.]+]  # past the knee"));
        assertThat(curves(review)).hasSize(1);
        assertThat(Cli.run("seal", review.toString()).code()).isZero();
        assertThat(Cli.run("verify", review.toString()).out()).contains("accepted");
        assertThat(Cli.run("show", review.toString()).code()).isZero();
    }

    @Test
    void whatIsNotBracketedIsRefusedInOneLine() throws IOException {
        // Two tokens for three asked void every slot.
        given = TOKENS - 1;
        Path review = review();
        Cli refused = Cli.run("predict", "--ledger", "none", review.toString());
        assertThat(refused.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(refused.err())
                .contains("was not bracketed: no load was shown to meet it, no load to miss it (two slots at")
                .contains("write four load points");
        assertThat(refused.err().lines().filter(l -> l.startsWith("assay:"))).hasSize(1);
        assertThat(Files.readString(review.resolve(ReviewFiles.PROPOSAL))).contains("load_points: find");
        assertThat(curves(review)).hasSize(1);
    }
}
