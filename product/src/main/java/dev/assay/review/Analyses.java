package dev.assay.review;

import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.Limiters;
import dev.assay.quality.QualityReport;
import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.workload.ValidityCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Computes the analysis of a review from its slots; the same input always gives the same analysis. */
final class Analyses {
    private Analyses() {}

    static Analysis of(Proposal proposal, Prediction prediction, State state,
            Optional<QualityReport> quality) {
        List<SlotResult> slots = FloorCheck.mark(proposal, prediction.shape(), state.results());
        Samples samples = new Samples(slots);
        Verdicts verdicts = new Verdicts(proposal, samples, quality,
                (arm, point) -> limiter(proposal, prediction, samples, arm, point),
                Premises.broken(prediction.premises(), slots), paths(proposal, slots));
        List<PointResult> points = points(proposal, prediction, samples, verdicts);
        List<ClaimResult> claims = prediction.claims().stream().map(verdicts::decide).toList();
        int complete = points.stream().mapToInt(PointResult::blocks).min().orElse(0);
        return new Analysis(proposal.measure().blocks(), complete, points, claims, Chain.recommend(claims),
                warnings(proposal, state, slots, complete));
    }

    private static List<PointResult> points(Proposal proposal, Prediction prediction, Samples samples,
            Verdicts verdicts) {
        List<Comparison> present = verdicts.present(prediction.claims());
        List<PointResult> points = new ArrayList<>();
        for (int i = 0; i < proposal.loadPoints().size(); i++) {
            int point = i;
            List<MetricResult> metrics = present.stream().map(c -> c.result(point)).toList();
            points.add(new PointResult(proposal.loadPoints().get(i),
                    verdicts.comparison(Metric.OUTPUT_TOKENS_PER_S).blocks(point).size(), metrics,
                    limiter(proposal, prediction, samples, Arm.BASELINE, point),
                    limiter(proposal, prediction, samples, Arm.CANDIDATE, point)));
        }
        return points;
    }

    private static Optional<LimiterForecast> limiter(Proposal proposal, Prediction prediction,
            Samples samples, Arm arm,
            int point) {
        Proposal.ArmSpec spec = arm == Arm.BASELINE
                ? proposal.arms().baseline()
                : proposal.arms().candidate();
        return Limiters.observed(samples.telemetry(arm, point), spec.settings(), prediction.shape(),
                prediction.calibration(), proposal.local());
    }

    private static Paths paths(Proposal proposal, List<SlotResult> slots) {
        Paths paths = Paths.of(slots);
        return proposal.change() == Proposal.ChangeKind.PREFIX_CACHING ? paths.cachesMayDiffer() : paths;
    }

    private static List<String> warnings(Proposal proposal, State state, List<SlotResult> slots,
            int complete) {
        List<String> warnings = new ArrayList<>();
        if (complete < proposal.measure().blocks()) {
            warnings.add(complete + " of " + proposal.measure().blocks()
                    + " planned blocks are complete and admissible at every load point");
        }
        if (complete < Lint.FULL_BLOCKS) {
            warnings.add("with fewer than " + Lint.FULL_BLOCKS
                    + " blocks the exact test cannot reach 5 %, so no claim about a ratio is decided");
        }
        if (!state.failed().isEmpty()) {
            warnings.add(state.failed().size() + " slots gave no run");
        }
        if (state.resumedSessions() > 0) {
            warnings.add(state.resumedSessions()
                    + " sessions were interrupted and went on with a fresh server, warmed up again");
        }
        if (!state.unsettled().isEmpty()) {
            warnings.add(
                    state.unsettled().size() + " sessions had not settled when they were measured; first: "
                            + state.unsettled().getFirst().warmUp().detail());
        }
        slots.forEach(slot -> slot.summary().validity().stream()
                .filter(c -> c.status() == ValidityCheck.Status.FAIL)
                .forEach(c -> warnings.add("slot " + slot.key().label() + " left out: " + c.check() + ": "
                        + c.detail())));
        return warnings;
    }
}
