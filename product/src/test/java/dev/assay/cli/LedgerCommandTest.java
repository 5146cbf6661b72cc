package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.review.MadeReview;
import dev.assay.review.Progress;
import dev.assay.review.ReviewFiles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line on three reviews with chosen figures; the figures themselves are the ledger test's matter. */
class LedgerCommandTest {
    private static final Instant MARCH = Instant.parse("2026-03-01T08:00:00Z");
    private static final Instant MAY = Instant.parse("2026-05-01T08:00:00Z");

    @TempDir
    static Path temp;

    @BeforeAll
    static void make() {
        MadeReview.decided(temp.resolve("good"), MARCH, 1.5, 1.2, 1.6);
        MadeReview.decided(temp.resolve("bad"), MARCH, 1.5, 1.1, 2);
        MadeReview.draft(temp.resolve("open"), MARCH).sealed(1.5, 1.2, Optional.empty());
    }

    @Test
    void text() {
        Cli ledger = Cli.run("ledger", temp.toString(), "--width", "80");
        assertThat(ledger.err()).isEmpty();
        assertThat(ledger.code()).isZero();
        assertThat(ledger.out()).contains("open: not measured");
        assertThat(ledger.out().substring(0, ledger.out().indexOf("\nLeft out"))).isEqualTo("""
                GOLDEN
                """);
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        for (int width : List.of(80, 120)) {
            for (List<String> more : List.of(List.<String>of(), List.of("--levels"))) {
                Cli ledger = Cli.run(java.util.stream.Stream.concat(java.util.stream.Stream.of("ledger", temp.toString(),
                        "--width", String.valueOf(width)), more.stream()).toArray(String[]::new));
                assertThat(ledger.out().lines()).allMatch(l -> l.length() <= width).noneMatch(l -> l.endsWith("…"));
            }
        }
        assertThat(Cli.run("ledger", temp.toString(), "--width", "120").out()).contains("Point skill", "Score");
    }

    @Test
    void json() {
        Cli ledger = Cli.run("ledger", temp.toString(), "--json");
        JsonValue.Obj document = Json.parse(ledger.out(), "ledger").asObject();
        assertThat(document.fields()).containsOnlyKeys("reviews", "left_out", "groups", "limiters", "levels",
                "corrections");
        assertThat(ledger.out()).contains("\"change\": \"batch_cap\"", "\"interval\"", "\"coverage_interval\"",
                "\"abandoned\": true", "\"met\": \"missed\"", "\"factor\"");
    }

    @Test
    void strictSaysInItsExitCodeWhetherAGoalIsMissed() {
        assertThat(Cli.run("ledger", temp.resolve("good").toString(), "--levels", "--strict").code()).isZero();
        assertThat(Cli.run("ledger", temp.resolve("bad").toString(), "--levels", "--strict").code())
                .isEqualTo(Exit.AGAINST);
        assertThat(Cli.run("ledger", temp.resolve("bad").toString(), "--levels").code()).isZero();
    }

    @Test
    void badInputIsOneLine() {
        Cli absent = Cli.run("ledger", temp.resolve("absent").toString());
        assertThat(absent.code()).isEqualTo(Exit.MISUSE);
        assertThat(absent.err()).hasLineCount(1).contains("absent: expected a review or a directory that holds reviews");
        Cli goal = Cli.run("ledger", temp.toString(), "--goal", "e2e_p50_ms=0.1");
        assertThat(goal.code()).isEqualTo(Exit.MISUSE);
        assertThat(goal.err()).hasLineCount(1).contains("'e2e_p50_ms' has no level");
        assertThat(Cli.run("ledger", temp.toString(), "--goal", "tpot").err()).hasLineCount(1).contains("--goal");
        Cli nothing = Cli.run("ledger", temp.resolve("open").toString());
        assertThat(nothing.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(nothing.out()).contains("0 sealed forecasts of 0 reviews scored; 1 review left out, 1 of them sealed");
    }

    /** What {@code assay predict} applies: the reviews beside it, another directory, none, or a fault in one line. */
    @Test
    void whichLedgerAForecastTakes() {
        ReviewFiles next = MadeReview.draft(temp.resolve("sub/next"), MAY).files();
        LedgerOption option = new LedgerOption();
        assertThat(option.correction(next, MAY, Progress.SILENT)).as("no sibling").isEmpty();
        option.ledger = Optional.of(temp.toString());
        assertThat(option.correction(next, MAY, Progress.SILENT).orElseThrow().factor()).isGreaterThan(1.5);
        assertThat(option.correction(next, MARCH, Progress.SILENT)).as("before they were decided").isEmpty();
        option.ledger = Optional.of("none");
        assertThat(option.correction(next, MAY, Progress.SILENT)).isEmpty();
        option.ledger = Optional.of(temp.resolve("absent").toString());
        assertThatThrownBy(() -> option.correction(next, MAY, Progress.SILENT)).isInstanceOf(AssayException.class)
                .hasMessageEndingWith("absent: expected a directory that holds reviews, or 'none'");
    }
}
