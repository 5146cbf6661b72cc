package dev.assay.review;

import dev.assay.AssayException;
import dev.assay.forecast.Blindness;
import dev.assay.forecast.EngineSettings;
import dev.assay.json.Json;
import dev.assay.json.JsonValue;
import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a proposal lacks before it may be sealed (DESIGN.md, "The causal chain"): each entry is one line that names the
 * field and says what is expected and why.
 */
public final class Lint {
    /** Blocks from which the exact sign-flip test can reach 5 %: its floor is 2^(1-k). */
    public static final int FULL_BLOCKS = 6;
    /** What was found: {@code refusals} stand in the way of a seal, {@code remarks} do not. */
    public record Result(List<String> refusals, List<String> remarks) {}

    private static final String PLACEHOLDER = "your-server";

    private Lint() {}

    /** Checks a proposal that has no prediction yet. */
    public static Result check(Proposal proposal) {
        return check(proposal, Optional.empty());
    }

    /** Checks a proposal, its tightened claims against the prediction where there is one. */
    public static Result check(Proposal proposal, Optional<Prediction> prediction) {
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
        arrivals(proposal, refusals);
        way(proposal.arms(), refusals);
        if (proposal.arms().baseline().settings().equals(proposal.arms().candidate().settings())) {
            refusals.add(
                    "field 'arms': both arms have the same settings, so the model sees no change to predict");
        } else {
            change(proposal, refusals);
        }
        refusals.addAll(Tightenings.refusals(proposal, prediction));
        if (proposal.cost().isEmpty()) {
            remarks.add("field 'cost' is missing: the record will show no cost");
        }
        return new Result(List.copyOf(refusals), List.copyOf(remarks));
    }

    /** Whether a trace that is to give the arrivals has some. */
    private static void arrivals(Proposal proposal, List<String> refusals) {
        if (Schedules.law(proposal) instanceof ArrivalLaw.Trace law) {
            try {
                Schedules.spec(proposal.workload()).schedule(law.at(1), new Extent.Count(1), 0,
                        Calibration.ASSUMED);
            } catch (AssayException e) {
                refusals.add("field 'workload': " + e.getMessage());
            }
        }
    }

    /** What lies between client and server is no part of the change. */
    private static void way(Proposal.Arms arms, List<String> refusals) {
        if (arms.baseline().overHttp2() != arms.candidate().overHttp2()) {
            refusals.add(
                    "field 'arms': http2 is true in one arm; expected the same version of HTTP in both, as"
                            + " the way to a server is no part of the change");
        }
        for (Proposal.ArmSpec arm : List.of(arms.baseline(), arms.candidate())) {
            if (arm.insecure().orElse(false) && arm.cacert().isPresent()) {
                refusals.add("field 'arms': cacert and insecure exclude each other; expected one of them");
                break;
            }
        }
    }

    /** The kind of change against the settings in which the arms differ, and what has to be known of them. */
    private static void change(Proposal proposal, List<String> refusals) {
        EngineSettings baseline = proposal.arms().baseline().settings();
        EngineSettings candidate = proposal.arms().candidate().settings();
        String kind = proposal.change().name().toLowerCase(Locale.ROOT);
        String knob = ReadyChange.of(proposal.change()).knob();
        JsonValue before = Json.tree(baseline);
        JsonValue after = Json.tree(candidate);
        if (setting(before, knob).equals(setting(after, knob))) {
            refusals.add("field 'change' is " + kind + " and both arms have the same " + knob
                    + "; expected settings that differ in it");
        }
        try {
            Blindness.check(baseline, candidate, proposal.local(), CommandKnobs.differing(proposal.arms()));
        } catch (AssayException e) {
            refusals.add("field 'arms': " + e.getMessage());
        }
        if (baseline.cachesPrefixes() != candidate.cachesPrefixes()
                && proposal.workload().prefixTokens().isEmpty()
                && proposal.workload().inputTokens().isPresent()) {
            refusals.add(
                    "field 'workload.prefix_tokens' is missing: the arms differ in enable_prefix_caching and the"
                            + " workload shares no prefix that a cache could find");
        }
        for (Proposal.ArmSpec arm : List.of(proposal.arms().baseline(), proposal.arms().candidate())) {
            if (arm.command().orElse("").contains(PLACEHOLDER)) {
                refusals.add("field 'arms': a command is still the template's '" + PLACEHOLDER
                        + "'; expected the command that starts that arm's server");
                break;
            }
        }
    }

    private static Optional<JsonValue> setting(JsonValue settings, String knob) {
        return settings instanceof JsonValue.Obj object ? object.get(knob) : Optional.empty();
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
