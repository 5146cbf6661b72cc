package dev.assay.report;

import dev.assay.review.Analysis;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the record cannot say: limits, warnings, and where the model was wrong. */
final class LimitSection {
    private LimitSection() {}

    static Section of(ReviewView view) {
        List<Part> parts = new ArrayList<>();
        List<String> limits = limits(view);
        parts.add(limits.isEmpty()
                ? new Part.Text("No limit or warning is recorded beyond the scope above.")
                : new Part.Bullets(limits));
        view.analysis().ifPresent(a -> parts.addAll(model(view, a)));
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

    private static List<Part> model(ReviewView view, Analysis analysis) {
        Predicted predicted = new Predicted(view);
        List<List<Cell>> misses = new ArrayList<>();
        int compared = 0;
        for (var point : analysis.points()) {
            for (var result : point.metrics()) {
                var metric = Words.metric(result.metric());
                var span = metric.flatMap(m -> predicted.ratio(point.offeredRps(), m));
                if (span.isEmpty() || result.ratio().isEmpty()) {
                    continue;
                }
                compared++;
                var ratio = result.ratio().get();
                if (!span.get().holds(ratio.ratio())) {
                    misses.add(
                            List.of(Cell.of(metric.get().label()), Cell.of(Numbers.plain(point.offeredRps())),
                                    Cell.of(span.get().ratio()),
                                    Cell.of(Numbers.ratio(ratio.ratio(), ratio.low(), ratio.high())),
                                    Cell.of(direction(metric.get(), span.get(), ratio.ratio()))));
                }
            }
        }
        if (compared == 0) {
            return List.of();
        }
        String share = "Of " + Numbers.count(compared, "forecast ratio") + ", " + (compared - misses.size())
                + " came out inside the predicted interval.";
        if (misses.isEmpty()) {
            return List.of(new Part.Text(share));
        }
        return List.of(new Part.Text(share), new Part.Table("Where the model was wrong",
                List.of(Column.word("Metric"), Column.figure("req/s"), Column.figure("Predicted"),
                        Column.figure("Observed"), Column.word("The model was")),
                misses, List.of()));
    }

    private static String direction(Metric metric, Predicted.Span span, double observed) {
        boolean betterThanPredicted = observed > span.high() == metric.higherIsBetter();
        return betterThanPredicted ? "pessimistic" : "optimistic";
    }
}
