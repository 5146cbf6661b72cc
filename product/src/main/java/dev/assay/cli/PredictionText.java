package dev.assay.cli;

import dev.assay.forecast.ForecastReading;
import dev.assay.forecast.PointForecast;
import dev.assay.review.Claim;
import dev.assay.review.Expectation;
import dev.assay.review.Prediction;
import dev.assay.review.Proposal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A forecast's limiters, knee and signs as lines of text. */
final class PredictionText {
    private PredictionText() {}

    /** The intervals of a claim by load point, on one line. */
    static Optional<String> bands(Claim claim) {
        return claim.expectation() instanceof Expectation.Within within
                ? Optional.of(within.bands().stream()
                        .map(b -> String.format(Locale.ROOT, "%.3g/s ×%.3f [%.3f, %.3f]", b.offeredRps(),
                                b.estimate(), b.low(), b.high()))
                        .collect(Collectors.joining("  ", "    ", "")))
                : Optional.empty();
    }

    static List<String> lines(Proposal proposal, Prediction prediction) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        for (PointForecast p : prediction.forecast().points()) {
            lines.add(String.format(Locale.ROOT, "at %.3g/s  baseline: %s; candidate: %s", p.offeredRps(),
                    LimiterText.of(p.baselineLimiter()), LimiterText.of(p.candidateLimiter())));
        }
        ForecastReading reading = ForecastReading.of(prediction.shape(),
                proposal.arms().baseline().settings(), proposal.arms().candidate().settings(),
                prediction.calibration(), proposal.local(), prediction.forecast());
        lines.add("knee: baseline " + rows(reading.baselineKneeRows()) + ", candidate "
                + rows(reading.candidateKneeRows()));
        lines.add(reading.rowsFlip().isPresent()
                ? "sign over rows: the change of a decode step's time turns at "
                        + reading.rowsFlip().getAsInt() + " running sequences"
                : "sign over rows: does not turn up to the larger batch cap");
        reading.signs().forEach(s -> lines.add(sign(s)));
        if (reading.signs().isEmpty()) {
            lines.add("sign over load: no metric's interval excludes 1 anywhere");
        }
        prediction.forecast().warnings().forEach(w -> lines.add("warning: " + w));
        return lines;
    }

    private static String rows(OptionalDouble knee) {
        return knee.isPresent() ? String.format(Locale.ROOT, "%.3g rows", knee.getAsDouble()) : "none found";
    }

    private static String sign(ForecastReading.Sign sign) {
        List<String> parts = new ArrayList<>();
        sign.below().ifPresent(s -> parts.add("below 1 " + span(s)));
        sign.above().ifPresent(s -> parts.add("above 1 " + span(s)));
        return "sign over load: " + sign.metric() + " " + String.join(", ", parts)
                + (sign.flips() ? ": it turns" : "");
    }

    private static String span(ForecastReading.Span span) {
        return span.first() == span.last()
                ? String.format(Locale.ROOT, "at %.3g/s", span.first())
                : String.format(Locale.ROOT, "from %.3g to %.3g/s", span.first(), span.last());
    }
}
