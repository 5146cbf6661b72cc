package dev.assay.report;

import dev.assay.quality.GreedyComparison;
import dev.assay.quality.LikelihoodComparison;
import dev.assay.quality.QualityReport;
import dev.assay.report.Part.Fact;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;

/** Whether both arms say the same, and how likely the candidate finds what the baseline says. */
final class OutputSection {
    private OutputSection() {}

    static Section of(ReviewView view) {
        return new Section("outputs", "Outputs and quality", view.quality().map(OutputSection::parts)
                .orElseGet(() -> Outline.nothing("The outputs of the two arms were not compared yet.")));
    }

    private static List<Part> parts(QualityReport quality) {
        List<Part> parts = new ArrayList<>();
        List<Fact> facts = new ArrayList<>();
        greedy(facts, quality.greedy());
        likelihood(facts, quality.likelihood());
        parts.add(new Part.Facts(facts));
        List<List<Cell>> different = different(quality.greedy());
        if (!different.isEmpty()) {
            parts.add(new Part.Table("Prompts with different outputs", List.of(Column.word("Prompt"),
                    Column.figure("first difference at"), Column.figure("Baseline length"),
                    Column.figure("Candidate length")), different, List.of()));
        }
        if (!quality.likelihood().notes().isEmpty()) {
            parts.add(new Part.Bullets(quality.likelihood().notes()));
        }
        return parts;
    }

    private static void greedy(List<Fact> facts, GreedyComparison greedy) {
        facts.add(new Fact("Identical greedy outputs", greedy.identical() + " of "
                + Numbers.count(greedy.prompts().size(), "prompt")));
        facts.add(new Fact("Same up to the first difference",
                greedy.matched() + " of " + greedy.compared() + " "
                        + switch (greedy.unit()) {
                            case TOKENS -> "tokens";
                            case CODE_POINTS -> "characters (an arm named no tokens)";
                        }));
    }

    private static void likelihood(List<Fact> facts, LikelihoodComparison likelihood) {
        if (likelihood.meanDifference().isEmpty()) {
            facts.add(new Fact("Mean likelihood loss",
                    Numbers.ABSENT + " (not asked for, or the servers gave no"
                            + " log-probabilities)"));
            return;
        }
        String interval = likelihood.interval().map(i -> " [" + Numbers.value(0 - i.high()) + ", "
                + Numbers.value(0 - i.low()) + "]").orElse("");
        facts.add(new Fact("Mean likelihood loss",
                Numbers.value(0 - likelihood.meanDifference().getAsDouble())
                        + interval + " nats per token, on the baseline's greedy text: "
                        + Numbers.count(likelihood.positions(), "position") + " of "
                        + Numbers.count(likelihood.prompts(), "prompt")));
        likelihood.perplexityRatio().ifPresent(r -> facts.add(new Fact("Perplexity ratio", Numbers.ratio(r)
                + likelihood.perplexityInterval().map(i -> " " + Numbers.ratioInterval(i.low(), i.high()))
                        .orElse(""))));
        facts.add(new Fact("Same most likely token", likelihood.sameTop() + " of "
                + Numbers.count(likelihood.positions(), "position")));
    }

    private static List<List<Cell>> different(GreedyComparison greedy) {
        return greedy.prompts().stream().filter(p -> !p.identical())
                .map(p -> List.of(Cell.of(p.promptId()),
                        Cell.of(p.firstDivergence().map(i -> Integer.toString(i)).orElse(Numbers.ABSENT)),
                        Cell.of(Integer.toString(p.baselineLength())),
                        Cell.of(Integer.toString(p.candidateLength()))))
                .toList();
    }
}
