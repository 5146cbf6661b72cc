package dev.assay.report;

import dev.assay.quality.QualityReport;
import dev.assay.report.Part.Fact;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.List;

/** Whether both arms say the same. */
final class OutputSection {
    private OutputSection() {
    }

    static Section of(ReviewView view) {
        return new Section("outputs", "Outputs and quality", view.quality()
                .map(q -> List.<Part>of(new Part.Facts(facts(q))))
                .orElseGet(() -> Outline.nothing("The outputs of the two arms were not compared yet.")));
    }

    private static List<Fact> facts(QualityReport quality) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Identical greedy outputs", quality.identical() + " of "
                + Numbers.count(quality.prompts(), "prompt")));
        facts.add(new Fact("Mean likelihood loss", quality.meanNllIncrease().isPresent()
                ? Numbers.value(quality.meanNllIncrease().getAsDouble()) + " nats per token"
                : Numbers.ABSENT + " (not asked for, or not measurable at this server)"));
        return facts;
    }
}
