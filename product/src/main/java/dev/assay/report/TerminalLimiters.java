package dev.assay.report;

import dev.assay.forecast.LimiterForecast;
import dev.assay.report.TerminalText.Span;
import dev.assay.review.Arm;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Limiters by load and arm, forecast above observed, and where the forecast turns, for a terminal. */
final class TerminalLimiters {
    private TerminalLimiters() {}

    static void print(ReviewView view, TerminalText out) {
        List<List<Cell>> rows = rows(view);
        List<Part.Fact> turns = ForecastWords.of(view);
        if (rows.isEmpty() && turns.isEmpty()) {
            return;
        }
        out.heading(LimiterSection.TITLE);
        if (!rows.isEmpty()) {
            out.table(List.of(Column.figure("req/s"), Column.word("Arm"), Column.word(""),
                    Column.word("Limiter"), Column.word("Next")), rows);
        }
        turns.forEach(f -> out.wrapped(List.of(Span.of("  " + f.name() + ": ")), f.value()));
    }

    private static List<List<Cell>> rows(ReviewView view) {
        Predicted predicted = new Predicted(view);
        List<List<Cell>> rows = new ArrayList<>();
        for (double load : view.proposal().loadPoints()) {
            for (Arm arm : Arm.values()) {
                Optional<LimiterForecast> before = predicted.limiter(load, arm);
                Optional<LimiterForecast> after = LimiterSection.observed(view, load, arm);
                before.ifPresent(l -> rows.add(row(Numbers.plain(load), Words.arm(arm), "forecast", l,
                        Tone.PLAIN)));
                Tone tone = before.isEmpty() || after.isEmpty()
                        ? Tone.PLAIN
                        : before.get().limiter() == after.get().limiter() ? Tone.GOOD : Tone.BAD;
                after.ifPresent(l -> rows.add(row(before.isEmpty() ? Numbers.plain(load) : "",
                        before.isEmpty() ? Words.arm(arm) : "", "observed", l, tone)));
            }
        }
        return rows;
    }

    private static List<Cell> row(String load, String arm, String what, LimiterForecast l, Tone tone) {
        String limiter = Words.of(l.limiter()) + " " + Numbers.percent(l.share());
        return List.of(Cell.of(load), Cell.of(arm), Cell.of(what),
                tone == Tone.PLAIN ? Cell.of(limiter) : Cell.marked(limiter, tone),
                Cell.of(Words.of(l.runnerUp()) + " " + Numbers.percent(l.runnerUpShare())));
    }
}
