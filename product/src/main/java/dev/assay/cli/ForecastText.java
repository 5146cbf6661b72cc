package dev.assay.cli;

import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.arms.ArmPair;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** A forecast of one or two arms for people. */
final class ForecastText {
    private final StringBuilder out = new StringBuilder();
    private final int width;

    private ForecastText(int width) {
        this.width = width;
    }

    static String of(ForecastDocument d, int width) {
        ForecastText text = new ForecastText(width);
        text.head(d);
        d.arms().forEach(text::arm);
        text.points(d);
        text.flips(d);
        d.surface().ifPresent(s -> text.out.append('\n').append(SurfaceText.of(s)));
        if (!d.warnings().isEmpty()) {
            text.list("warnings", d.warnings());
        }
        text.list("premises", d.premises());
        if (!d.blind().isEmpty()) {
            text.list("does not see", List.of(String.join(", ", d.blind())));
        }
        return text.out.toString();
    }

    private void head(ForecastDocument d) {
        ForecastDocument.Lengths l = d.lengths();
        wrap("", d.arms().getFirst().model() + " on " + d.hardware() + ", " + text("%.0f", l.meanInput())
                + " tokens in and " + text("%.0f", l.meanOutput()) + " out" + (l.requests() > 1
                        ? " (means of " + l.requests() + " requests, " + l.source() + ")"
                        : ""));
        wrap("", d.calibration() + "; intervals hold 90 %");
    }

    private void arm(ForecastDocument.Arm a) {
        out.append('\n');
        wrap("", text("%-9s  %s, weights %s (%.3f bits a parameter), KV %s, %s", a.role(), a.engine(),
                a.weights(),
                a.weightBitsPerParameter(), a.kv(), devices(a)));
        ForecastDocument.Memory m = a.memory();
        wrap("           ", text(
                "memory %.2f GiB = weights %.2f + activations %.2f + other %.2f + KV %.2f (%,d pages of %d, %,d tokens)",
                m.taken(), m.weights(), m.activations(), m.other(), m.kvPool(), a.kvPages(), a.pageSize(),
                a.kvTokens()));
        wrap("           ", text("sequences: %,d fit, %,d in 99 %% of steps, cap %,d; %s", a.admissible(),
                a.admissible99(), a.maxNumSeqs() * a.dataParallel(),
                a.kneeTokens().isPresent()
                        ? text("compute-bound from %.0f tokens a step", a.kneeTokens().getAsDouble())
                                + (a.kneeNominalTokens().isPresent()
                                        ? text(" (%.0f by the peaks)", a.kneeNominalTokens().getAsDouble())
                                        : "")
                        : "never compute-bound"));
    }

    private static String devices(ForecastDocument.Arm a) {
        if (a.devices() == 1) {
            return "1 device";
        }
        return a.devices() + " devices (tensor " + a.tensorParallel() + ", pipeline " + a.pipelineParallel()
                + ", data " + a.dataParallel() + ", experts " + a.expertParallel() + ")";
    }

    private void points(ForecastDocument d) {
        out.append('\n').append(text("%7s %-6s %-20s %-21s %-8s%s%n", d.points().getFirst().axis(), "arm",
                "TPOT ms", "TTFT ms", "tokens/s", wide() ? " limiter" : ""));
        for (ForecastDocument.Point p : d.points()) {
            row(plain(p.load()), "base", p.baseline());
            p.candidate().ifPresent(c -> row("", "cand", c));
            p.ratios()
                    .ifPresent(r -> out.append(text("%7s %-6s %-20s %-21s %s%n", "", "ratio", range(r.tpot()),
                            r.ttft().map(ForecastText::range).orElse("-"), range(r.throughput()))));
        }
    }

    private void row(String load, String arm, ForecastDocument.ArmAt a) {
        String limiter = limiter(a.limiter());
        String line = text("%7s %-6s %-20s %-21s %-8s ", load, arm, range(a.tpotMs()),
                a.ttftMs().map(ForecastText::range).orElse("grows without end"),
                plain(a.outputTokensPerS().value()));
        out.append(wide() ? line + limiter : line.stripTrailing() + "\n" + " ".repeat(15) + limiter)
                .append('\n');
    }

    private boolean wide() {
        return width >= 100;
    }

    private static String limiter(LimiterForecast l) {
        return text("limited by %s %.0f%%, then %s %.0f%%", name(l.limiter().name()), 100 * l.share(),
                name(l.runnerUp().name()),
                100 * l.runnerUpShare());
    }

    private static String name(String limiter) {
        return switch (limiter) {
            case "WEIGHT_BANDWIDTH" -> "weights";
            case "KV_BANDWIDTH" -> "kv";
            case "KV_CAPACITY" -> "kv pool";
            case "BATCH_SLOTS" -> "slots";
            case "PREFILL_BUDGET" -> "budget";
            default -> limiter.toLowerCase(Locale.ROOT);
        };
    }

    private void flips(ForecastDocument d) {
        if (d.flips().isEmpty()) {
            return;
        }
        out.append('\n');
        for (ForecastDocument.FlipAt f : d.flips()) {
            Optional<ArmPair.Flip> flip = f.flip();
            wrap("  ", "over " + f.over() + " " + plain(f.from()) + " to " + plain(f.to()) + ", " + f.metric()
                    + ": "
                    + (flip.isEmpty()
                            ? "the sign of the effect does not flip"
                            : text("flips at %s [%s, %s]: %s below, %s above; %.0f %% of the draws flip",
                                    plain(flip.get().at()), plain(flip.get().low()), plain(flip.get().high()),
                                    flip.get().helpsAbove() ? "hurts" : "helps",
                                    flip.get().helpsAbove() ? "helps" : "hurts", 100 * flip.get().share())));
        }
    }

    private void list(String title, List<String> items) {
        out.append('\n').append(title).append('\n');
        items.forEach(i -> wrap("  ", i));
    }

    private static String range(ForecastDocument.Range r) {
        OptionalDouble high = r.high();
        return plain(r.value()) + " [" + plain(r.low()) + ", "
                + (high.isPresent() ? plain(high.getAsDouble()) : "∞") + "]";
    }

    /** Three digits that count. */
    static String plain(double n) {
        if (n >= 100) {
            return Long.toString(Math.round(n));
        }
        String s = text(n >= 10 ? "%.1f" : n >= 1 ? "%.2f" : "%.3f", n);
        return s.replaceAll("(\\.\\d*?)0+$", "$1").replaceAll("\\.$", "");
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Text in lines of at most the width; later lines are indented two more. */
    private void wrap(String indent, String sentence) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : sentence.split(" ", -1)) {
            if (line.length() + word.length() > width && line.toString().strip().length() > 0) {
                out.append(line.toString().stripTrailing()).append('\n');
                line.setLength(0);
                line.append(indent).append("  ");
            }
            line.append(word).append(' ');
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }
}
