package dev.assay.report;

import dev.assay.forecast.WidthCorrection;
import dev.assay.report.TerminalText.Span;
import dev.assay.review.Arm;
import dev.assay.review.Proposal.ChangeKind;
import dev.assay.review.ledger.LedgerSummary;
import dev.assay.review.ledger.LedgerSummary.Group;
import dev.assay.review.ledger.LedgerSummary.LevelGroup;
import dev.assay.review.ledger.LedgerSummary.LimiterRate;
import dev.assay.review.ledger.LedgerSummary.Suggestion;
import dev.assay.review.ledger.LevelForecast;
import dev.assay.stats.ForecastScore;
import dev.assay.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** A ledger for a terminal: how past forecasts fared, and what that means for the next one. */
public final class LedgerReport {
    private static final int WIDE = 100;

    private final LedgerSummary ledger;
    private final int width;
    private final TerminalText out;

    private LedgerReport(LedgerSummary ledger, int width, boolean colour) {
        this.ledger = ledger;
        this.width = width;
        this.out = new TerminalText(width, colour);
    }

    /** The whole ledger in lines of at most {@code width} columns. */
    public static String render(LedgerSummary ledger, int width, boolean colour) {
        LedgerReport report = new LedgerReport(ledger, width, colour);
        report.head();
        report.scores();
        report.limiters();
        report.levels(false);
        report.corrections();
        report.leftOut();
        return report.out.toString();
    }

    /** The levels of both arms alone, against their goals. */
    public static String renderLevels(LedgerSummary ledger, int width, boolean colour) {
        LedgerReport report = new LedgerReport(ledger, width, colour);
        report.head();
        report.levels(true);
        report.leftOut();
        return report.out.toString();
    }

    private void head() {
        int forecasts = ledger.reviews().stream().mapToInt(r -> r.forecasts().size()).sum();
        long abandoned = ledger.leftOut().stream().filter(l -> l.abandoned()).count();
        out.wrapped(List.of(), Numbers.count(forecasts, "sealed forecast") + " of "
                + Numbers.count(ledger.reviews().size(), "review") + " scored"
                + (ledger.leftOut().isEmpty()
                        ? ""
                        : "; " + Numbers.count(ledger.leftOut().size(), "review") + " left out"
                                + (abandoned == 0
                                        ? ""
                                        : ", " + abandoned + " of them sealed and not finished")));
    }

    private void scores() {
        if (ledger.groups().isEmpty()) {
            return;
        }
        List<Column> columns = new ArrayList<>(List.of(Column.word("Ratio of"), Column.figure("n"),
                Column.figure("Inside, 95 %"), Column.figure("Observed/forecast"), Column.figure("Error"),
                Column.figure("Skill")));
        if (width >= WIDE) {
            columns.addAll(List.of(Column.figure("Point skill"), Column.figure("Score")));
        }
        kinds(ledger.groups().stream().map(Group::change).distinct().toList()).forEach(kind -> {
            List<Group> groups = ledger.groups().stream().filter(g -> g.change().equals(kind)).toList();
            out.heading(name(kind) + ", " + Numbers.count(groups.getLast().reviews(), "review"));
            out.table(columns, groups.stream().map(this::row).toList());
        });
        out.gap();
        out.wrapped(List.of(Span.of("  ")),
                "Inside: of the observed ratios candidate/baseline, those in the sealed 90 %"
                        + " interval; ✗ where so few are unlikely (p < 0.05) if the intervals are right. Error: median of |forecast/observed − 1|. Skill: 1 − score/score of \"no change\" with the"
                        + " same width; below 0 it was worse than that. Over all metrics observed/forecast would cancel.");
        if (ledger.reviews().size() < ForecastScore.FEWEST_GROUPS) {
            out.wrapped(List.of(Span.of("  ")),
                    "The forecasts of one review share a calibration, so with few reviews"
                            + " these intervals are too narrow.");
        }
    }

    private List<Cell> row(Group g) {
        ForecastScore s = g.score();
        boolean all = g.metric().isEmpty();
        List<Cell> row = new ArrayList<>(List.of(Cell.of(all ? "all" : Words.label(g.metric().orElseThrow())),
                Cell.of(Integer.toString(s.forecasts())), inside(s),
                all ? new Cell(Numbers.ABSENT, Tone.FAINT) : Cell.of(bias(s)),
                Cell.of(error(s.medianError())), skill(s.skill())));
        if (width >= WIDE) {
            row.add(skill(s.pointSkill()));
            row.add(Cell.of(Numbers.value(s.score())));
        }
        return row;
    }

    private static Cell inside(ForecastScore s) {
        Cell share = share(s.coverage(), s.coverageInterval());
        return s.overconfidence() < 0.05 ? Cell.marked(share.text(), Tone.BAD) : share;
    }

    private static String bias(ForecastScore s) {
        return String.format(Locale.ROOT, "%.2f", Math.exp(s.bias())) + s.biasInterval()
                .map(i -> Math.exp(i.high() - i.low()) > 100
                        ? " [wide]"
                        : String.format(Locale.ROOT, " [%.2f, %.2f]", Math.exp(i.low()), Math.exp(i.high())))
                .orElse("");
    }

    private static Cell share(double share, Interval interval) {
        return Cell.of(String.format(Locale.ROOT, "%.0f %% [%.0f, %.0f]", 100 * share, 100 * interval.low(),
                100 * interval.high()));
    }

    private static Cell skill(OptionalDouble skill) {
        if (skill.isEmpty()) {
            return new Cell(Numbers.ABSENT, Tone.FAINT);
        }
        double v = Math.max(-99, skill.getAsDouble());
        return new Cell(String.format(Locale.ROOT, "%+.2f", v).replace('-', '−'),
                v < 0 ? Tone.BAD : Tone.PLAIN);
    }

    private static String error(double error) {
        return error >= 9.995 ? "×" + Numbers.value(1 + error) : Numbers.percent(error);
    }

    private void limiters() {
        if (ledger.limiters().isEmpty()) {
            return;
        }
        out.heading("Limiter as forecast, 95 % interval");
        List<List<Cell>> rows = new ArrayList<>();
        for (Optional<ChangeKind> kind : kinds(
                ledger.limiters().stream().map(LimiterRate::change).distinct().toList())) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(name(kind))));
            for (Optional<Arm> arm : List.of(Optional.of(Arm.BASELINE), Optional.of(Arm.CANDIDATE))) {
                row.add(ledger.limiters().stream().filter(l -> l.change().equals(kind) && l.arm().equals(arm))
                        .findFirst().map(l -> Cell.of(l.hits() + " of " + l.calls() + ", "
                                + share(l.rate(), l.interval()).text()))
                        .orElseGet(() -> new Cell(Numbers.ABSENT, Tone.FAINT)));
            }
            rows.add(row);
        }
        out.table(List.of(Column.word("Change"), Column.figure("Before (baseline)"),
                Column.figure("After (candidate)")), rows);
    }

    private void levels(boolean byKind) {
        if (ledger.levels().isEmpty()) {
            return;
        }
        List<Optional<ChangeKind>> kinds = kinds(
                ledger.levels().stream().map(LevelGroup::change).distinct().toList());
        for (Optional<ChangeKind> kind : byKind ? kinds : List.of(Optional.<ChangeKind>empty())) {
            out.heading("Levels: |forecast/observed − 1| over load points, " + name(kind));
            out.table(
                    List.of(Column.word("Metric"), Column.word("Arm"), Column.figure("n"),
                            Column.figure("Median"),
                            Column.figure("Quartiles"), Column.figure("Most"), Column.figure("Unsure"),
                            Column.word("Goal")),
                    ledger.levels().stream().filter(l -> l.change().equals(kind)).map(LedgerReport::row)
                            .toList());
        }
        out.gap();
        out.wrapped(List.of(Span.of("  ")), "Unsure: values whose interval spans a factor of "
                + Numbers.plain(LevelForecast.UNKNOWING)
                + " or more and holds the observation. A goal that the median"
                + " misses counts as unsure where every value beyond it is.");
    }

    private static List<Cell> row(LevelGroup l) {
        return List.of(Cell.of(Words.label(l.metric())), Cell.of(l.arm().map(Words::arm).orElse("both")),
                Cell.of(Integer.toString(l.values())), Cell.of(error(l.median())),
                Cell.of(error(l.quarter()) + " to " + error(l.threeQuarters())), Cell.of(error(l.most())),
                Cell.of(Integer.toString(l.unknown())), switch (l.met()) {
                    case MET -> Cell.marked(Numbers.percent(l.goal()) + " met", Tone.GOOD);
                    case UNKNOWN -> Cell.marked(Numbers.percent(l.goal()) + " unsure", Tone.UNSURE);
                    case MISSED -> Cell.marked(Numbers.percent(l.goal()) + " missed", Tone.BAD);
                });
    }

    private void corrections() {
        if (ledger.corrections().isEmpty()) {
            return;
        }
        out.heading("Width of the next forecast's intervals");
        for (Suggestion s : ledger.corrections()) {
            out.wrapped(List.of(Span.of("  " + name(Optional.of(s.change())) + ": ")),
                    s.width().map(LedgerReport::correction).orElseGet(() -> "as the model gives it: "
                            + Numbers.count(s.forecasts(), "forecast") + " of "
                            + Numbers.count(s.reviews(), "decided review") + ", " + WidthCorrection.FEWEST
                            + " are needed"));
        }
    }

    private static String correction(WidthCorrection w) {
        return String.format(Locale.ROOT,
                "×%.2f, from %d of %s inside in %s (conformal factor %s, at most %s, shrunk)",
                w.factor(), w.inside(), Numbers.count(w.forecasts(), "forecast"),
                Numbers.count(w.reviews(), "decided review"), w.quantile().map(Numbers::value).orElse("∞"),
                Numbers.plain(WidthCorrection.MOST));
    }

    private void leftOut() {
        if (ledger.leftOut().isEmpty()) {
            return;
        }
        out.heading("Left out");
        ledger.leftOut().forEach(l -> out.wrapped(List.of(Span.of("  ")), l.directory() + ": " + l.reason()));
    }

    /** Without the sum over kinds where there is only one. */
    private static List<Optional<ChangeKind>> kinds(List<Optional<ChangeKind>> all) {
        return all.size() == 2 ? all.subList(0, 1) : all;
    }

    private static String name(Optional<ChangeKind> kind) {
        return kind.map(Words::of).orElse("all changes");
    }
}
