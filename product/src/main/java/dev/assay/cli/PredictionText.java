package dev.assay.cli;

import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.PointForecast;
import dev.assay.report.ForecastWords;
import dev.assay.review.Claim;
import dev.assay.review.Expectation;
import dev.assay.review.Prediction;
import dev.assay.review.Proposal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A forecast's limiters, knee and signs as lines of text. */
final class PredictionText {
    private static final int BANDS_A_LINE = 2;

    private PredictionText() {}

    /** The intervals of a claim by load point, two a line. */
    static List<String> bands(Claim claim) {
        List<String> lines = new ArrayList<>();
        if (claim.expectation() instanceof Expectation.Within within) {
            for (int i = 0; i < within.bands().size(); i += BANDS_A_LINE) {
                lines.add(within.bands().subList(i, Math.min(within.bands().size(), i + BANDS_A_LINE))
                        .stream()
                        .map(b -> String.format(Locale.ROOT, "%.3g/s ×%.3f [%.3f, %.3f]", b.offeredRps(),
                                b.estimate(), b.low(), b.high()))
                        .collect(Collectors.joining("  ", "    ", "")));
            }
        }
        return lines;
    }

    /** Limiters by load and arm, knee, signs, warnings. */
    static List<String> lines(Proposal proposal, Prediction prediction) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        for (PointForecast p : prediction.forecast().points()) {
            lines.add(limiter(p, "baseline ", p.baselineLimiter()));
            lines.add(limiter(p, "candidate", p.candidateLimiter()));
        }
        ForecastWords.of(proposal, prediction)
                .forEach(f -> lines.addAll(Wrapped.lines("  ", f.name() + ": " + f.value())));
        prediction.forecast().warnings().forEach(w -> lines.addAll(Wrapped.lines("  ", "warning: " + w)));
        return lines;
    }

    private static String limiter(PointForecast point, String arm, LimiterForecast limiter) {
        return String.format(Locale.ROOT, "at %.3g/s  %s  %s", point.offeredRps(), arm,
                LimiterText.of(limiter));
    }
}
