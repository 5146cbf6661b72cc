package dev.assay.report;

import dev.assay.report.Part.Fact;
import dev.assay.review.Proposal;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;

/** What is asked, by whom, and what would make the change worth it. */
final class QuestionSection {
    private QuestionSection() {}

    static Section of(ReviewView view) {
        Proposal p = view.proposal();
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Change", Words.of(p.change()) + (p.layers().isEmpty()
                ? ""
                : ", in " + String.join(", ", p.layers()))));
        facts.add(new Fact("Scope", p.scope()));
        facts.add(new Fact("Owner", p.owner()));
        facts.add(new Fact("Objective", objective(p)));
        for (Proposal.Constraint c : p.constraints()) {
            facts.add(new Fact("Constraint", Words.label(c.metric()) + " not worse by more than "
                    + Numbers.percent(c.margin()) + " at "
                    + (c.loadPoints().isEmpty() ? "every load point" : Words.loads(c.loadPoints()))));
        }
        facts.add(new Fact("Outputs", outputs(p.outputs())));
        p.rollback().ifPresent(r -> facts.add(new Fact("Rollback", "when " + r.trigger() + ": " + r.how())));
        p.telemetry().ifPresent(t -> facts.add(new Fact("Telemetry", String.join(", ", t))));
        List<Part> parts = new ArrayList<>();
        parts.add(new Part.Text(p.decision()));
        parts.add(new Part.Facts(facts));
        p.explanation().ifPresent(e -> parts.add(new Part.Text("Why it should help: " + e)));
        return new Section("question", "The question", parts);
    }

    /** The objective in one phrase. */
    static String objective(Proposal p) {
        return Words.label(p.objective().metric()) + " ×" + Numbers.plain(p.objective().minEffect())
                + " or " + (p.objective().minEffect() > 1 ? "more" : "less") + " of the baseline's at "
                + Words.loads(p.objective().loadPoints());
    }

    private static String outputs(Proposal.Outputs o) {
        String size = Numbers.count(o.prompts(), "prompt") + " of " + Numbers.count(o.tokens(), "token");
        if (o.exact()) {
            return "the same greedy tokens on " + size;
        }
        return "a mean likelihood loss of at most " + Numbers.value(o.maxNllIncrease().orElseThrow())
                + " nats per token on " + size;
    }
}
