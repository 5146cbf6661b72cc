package dev.assay.report;

import dev.assay.forecast.ForecastReading;
import dev.assay.review.Prediction;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The knee of both arms and where the effect's sign turns, as the sealed prediction gives them, in words. */
public final class ForecastWords {
    private ForecastWords() {}

    /** Empty where nothing is predicted. */
    static List<Part.Fact> of(ReviewView view) {
        return view.prediction().map(p -> of(view.proposal(), p)).orElse(List.of());
    }

    /** One fact for the knee, one each for the sign over batch, length and load. */
    public static List<Part.Fact> of(Proposal proposal, Prediction prediction) {
        ForecastReading reading = ForecastReading.of(prediction.shape(),
                proposal.arms().baseline().settings(), proposal.arms().candidate().settings(),
                prediction.calibration(), proposal.local(), prediction.forecast());
        int cap = Math.max(proposal.arms().baseline().settings().maxNumSeqs(),
                proposal.arms().candidate().settings().maxNumSeqs());
        return List.of(
                new Part.Fact("Knee", "compute takes as long as streaming the weights at "
                        + rows(reading.baselineKneeRows()) + " in the baseline, "
                        + rows(reading.candidateKneeRows()) + " in the candidate"),
                new Part.Fact("Sign over batch", turn(reading.rowsFlip(), "running sequences",
                        "up to the larger batch cap, " + cap)),
                new Part.Fact("Sign over length", turn(reading.lengthFlip(), "tokens of context",
                        "up to the model's " + Numbers.count(reading.longest(), "token")) + ", with "
                        + Numbers.count(reading.lengthRows(), "running sequence")),
                new Part.Fact("Sign over load", load(reading)));
    }

    private static String rows(OptionalDouble knee) {
        return knee.isPresent()
                ? Numbers.value(knee.getAsDouble()) + " rows"
                : "no number of rows that was found";
    }

    private static String turn(OptionalInt at, String unit, String most) {
        return at.isPresent()
                ? "the change of a decode step's time turns at " + at.getAsInt() + " " + unit
                : "the change of a decode step's time does not turn " + most;
    }

    private static String load(ForecastReading reading) {
        if (reading.signs().isEmpty()) {
            return "cannot be told: no metric's forecast interval excludes 1 at any load";
        }
        List<String> turning = new ArrayList<>();
        List<String> staying = new ArrayList<>();
        for (ForecastReading.Sign sign : reading.signs()) {
            (sign.flips() ? turning : staying).add(Words.label(sign.metric()) + " " + sides(sign));
        }
        return (turning.isEmpty() ? "no metric's turns" : "turns for " + String.join("; ", turning))
                + (staying.isEmpty() ? "" : ". " + String.join("; ", staying));
    }

    private static String sides(ForecastReading.Sign sign) {
        List<String> parts = new ArrayList<>();
        side(parts, "falls", sign.below());
        side(parts, "rises", sign.above());
        return String.join(", ", parts);
    }

    private static void side(List<String> parts, String word, Optional<ForecastReading.Span> span) {
        span.ifPresent(s -> parts.add(word + (s.first() == s.last()
                ? " at " + Words.load(s.first())
                : " from " + Numbers.plain(s.first()) + " to " + Words.load(s.last()))));
    }
}
