package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.AssayException;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.review.MadeReview;
import dev.assay.review.Progress;
import dev.assay.review.ReviewFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line on three reviews with chosen figures; the figures themselves are the ledger test's matter. */
class LedgerCommandTest {
    private static final Instant MARCH = Instant.parse("2026-03-01T08:00:00Z");
    private static final Instant MAY = Instant.parse("2026-05-01T08:00:00Z");

    private static final Path DIR = Path.of(System.getProperty("assay.root", ".."),
            "product/src/test/resources/dev/assay/cli");

    @TempDir
    static Path temp;

    @BeforeAll
    static void make() {
        MadeReview.decided(temp.resolve("good"), MARCH, 1.5, 1.2, 1.6);
        MadeReview.decided(temp.resolve("bad"), MARCH, 1.5, 1.1, 2);
        MadeReview.draft(temp.resolve("open"), MARCH).sealed(1.5, 1.2, Optional.empty());
    }

    /** {@code -Dassay.golden.write=true} writes the files anew, to be read in the diff before they are committed. */
    @ParameterizedTest
    @CsvSource({"80,", "120,", "80,--levels", "120,--levels"})
    void textAgainstAFile(int width, @Nullable String more) throws IOException {
        List<String> line = new ArrayList<>(
                List.of("ledger", temp.toString(), "--width", String.valueOf(width)));
        Optional.ofNullable(more).ifPresent(line::add);
        Cli ledger = Cli.run(line.toArray(String[]::new));
        assertThat(ledger.err()).isEmpty();
        assertThat(ledger.code()).isZero();
        assertThat(ledger.out()).contains("open: not measured");
        // The path of the temporary directory decides where the last section wraps.
        String scored = ledger.out().substring(0, ledger.out().indexOf("Left out"));
        assertThat(scored.lines()).allMatch(l -> l.length() <= width).noneMatch(l -> l.endsWith("…"));
        Path golden = DIR.resolve("ledger" + (more == null ? "" : more.substring(1)) + "-" + width + ".txt");
        if (Boolean.getBoolean("assay.golden.write")) {
            Files.createDirectories(DIR);
            Files.writeString(golden, scored);
        }
        assertThat(scored).isEqualTo(Files.readString(golden));
    }

    @Test
    void json() {
        Cli ledger = Cli.run("ledger", temp.toString(), "--json");
        JsonValue.Obj document = Json.parse(ledger.out(), "ledger").asObject();
        assertThat(document.fields()).containsOnlyKeys("reviews", "left_out", "groups", "limiters", "levels",
                "corrections");
        assertThat(ledger.out()).contains("\"change\": \"batch_cap\"", "\"interval\"",
                "\"coverage_interval\"",
                "\"abandoned\": true", "\"met\": \"missed\"", "\"factor\"");
    }

    @Test
    void strictSaysInItsExitCodeWhetherAGoalIsMissed() {
        assertThat(Cli.run("ledger", temp.resolve("good").toString(), "--levels", "--strict").code())
                .isZero();
        assertThat(Cli.run("ledger", temp.resolve("bad").toString(), "--levels", "--strict").code())
                .isEqualTo(Exit.AGAINST);
        assertThat(Cli.run("ledger", temp.resolve("bad").toString(), "--levels").code()).isZero();
    }

    @Test
    void badInputIsOneLine() {
        Cli absent = Cli.run("ledger", temp.resolve("absent").toString());
        assertThat(absent.code()).isEqualTo(Exit.MISUSE);
        assertThat(absent.err()).hasLineCount(1)
                .contains("absent: expected a review or a directory that holds reviews");
        Cli goal = Cli.run("ledger", temp.toString(), "--goal", "e2e_p50_ms=0.1");
        assertThat(goal.code()).isEqualTo(Exit.MISUSE);
        assertThat(goal.err()).hasLineCount(1).contains("'e2e_p50_ms' has no level");
        assertThat(Cli.run("ledger", temp.toString(), "--goal", "tpot").err()).hasLineCount(1)
                .contains("--goal");
        Cli nothing = Cli.run("ledger", temp.resolve("open").toString());
        assertThat(nothing.code()).isEqualTo(Exit.EVIDENCE);
        assertThat(nothing.out())
                .contains("0 sealed forecasts of 0 reviews scored; 1 review left out, 1 of them sealed");
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
        assertThatThrownBy(() -> option.correction(next, MAY, Progress.SILENT))
                .isInstanceOf(AssayException.class)
                .hasMessageEndingWith("absent: expected a directory that holds reviews, or 'none'");
    }
}
