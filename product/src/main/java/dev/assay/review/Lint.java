package dev.assay.review;

import java.util.ArrayList;
import java.util.List;

/**
 * What a proposal lacks before it may be sealed (DESIGN.md, "The causal chain"): each entry is one line that names the
 * field and says what is expected and why.
 */
public final class Lint {
    /** Blocks from which the exact sign-flip test can reach 5 %: its floor is 2^(1-k). */
    public static final int FULL_BLOCKS = 6;
    /** What was found: {@code refusals} stand in the way of a seal, {@code remarks} do not. */
    public record Result(List<String> refusals, List<String> remarks) {}

    private Lint() {}

    /** Checks a proposal. */
    public static Result check(Proposal proposal) {
        List<String> refusals = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        if (proposal.rollback().isEmpty()) {
            refusals.add("field 'rollback' is missing: state the trigger that undoes the rollout and how");
        }
        proposal.rollback().ifPresent(r -> {
            if (r.trigger().isBlank() || r.how().isBlank()) {
                refusals.add("field 'rollback' is empty: expected a trigger and how the change is undone");
            }
        });
        if (proposal.telemetry().isEmpty() || proposal.telemetry().get().isEmpty()) {
            refusals.add(
                    "field 'telemetry' is missing: name the signals that will be watched after the rollout");
        }
        if (proposal.explanation().isEmpty() || proposal.explanation().get().isBlank()) {
            refusals.add(
                    "field 'explanation' is missing: say what the change removes and how that reaches the user");
        }
        points(proposal, refusals);
        if (proposal.constraints().isEmpty()) {
            refusals.add(
                    "field 'constraints' is empty: name at least one metric that may not regress, with its margin");
        }
        if (proposal.measure().blocks() < FULL_BLOCKS) {
            remarks.add(
                    "measure.blocks is " + proposal.measure().blocks() + ": with fewer than " + FULL_BLOCKS
                            + " blocks no claim about a ratio can be decided");
        }
        if (proposal.arms().baseline().settings().equals(proposal.arms().candidate().settings())) {
            refusals.add(
                    "field 'arms': both arms have the same settings, so the model sees no change to predict");
        }
        if (proposal.cost().isEmpty()) {
            remarks.add("field 'cost' is missing: the record will show no cost");
        }
        return new Result(List.copyOf(refusals), List.copyOf(remarks));
    }

    private static void points(Proposal proposal, List<String> refusals) {
        if (proposal.objective().loadPoints().isEmpty()) {
            refusals.add(
                    "field 'objective.load_points' is empty: name the operating points at which it must improve");
        }
        known("objective.load_points", proposal.objective().loadPoints(), proposal, refusals);
        for (int i = 0; i < proposal.constraints().size(); i++) {
            known("constraints[" + i + "].load_points", proposal.constraints().get(i).loadPoints(), proposal,
                    refusals);
        }
    }

    private static void known(String field, List<Double> points, Proposal proposal, List<String> refusals) {
        for (double point : points) {
            if (!proposal.loadPoints().contains(point)) {
                refusals.add("field '" + field + "' names " + point + ", which is not in load_points "
                        + proposal.loadPoints());
            }
        }
    }
}
