package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.review.MadeReview;
import dev.assay.review.ReviewFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The whole path on real servers of the embedded engine, through the real command line. */
@Tag("together")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReviewFlowIT {
    @TempDir
    static Path temp;
    private static Path review;

    @BeforeAll
    static void create() {
        review = temp.resolve("tiny");
        // A past review whose forecasts were far too sure, beside the one that is to be predicted.
        MadeReview.decided(temp.resolve("past"), Instant.parse("2026-03-01T08:00:00Z"), 1.5, 1.1, 2);
        TinyReview.create(review, TinyReview.template(1, TinyReview.engine(1), TinyReview.engine(2))
                .set("slot_s", "0.3").set("warmup_s", "0.1"));
    }

    @Test
    @Order(1)
    void measuringNeedsASeal() {
        Cli refused = Cli.run("measure", "--trust", review.toString());
        assertThat(refused.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(refused.err()).contains("not sealed").hasLineCount(1);
        assertThat(Cli.run("seal", review.toString()).err()).contains("run 'assay predict' first");
    }

    @Test
    @Order(2)
    void aReviewFromElsewhereDoesNotRunUnasked() {
        Cli refused = Cli.run("predict", review.toString());
        assertThat(refused.code()).isEqualTo(Exit.MISUSE);
        assertThat(refused.err()).contains("was not made on this machine").contains("--trust");
    }

    @Test
    @Order(3)
    void fromLintToVerify() {
        assertThat(Cli.run("lint", review.toString()).out()).contains("ready to predict and seal");
        Cli predicted = Cli.run("predict", "--trust", review.toString());
        assertThat(predicted.err()).doesNotContain("assay:");
        assertThat(predicted.code()).isZero();
        assertThat(predicted.out().lines().filter(l -> !l.contains("/tiny"))).allMatch(l -> l.length() <= 80);
        assertThat(predicted.out()).contains("Knee: ", "Sign over batch: ", "Sign over length: ",
                "Sign over load: ");
        assertThat(predicted.out().replaceAll("\\s+", " "))
                .contains("ledger: interval ×1.4", "since 0 of 12 past forecasts of this kind")
                .containsPattern("tpot_p50_ms: .* at each load point. \\(interval ×1.4");
        assertThat(Cli.run("seal", review.toString()).out()).matches("sealed [0-9a-f]{64}\\R");
        assertThat(Cli.run("seal", review.toString()).err()).contains("already sealed");
        Cli measured = Cli.run("measure", "--trust", review.toString());
        assertThat(measured.err()).doesNotContain("assay:");
        assertThat(measured.out().lines().filter(l -> !l.contains("/tiny"))).allMatch(l -> l.length() <= 80);
        assertThat(measured.code()).as(measured.out()).isIn(Exit.DONE, Exit.AGAINST, Exit.EVIDENCE);
        assertThat(Cli.run("decide", review.toString(), "--decision", "hold", "--reason", "one block").code())
                .isZero();
        Cli verified = Cli.run("verify", review.toString());
        assertThat(verified.out()).contains("accepted").doesNotContain("FAILED");
        assertThat(verified.out().lines()).allMatch(l -> l.length() <= 80);
        assertThat(verified.code()).isZero();
        Cli shown = Cli.run("show", review.toString());
        assertThat(shown.out()).contains("Limiter, knee and sign", "Knee: ", "Sign over length: ",
                "Roll back when: ");
        assertThat(shown.out().lines()).allMatch(l -> l.length() <= 80);
        assertThat(Cli.run("show", "--write", review.toString()).code()).isZero();
        assertThat(Cli.run("verify", review.toString()).out()).contains("accepted");
        // On a busy machine the one block may give no ratio; the sealed claims name the ledger all the same.
        assertThat(review.resolve(ReviewFiles.RECORD_MD)).content().contains("## Where the model was wrong",
                "(interval ×1.4", "**Knee:**", "**Sign over batch:**", "**Sign over length:**",
                "**Sign over load:**",
                "**Roll back when**", "**Not shown:**");
        assertThat(Cli.run("ledger", temp.toString()).out()).contains("batch cap");
        Cli twin = Cli.run("twin", "--slots", review.toString());
        // On a busy machine no slot may be valid.
        assertThat(twin.code() == Exit.EVIDENCE ? twin.err() : twin.out())
                .containsAnyOf("no valid slot of a sealed review",
                        "|twin/observed - 1| over arms and load points");
        assertThat(twin.out().lines().filter(l -> !l.startsWith("/"))).allMatch(l -> l.length() <= 80);
    }

    @Test
    @Order(4)
    void anyChangedByteIsRejected() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        List<Path> files = new ArrayList<>(
                List.of(review.resolve("journal.jsonl"), review.resolve("prediction.json"),
                        review.resolve(ReviewFiles.RECORD_MD), review.resolve(ReviewFiles.RECORD_HTML)));
        try (Stream<Path> evidence = Files.list(review.resolve("evidence"))) {
            List<Path> all = evidence.sorted().toList();
            files.add(all.getFirst());
            files.add(all.get(random.nextInt(all.size())));
            files.add(all.getLast());
        }
        for (Path file : files) {
            byte[] good = Files.readAllBytes(file);
            for (int i = 0; i < 3; i++) {
                byte[] bad = good.clone();
                int at = i == 0 ? 0 : i == 1 ? bad.length - 1 : random.nextInt(bad.length);
                bad[at] ^= 1;
                Files.write(file, bad);
                Cli rejected = Cli.run("verify", review.toString());
                assertThat(rejected.code()).as(file + " byte " + at).isEqualTo(Exit.EVIDENCE);
                assertThat(rejected.out()).contains("REJECTED");
            }
            Files.write(file, good);
        }
        assertThat(Cli.run("verify", review.toString()).code()).isZero();
    }

    @Test
    @Order(5)
    void aProposalChangedAfterTheSealIsRefused() throws IOException {
        Path file = review.resolve(ReviewFiles.PROPOSAL);
        String good = Files.readString(file);
        Files.writeString(file, good.replace("min_effect: 1.05", "min_effect: 1.01"));
        assertThat(Cli.run("verify", review.toString()).out()).contains("review.yaml is not what was sealed");
        assertThat(Cli.run("measure", "--trust", review.toString()).err()).contains("is not what was sealed");
        Files.writeString(file, good);
    }
}
