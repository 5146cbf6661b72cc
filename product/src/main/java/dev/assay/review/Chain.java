package dev.assay.review;

import dev.assay.review.Analysis.ClaimResult;
import dev.assay.review.Decision.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The causal chain's table (DESIGN.md, "The causal chain"): from the verdicts on correctness, mechanism, objective and
 * constraints to a recommendation. Inconclusive never ships.
 */
final class Chain {
    private Chain() {}

    static Recommendation recommend(List<ClaimResult> claims) {
        List<ClaimResult> decisive = claims.stream().filter(c -> c.claim().decisive()).toList();
        Optional<ClaimResult> outputs = ofLevel(decisive, Level.CORRECTNESS);
        Optional<ClaimResult> mechanism = ofLevel(decisive, Level.MECHANISM);
        Optional<ClaimResult> objective = byExpectation(decisive);
        List<ClaimResult> constraints = decisive.stream()
                .filter(c -> c.claim().expectation() instanceof Expectation.NotWorse)
                .toList();
        if (outputs.isPresent() && refuted(outputs.get())) {
            return new Recommendation(Choice.REJECT, "wrong outputs", reasons(List.of(outputs.get())));
        }
        List<ClaimResult> harmed = constraints.stream().filter(Chain::refuted).toList();
        if (!harmed.isEmpty()) {
            return new Recommendation(Choice.REJECT, "a constraint is violated", reasons(harmed));
        }
        if (mechanism.isEmpty() || objective.isEmpty()) {
            return new Recommendation(Choice.HOLD, "not reviewable",
                    List.of("there is no mechanism that this server's telemetry can show: evidence incomplete"));
        }
        return table(outputs, mechanism.get(), objective.get(), constraints, claims);
    }

    private static Recommendation table(Optional<ClaimResult> outputs, ClaimResult mechanism,
            ClaimResult objective,
            List<ClaimResult> constraints, List<ClaimResult> all) {
        if (refuted(objective)) {
            return refuted(mechanism)
                    ? new Recommendation(Choice.REJECT, "rejected", reasons(List.of(mechanism, objective)))
                    : absorbed(mechanism, objective, all);
        }
        List<ClaimResult> open = new ArrayList<>();
        outputs.ifPresent(open::add);
        open.add(mechanism);
        open.add(objective);
        open.addAll(constraints);
        open.removeIf(c -> survived(c) || refuted(c));
        if (!open.isEmpty() || outputs.isEmpty()) {
            return new Recommendation(Choice.HOLD, "inconclusive", reasons(open));
        }
        List<ClaimResult> moved = all.stream()
                .filter(c -> c.claim().id().startsWith(Claims.UNCHANGED) && refuted(c)).toList();
        if (!moved.isEmpty()) {
            return new Recommendation(Choice.HOLD, "something else changed", reasons(moved));
        }
        return refuted(mechanism)
                ? new Recommendation(Choice.HOLD, "unexplained speed-up", reasons(List.of(mechanism)))
                : new Recommendation(Choice.SHIP, "explained", List.of(
                        "outputs, mechanism, objective and every constraint survived"));
    }

    /** The gain did not arrive; say what limits now, as the candidate's limiter claim observed it. */
    private static Recommendation absorbed(ClaimResult mechanism, ClaimResult objective,
            List<ClaimResult> all) {
        List<String> reasons = new ArrayList<>(reasons(List.of(objective)));
        if (survived(mechanism)) {
            reasons.add(mechanism.claim().id()
                    + " survived: the change does what it says, but not where it counts");
        } else {
            reasons.addAll(reasons(List.of(mechanism)));
        }
        all.stream().filter(
                c -> c.claim().expectation() instanceof Expectation.LimitedBy l && l.arm() == Arm.CANDIDATE)
                .forEach(c -> c.findings()
                        .forEach(f -> f.offeredRps().ifPresent(rate -> reasons.add(String.format(
                                Locale.ROOT, "at %.3g/s the candidate is limited by %s", rate,
                                f.observed())))));
        return new Recommendation(Choice.REJECT, survived(mechanism) ? "absorbed" : "no case", reasons);
    }

    private static List<String> reasons(List<ClaimResult> claims) {
        return claims.stream()
                .map(c -> c.claim().id() + " " + c.verdict().word().toLowerCase(Locale.ROOT)
                        + (c.verdict().why().isEmpty() ? "" : ": " + c.verdict().why()))
                .toList();
    }

    private static Optional<ClaimResult> ofLevel(List<ClaimResult> claims, Level level) {
        return claims.stream().filter(c -> c.claim().level() == level).findFirst();
    }

    private static Optional<ClaimResult> byExpectation(List<ClaimResult> claims) {
        return claims.stream().filter(c -> c.claim().expectation() instanceof Expectation.AtLeast)
                .findFirst();
    }

    private static boolean refuted(ClaimResult claim) {
        return claim.verdict() instanceof Verdict.Refuted;
    }

    private static boolean survived(ClaimResult claim) {
        return claim.verdict() instanceof Verdict.Survived;
    }
}
