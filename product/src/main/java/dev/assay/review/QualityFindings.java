package dev.assay.review;

import dev.assay.quality.GreedyComparison;
import dev.assay.quality.LikelihoodComparison;
import dev.assay.quality.QualityReport;
import dev.assay.review.Analysis.Finding;
import java.util.Locale;
import java.util.Optional;

/** What the comparison of outputs says about the claims of correctness. */
final class QualityFindings {
    private static final String NOT_COMPARED = "not compared";

    private QualityFindings() {}

    /** One differing token refutes equality. */
    static Finding sameOutputs(Optional<QualityReport> report) {
        String predicted = "identical";
        if (report.isEmpty()) {
            return missing(predicted);
        }
        GreedyComparison greedy = report.get().greedy();
        int prompts = greedy.prompts().size();
        String unit = greedy.unit() == GreedyComparison.Unit.TOKENS ? "tokens" : "characters";
        String observed = greedy.identical() + " of " + prompts + " prompts identical, " + greedy.matched()
                + " of "
                + greedy.compared() + " " + unit;
        Verdict verdict = greedy.identical() == prompts
                ? new Verdict.Survived()
                : new Verdict.Refuted((prompts - greedy.identical()) + " of " + prompts + " prompts differ");
        return new Finding(Optional.empty(), predicted, observed, verdict);
    }

    /** The loss is how much less likely the candidate finds the baseline's text, so the difference turned round. */
    static Finding likelihood(Optional<QualityReport> report, Expectation.LikelihoodWithin expected) {
        double bound = expected.maxNllIncrease();
        String predicted = String.format(Locale.ROOT, "≤ %.3g nats/token", bound);
        if (report.isEmpty()) {
            return missing(predicted);
        }
        LikelihoodComparison c = report.get().likelihood();
        if (c.meanDifference().isEmpty() || c.interval().isEmpty()) {
            return new Finding(Optional.empty(), predicted, "no likelihoods",
                    new Verdict.Inconclusive("the servers gave no log-probabilities to compare"));
        }
        double low = -c.interval().get().high();
        double high = -c.interval().get().low();
        String observed = String.format(Locale.ROOT, "%.4f [%.4f, %.4f] nats/token over %d positions",
                -c.meanDifference().getAsDouble(), low, high, c.positions());
        Verdict verdict;
        if (c.candidateFloored() > 0 && high < bound) {
            verdict = new Verdict.Inconclusive(c.candidateFloored()
                    + " tokens lie outside the candidate's alternatives, so the true loss is larger than shown");
        } else if (high < bound) {
            verdict = new Verdict.Survived();
        } else if (low > bound) {
            verdict = new Verdict.Refuted("the loss lies above the bound, interval included");
        } else {
            verdict = new Verdict.Inconclusive("the interval holds the bound; more prompts would narrow it");
        }
        Finding loss = new Finding(Optional.empty(), predicted, observed, verdict);
        return expected.maxKl().isPresent() ? withDivergence(loss, c, expected.maxKl().getAsDouble()) : loss;
    }

    /** The worse of the two: the loss as found, or the divergence against its bound. */
    private static Finding withDivergence(Finding loss, LikelihoodComparison c, double bound) {
        if (c.klInterval().isEmpty() || c.meanKl().isEmpty()) {
            return loss;
        }
        double low = c.klInterval().get().low();
        double high = c.klInterval().get().high();
        Verdict divergence = high < bound
                ? new Verdict.Survived()
                : low > bound
                        ? new Verdict.Refuted("the mean divergence lies above its bound, interval included")
                        : new Verdict.Inconclusive(
                                "the divergence's interval holds its bound; more prompts would narrow it");
        boolean decides = loss.verdict() instanceof Verdict.Survived || divergence instanceof Verdict.Refuted;
        return new Finding(Optional.empty(),
                loss.predicted() + String.format(Locale.ROOT, ", divergence ≤ %.3g", bound),
                loss.observed() + String.format(Locale.ROOT, "; divergence %.2g [%.2g, %.2g]",
                        c.meanKl().getAsDouble(), low, high),
                decides ? divergence : loss.verdict());
    }

    private static Finding missing(String predicted) {
        return new Finding(Optional.empty(), predicted, NOT_COMPARED,
                new Verdict.Inconclusive("the outputs were not compared: run 'assay quality'"));
    }
}
