package dev.assay.report;

import dev.assay.review.ReviewView;
import java.util.List;

/** The record's sections in reading order, the same for Markdown and the page. */
final class Outline {
    private Outline() {}

    static List<Section> of(ReviewView view) {
        return List.of(QuestionSection.of(view), CurveSection.of(view), BenchmarkSection.of(view),
                PredictionSection.of(view), ChainSection.of(view), LimiterSection.of(view),
                WrongSection.of(view),
                PremiseSection.of(view),
                ValiditySection.of(view), OutputSection.of(view), MethodSection.of(view),
                LimitSection.of(view),
                ProvenanceSection.of(view));
    }

    /** The part of a section that has nothing to show yet. */
    static List<Part> nothing(String why) {
        return List.of(new Part.Text(why));
    }
}
