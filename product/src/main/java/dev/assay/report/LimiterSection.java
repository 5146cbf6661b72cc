package dev.assay.report;

import dev.assay.forecast.LimiterForecast;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Arm;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What bounds each arm at each load: predicted, and as the server's own step log shows it. */
final class LimiterSection {
    static final String TITLE = "Limiter, knee and sign";

    private LimiterSection() {}

    static Section of(ReviewView view) {
        Predicted predicted = new Predicted(view);
        Footnotes absent = new Footnotes();
        List<List<Cell>> rows = new ArrayList<>();
        for (double load : view.proposal().loadPoints()) {
            for (Arm arm : Arm.values()) {
                Optional<LimiterForecast> before = predicted.limiter(load, arm);
                Optional<LimiterForecast> after = observed(view, load, arm);
                if (before.isPresent() || after.isPresent()) {
                    rows.add(List.of(Cell.of(Numbers.plain(load)), Cell.of(Words.arm(arm)),
                            before.map(l -> Cell.of(Words.limiter(l)))
                                    .orElseGet(() -> absent.absent("not forecast")),
                            after.map(l -> Cell.of(Words.limiter(l)))
                                    .orElseGet(
                                            () -> absent.absent("the server's telemetry does not show it")),
                            agreement(before, after)));
                }
            }
        }
        if (rows.isEmpty()) {
            return new Section("limiter", TITLE, Outline.nothing("Neither predicted nor measured yet."));
        }
        List<Part> parts = new ArrayList<>(List.of(
                new Part.Text(
                        "The resource that bounds the system, and the one that would be next. A share is of the steps in"
                                + " which requests waited for it, of the idle time (arrivals), or of the step's time (its terms)."),
                new Part.Table("Limiter by load and arm", List.of(Column.figure("req/s"), Column.word("Arm"),
                        Column.prose("Predicted"), Column.prose("Observed"), Column.word("Agree")), rows,
                        absent.notes())));
        List<Part.Fact> turns = ForecastWords.of(view);
        if (!turns.isEmpty()) {
            parts.add(new Part.Text("Where it turns, as the sealed forecast has it:"));
            parts.add(new Part.Facts(turns));
        }
        return new Section("limiter", TITLE, parts);
    }

    private static Cell agreement(Optional<LimiterForecast> predicted, Optional<LimiterForecast> observed) {
        if (predicted.isEmpty() || observed.isEmpty()) {
            return new Cell(Numbers.ABSENT, Tone.FAINT);
        }
        return predicted.get().limiter() == observed.get().limiter()
                ? Cell.marked("yes", Tone.GOOD)
                : Cell.marked("no", Tone.BAD);
    }

    /** What the server's telemetry showed. */
    static Optional<LimiterForecast> observed(ReviewView view, double load, Arm arm) {
        Optional<PointResult> point = view.analysis().stream().flatMap(a -> a.points().stream())
                .filter(p -> Predicted.same(p.offeredRps(), load)).findFirst();
        return point.flatMap(p -> switch (arm) {
            case BASELINE -> p.baselineLimiter();
            case CANDIDATE -> p.candidateLimiter();
        });
    }
}
