package dev.assay.report;

import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the record cannot say: limits and warnings. */
final class LimitSection {
    private LimitSection() {}

    static Section of(ReviewView view) {
        List<Part> parts = new ArrayList<>();
        List<String> limits = limits(view);
        parts.add(limits.isEmpty()
                ? new Part.Text("No limit or warning is recorded beyond the scope above.")
                : new Part.Bullets(limits));
        return new Section("limits", "What it cannot say", parts);
    }

    /** The limits of the review, then the warnings of analysis, forecast and calibration, each once. */
    static List<String> limits(ReviewView view) {
        Set<String> all = new LinkedHashSet<>(view.limits());
        view.analysis().ifPresent(a -> all.addAll(a.warnings()));
        view.prediction().ifPresent(p -> {
            all.addAll(p.forecast().warnings());
            all.addAll(p.calibration().warnings());
        });
        return List.copyOf(all);
    }
}
