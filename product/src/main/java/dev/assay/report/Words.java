package dev.assay.report;

import dev.assay.forecast.LimiterForecast;
import dev.assay.review.Arm;
import dev.assay.review.Decision;
import dev.assay.review.Level;
import dev.assay.review.Metric;
import dev.assay.review.ReviewView;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The words for values of closed types, in one place for all forms. */
final class Words {
    private Words() {}

    /** The name of a constant in words: {@code WEIGHT_BANDWIDTH} is "weight bandwidth". */
    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static String level(Level level) {
        return switch (level) {
            case CORRECTNESS -> "Correctness";
            case MECHANISM -> "Mechanism";
            case COMPONENT -> "Component";
            case END_TO_END -> "End to end";
            case FLEET -> "Fleet";
        };
    }

    static String arm(Arm arm) {
        return switch (arm) {
            case BASELINE -> "baseline";
            case CANDIDATE -> "candidate";
        };
    }

    static String choice(Decision.Choice choice) {
        return switch (choice) {
            case SHIP -> "Ship";
            case HOLD -> "Hold";
            case REJECT -> "Reject";
        };
    }

    static String status(ReviewView.Status status) {
        return switch (status) {
            case DRAFT -> "Draft, nothing predicted yet";
            case PREDICTED -> "Predicted, not sealed yet";
            case SEALED -> "Sealed, not measured yet";
            case MEASURING -> "Being measured";
            case MEASURED -> "Measured, not decided yet";
            case DECIDED -> "Decided";
        };
    }

    /** What the reader does next, as a command. */
    static String next(ReviewView.Status status) {
        return switch (status) {
            case DRAFT -> "assay predict DIR";
            case PREDICTED -> "assay seal DIR";
            case SEALED, MEASURING -> "assay measure DIR";
            case MEASURED -> "assay decide DIR";
            case DECIDED -> "assay verify DIR";
        };
    }

    /** The text with a capital first letter. */
    static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    static String limiter(LimiterForecast forecast) {
        return of(forecast.limiter()) + " (" + Numbers.percent(forecast.share()) + "); next "
                + of(forecast.runnerUp()) + " (" + Numbers.percent(forecast.runnerUpShare()) + ")";
    }

    /** The metric of that name; the record of another version may name one that this version does not know. */
    static Optional<Metric> metric(String id) {
        return Arrays.stream(Metric.values()).filter(m -> m.id().equals(id)).findFirst();
    }

    /** A metric's name with its unit. */
    static String titled(Metric metric) {
        return metric.unit().isEmpty() || metric.unit().equals("B")
                ? metric.label()
                : metric.label() + " (" + metric.unit() + ")";
    }

    static String label(String metricId) {
        return metric(metricId).map(Metric::label).orElse(metricId);
    }

    static String load(double rate) {
        return Numbers.plain(rate) + " req/s";
    }

    static String loads(List<Double> rates) {
        return rates.stream().map(Numbers::plain).collect(Collectors.joining(", ")) + " req/s";
    }

    static String slo(Slo slo) {
        List<String> bounds = new ArrayList<>();
        bound(bounds, "TTFT", slo.ttftMs());
        bound(bounds, "TPOT", slo.tpotMs());
        bound(bounds, "E2E", slo.e2eMs());
        return bounds.isEmpty() ? "none: every completed request counts as good" : String.join(", ", bounds);
    }

    private static void bound(List<String> bounds, String name, OptionalDouble ms) {
        if (ms.isPresent()) {
            bounds.add(name + " ≤ " + Numbers.plain(ms.getAsDouble()) + " ms");
        }
    }
}
