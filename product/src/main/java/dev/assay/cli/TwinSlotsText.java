package dev.assay.cli;

import dev.assay.forecast.MetricNames;
import dev.assay.json.Json;
import dev.assay.review.Arm;
import dev.assay.review.ReviewFiles;
import dev.assay.review.TwinSlots;
import dev.assay.review.ledger.LevelGoals;
import dev.assay.stats.Quantiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code assay twin --slots}: the twin beside what was measured, on the same arrivals. */
final class TwinSlotsText {
    private TwinSlotsText() {}

    /** Errors of one metric over all arms and load points. */
    record Total(int n, double median, double q25, double q75, double most, double goal) {}

    record Review(String review, List<TwinSlots.Point> points) {}

    record Document(List<Review> reviews, Map<String, Total> errors) {}

    /** Prints all reviews; 1 where the median of a metric misses its goal. */
    static int print(String directories, boolean json, PrintWriter out) {
        List<Review> reviews = new ArrayList<>();
        for (String directory : directories.split(",")) {
            ReviewFiles files = ReviewFiles.of(Path.of(directory.strip()));
            reviews.add(new Review(directory.strip(), TwinSlots.of(files)));
        }
        Map<String, Total> totals = new LinkedHashMap<>();
        for (String metric : TwinSlots.METRICS) {
            double[] errors = reviews.stream().flatMap(r -> r.points().stream())
                    .map(p -> Optional.ofNullable(p.metrics().get(metric))).flatMap(Optional::stream)
                    .mapToDouble(TwinSlots.Pair::error).toArray();
            if (errors.length > 0) {
                totals.put(metric, new Total(errors.length, Quantiles.type7(errors, 0.5),
                        Quantiles.type7(errors, 0.25), Quantiles.type7(errors, 0.75),
                        Quantiles.type7(errors, 1),
                        LevelGoals.DEFAULT.byMetric().getOrDefault(metric, 1.0)));
            }
        }
        Document document = new Document(reviews, totals);
        if (json) {
            out.println(Json.pretty(document));
        } else {
            text(document, out);
        }
        return totals.values().stream().allMatch(t -> t.median() <= t.goal()) ? Exit.DONE : Exit.AGAINST;
    }

    private static void text(Document d, PrintWriter out) {
        out.println("Measured slots replayed with their own arrivals: twin / observed, error");
        for (Review review : d.reviews()) {
            out.println();
            out.println(review.review());
            out.println("  req/s arm       n   TPOT p50, ms       TTFT p50, ms       goodput");
            review.points().forEach(p -> out.println(line(p)));
        }
        out.println();
        out.println("|twin/observed - 1| over arms and load points: median (quartiles), most");
        d.errors().forEach((metric, t) -> out.printf(Locale.ROOT,
                "  %-9s %3d  median %.1f %% (%.1f to %.1f %%), most %.0f %%; goal %.0f %% %s%n",
                label(metric),
                t.n(), 100 * t.median(), 100 * t.q25(), 100 * t.q75(), 100 * t.most(), 100 * t.goal(),
                t.median() <= t.goal() ? "met" : "missed"));
    }

    private static String line(TwinSlots.Point p) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%7.3g %-9s %3d", p.offeredRps(),
                p.arm() == Arm.BASELINE ? "baseline" : "candidate", p.slots()));
        for (String metric : TwinSlots.METRICS) {
            line.append(String.format(" %-18s", Optional.ofNullable(p.metrics().get(metric))
                    .map(TwinSlotsText::cell).orElse("-")));
        }
        return line.toString().stripTrailing();
    }

    private static String cell(TwinSlots.Pair v) {
        return String.format(Locale.ROOT, "%s/%s, %+.0f %%", number(v.twin()), number(v.observed()),
                100 * (v.twin() / v.observed() - 1));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 1000 ? "%.3g" : "%.0f", value);
    }

    private static String label(String metric) {
        return switch (metric) {
            case MetricNames.TPOT_P50 -> "TPOT p50";
            case MetricNames.TTFT_P50 -> "TTFT p50";
            default -> "goodput";
        };
    }
}
