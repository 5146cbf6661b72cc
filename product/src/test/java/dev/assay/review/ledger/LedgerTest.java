package dev.assay.review.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.AssayException;
import dev.assay.forecast.WidthCorrection;
import dev.assay.review.Arm;
import dev.assay.review.MadeReview;
import dev.assay.review.Proposal.ChangeKind;
import dev.assay.review.ReviewFiles;
import dev.assay.review.Verification;
import dev.assay.review.ledger.LedgerSummary.LevelGroup;
import dev.assay.review.ledger.LedgerSummary.LimiterRate;
import dev.assay.review.ledger.LedgerSummary.Met;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reviews whose figures are chosen, so that what the ledger must say of them is worked out by hand. */
class LedgerTest {
    private static final Instant MARCH = Instant.parse("2026-03-01T08:00:00Z");
    private static final Instant APRIL = Instant.parse("2026-04-01T08:00:00Z");
    private static final Instant MAY = Instant.parse("2026-05-01T08:00:00Z");

    @TempDir
    Path temp;

    @Test
    void aReviewIsScoredAsItsFiguresSay() {
        MadeReview.decided(temp.resolve("a"), MARCH, 1.5, 1.2, 1.65);
        LedgerSummary summary = LedgerSummary.of(Ledger.read(List.of(temp), Ledger.DEPTH), LevelGoals.DEFAULT,
                MAY);
        assertThat(summary.leftOut()).isEmpty();
        assertThat(summary.reviews()).singleElement().satisfies(r -> {
            assertThat(r.forecasts()).hasSize(12).allSatisfy(f -> assertThat(f.ratio().inside()).isTrue());
            assertThat(r.decidedAt().map(Instant::parse).orElseThrow()).isBetween(MARCH,
                    MARCH.plusSeconds(3600));
        });
        LedgerSummary.Group all = summary.groups().getLast();
        assertThat(all.change()).isEmpty();
        assertThat(all.metric()).isEmpty();
        assertThat(all.score().coverage()).isEqualTo(1);
        assertThat(bias(summary, "goodput_rps")).isCloseTo(Math.log(1.1), within(1e-9));
        assertThat(bias(summary, "tpot_p50_ms")).isCloseTo(-Math.log(1.1), within(1e-9));
    }

    private static double bias(LedgerSummary summary, String metric) {
        return summary.groups().stream().filter(g -> g.metric().equals(Optional.of(metric))).findFirst()
                .orElseThrow()
                .score().bias();
    }

    /** The baseline's level is forecast 5 % too high; the candidate's 5 % too high times forecast/observed ratio. */
    @Test
    void levelsAndLimitersOfEachArm() {
        MadeReview.decided(temp.resolve("a"), MARCH, 1.5, 1.2, 1.65);
        LedgerSummary summary = LedgerSummary.of(Ledger.read(List.of(temp), Ledger.DEPTH),
                LevelGoals.DEFAULT.with(Map.of("goodput_rps", .02)), MAY);
        assertThat(level(summary, "goodput_rps", Arm.BASELINE).median()).isCloseTo(.05, within(1e-4));
        assertThat(level(summary, "goodput_rps", Arm.BASELINE).met()).isEqualTo(Met.MISSED);
        assertThat(summary.met()).isFalse();
        assertThat(level(summary, "goodput_rps", Arm.CANDIDATE).median())
                .isCloseTo(1 - 1.05 / 1.1, within(1e-4));
        LevelGroup ttft = level(summary, "ttft_p50_ms", Arm.BASELINE);
        assertThat(ttft.met()).isEqualTo(Met.MET);
        assertThat(ttft.unknown()).isEqualTo(4);
        assertThat(level(summary, "tpot_p50_ms", Arm.BASELINE).unknown()).isZero();
        // Observed is "arrivals" everywhere; two of the candidate's four points were forecast to be so.
        assertThat(summary.limiters()).filteredOn(l -> l.change().isEmpty()).extracting(LimiterRate::hits)
                .containsExactly(4, 2, 6);
    }

    private static LevelGroup level(LedgerSummary summary, String metric, Arm arm) {
        return summary.levels().stream()
                .filter(l -> l.metric().equals(metric) && l.arm().equals(Optional.of(arm)))
                .findFirst().orElseThrow();
    }

    @Test
    void anIntervalThatSaysUnknownIsNoMissUnlessItMissed() {
        LevelForecast wide = new LevelForecast(Arm.BASELINE, "goodput_rps", 1, 10, 6, 12, 7);
        assertThat(wide.saysUnknown()).isTrue();
        assertThat(new LevelForecast(Arm.BASELINE, "goodput_rps", 1, 10, 6.1, 12, 7).saysUnknown()).isFalse();
        assertThat(new LevelForecast(Arm.BASELINE, "goodput_rps", 1, 10, 6, 12, 13).saysUnknown()).isFalse();
        assertThat(new LevelForecast(Arm.BASELINE, "goodput_rps", 1, 10, 0, 12, 7).saysUnknown()).isTrue();
    }

    @Test
    void whatCannotBeScoredIsListedWithItsReason() throws IOException {
        MadeReview.decided(temp.resolve("good"), MARCH, 1.5, 1.2, 1.6);
        copy(temp.resolve("good"), temp.resolve("z-copy"));
        ReviewFiles broken = MadeReview.decided(temp.resolve("broken"), MARCH, 1.5, 1.2, 1.6);
        Path journal = broken.directory().resolve("journal.jsonl");
        Files.writeString(journal, Files.readString(journal).replaceFirst("made-broken", "made-badder"));
        ReviewFiles changed = MadeReview.decided(temp.resolve("changed"), MARCH, 1.4, 1.2, 1.6);
        Path proposal = changed.directory().resolve("review.yaml");
        Files.writeString(proposal,
                Files.readString(proposal).replaceFirst("min_effect: 1.05", "min_effect: 1.01"));
        MadeReview.draft(temp.resolve("draft"), MARCH);
        MadeReview.draft(temp.resolve("sealed"), MARCH).sealed(1.5, 1.2, Optional.empty());
        MadeReview.draft(temp.resolve("torn"), MARCH).sealed(1.5, 1.2, Optional.empty()).measured(1.6, 0);
        MadeReview.draft(temp.resolve("void"), MARCH).sealed(1.5, 1.2, Optional.empty()).measured(1.6, 3)
                .concluded();
        Files.createDirectories(temp.resolve("nothing/deep"));
        Files.writeString(temp.resolve("nothing/deep/review.yaml"), "assay: 1\n");
        Ledger ledger = Ledger.read(List.of(temp), Ledger.DEPTH);
        assertThat(ledger.reviews()).extracting(r -> temp.relativize(Path.of(r.directory())).toString())
                .containsExactly("good");
        assertThat(ledger.leftOut())
                .extracting(l -> temp.relativize(Path.of(l.directory())) + ": " + l.reason())
                .satisfiesExactly(
                        l -> assertThat(l).startsWith("broken: journal.jsonl:1: its hash is").hasLineCount(1),
                        l -> assertThat(l).startsWith("changed: review.yaml is not what was sealed"),
                        l -> assertThat(l).isEqualTo("draft: not sealed"),
                        l -> assertThat(l).isEqualTo("nothing/deep: not begun: it has no journal.jsonl"),
                        l -> assertThat(l).isEqualTo("sealed: not measured"),
                        l -> assertThat(l).isEqualTo("torn: not measured to the end: it has no verdict"),
                        l -> assertThat(l).startsWith("void: void: premise kv-pool: 3"),
                        l -> assertThat(l).startsWith("z-copy: a copy of").endsWith("good"));
        assertThat(ledger.leftOut()).filteredOn(Reading.LeftOut::abandoned).hasSize(2);
        assertThatThrownBy(() -> Ledger.read(List.of(temp.resolve("absent")), 1))
                .isInstanceOf(AssayException.class)
                .hasMessageEndingWith("absent: expected a review or a directory that holds reviews");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    @Test
    void theSearchEndsAtItsDepthAndAtHiddenDirectories() {
        MadeReview.decided(temp.resolve("one"), MARCH, 1.5, 1.2, 1.6);
        MadeReview.decided(temp.resolve("x/two"), MARCH, 1.4, 1.2, 1.6);
        MadeReview.decided(temp.resolve(".hidden/three"), MARCH, 1.3, 1.2, 1.6);
        assertThat(Ledger.read(List.of(temp), 1).reviews()).hasSize(1);
        assertThat(Ledger.read(List.of(temp), 2).reviews()).hasSize(2);
        assertThat(Ledger.read(List.of(temp.resolve("x/two"), temp), 1).reviews()).hasSize(2);
    }

    /** 12 forecasts of 1.5 within 1.1 where 2 came: each residual is log(2/1.5)/log(1.1), so a third of it is taken. */
    @Test
    void aForecastIsWidenedByWhatWasDecidedBeforeIt() {
        MadeReview.decided(temp.resolve("march"), MARCH, 1.5, 1.1, 2);
        MadeReview.decided(temp.resolve("april"), APRIL, 1.5, 1.1, 1.5);
        MadeReview.draft(temp.resolve("open"), MARCH).sealed(1.5, 1.1, Optional.empty()).measured(9, 0)
                .concluded();
        Ledger ledger = Ledger.read(List.of(temp), 1);
        assertThat(ledger.reviews()).hasSize(3);
        assertThat(ledger.decidedBefore(MARCH).correction(ChangeKind.BATCH_CAP)).isEmpty();
        WidthCorrection width = ledger.decidedBefore(APRIL).correction(ChangeKind.BATCH_CAP).orElseThrow();
        double residual = Math.log(2 / 1.5) / Math.log(1.1);
        assertThat(width.quantile().orElseThrow()).isCloseTo(residual, within(1e-9));
        assertThat(width.factor()).isCloseTo(Math.cbrt(residual), within(1e-9));
        assertThat(width.forecasts()).isEqualTo(12);
        assertThat(ledger.decidedBefore(MAY).correction(ChangeKind.BATCH_CAP).orElseThrow().forecasts())
                .isEqualTo(24);
        assertThat(ledger.correction(ChangeKind.PAGE_SIZE)).isEmpty();
    }

    /** Intervals that a ledger had widened are judged by the model's own width, else each ledger would undo the last. */
    @Test
    void aWidenedForecastCountsWithTheModelsOwnWidth() {
        WidthCorrection width = new WidthCorrection(2, Optional.of(3.0), 12, 0, 2, List.of("a", "b"));
        MadeReview review = MadeReview.draft(temp.resolve("w"), MARCH).sealed(1.5, 1.21, Optional.of(width))
                .measured(1.5 * 1.1, 0).concluded();
        assertThat(Verification.verify(review.files())).filteredOn(c -> c.name().equals("seal"))
                .allSatisfy(c -> assertThat(c.passed()).as(c.detail()).isTrue()).hasSize(1);
        Ledger ledger = Ledger.read(List.of(temp), 1);
        ScoredForecast forecast = ledger.reviews().getFirst().forecasts().getFirst();
        assertThat(forecast.widened()).isEqualTo(2);
        assertThat(forecast.ratio().residual()).isCloseTo(.5, within(1e-9));
        assertThat(forecast.unwidened().residual()).isCloseTo(1, within(1e-9));
        assertThat(ledger.correction(ChangeKind.BATCH_CAP).orElseThrow().quantile().orElseThrow())
                .isCloseTo(1, within(1e-9));
    }

    @Test
    void goals() {
        assertThat(LevelGoals.DEFAULT.with(Map.of("tpot_p50_ms", .15)).byMetric())
                .containsEntry("tpot_p50_ms", .15)
                .containsEntry("ttft_p50_ms", .2);
        assertThatThrownBy(() -> LevelGoals.DEFAULT.with(Map.of("foo", .1)))
                .hasMessage(
                        "--goal: 'foo' has no level; expected one of goodput_rps, tpot_p50_ms, ttft_p50_ms");
        assertThatThrownBy(() -> LevelGoals.DEFAULT.with(Map.of("tpot_p50_ms", 15.0)))
                .hasMessage("--goal tpot_p50_ms=15.0: expected a fraction between 0 and 1");
    }
}
