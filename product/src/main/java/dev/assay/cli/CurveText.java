package dev.assay.cli;

import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurvePoint;
import dev.assay.load.curve.CurveRunner;
import dev.assay.load.curve.CurveSlot;
import dev.assay.load.curve.Found;
import dev.assay.load.curve.Mlperf;
import dev.assay.load.curve.PercentileRule;
import dev.assay.load.curve.TimeNeeded;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.RunSummary.Spread;
import dev.assay.workload.Slo;
import dev.assay.workload.ValidityCheck;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/** An operating curve for people: the answer first, then a picture, the table, and what to doubt; 80 columns. */
final class CurveText {

    private CurveText() {}

    static String of(CurveCommand.Document d) {
        StringBuilder out = new StringBuilder();
        Curve curve = d.curve();
        Wrapped.to(out, "", d.model() + " on " + d.server() + ", " + d.workload() + ", SLO " + slo(d.slo())
                + text(" for %s %% of requests", plain(100 * curve.target())));
        out.append('\n');
        curve.cutShort().ifPresent(why -> Wrapped.to(out, "", "CUT SHORT  " + why + "; what follows is all"
                + " that was measured"));
        Wrapped.to(out, "", answer(curve.found(), curve.target()));
        Wrapped.to(out, "", text("%d slots in %.0f s; %s", curve.slots().size(), curve.seconds(),
                curve.found().reason()));
        d.mlperf().ifPresent(p -> preset(out, p));
        if (curve.points().size() > 1) {
            out.append('\n').append(CurvePlot.of(curve));
        }
        if (!curve.points().isEmpty()) {
            out.append('\n');
            table(out, curve);
            CurveServer.to(out, curve);
        }
        rules(out, curve);
        if (curve.found().estimate().isPresent()) {
            Wrapped.to(out, "  ", "for review.yaml: load_points: " + CurveRunner.AROUND.stream()
                    .map(f -> text("%.3g", f * curve.found().estimate().getAsDouble())).toList());
        }
        doubts(out, d);
        return out.toString();
    }

    private static String answer(Found found, double target) {
        OptionalDouble low = found.meets();
        OptionalDouble high = found.misses();
        String estimate = found.estimate().isPresent()
                ? text("; the curve crosses %s %% near %.3g", plain(100 * target),
                        found.estimate().getAsDouble())
                : "";
        if (low.isPresent() && high.isPresent()) {
            return text("max sustainable load  %.3g requests/s  [%.3g meets, %.3g misses]",
                    low.getAsDouble(), low.getAsDouble(), high.getAsDouble()) + estimate;
        }
        if (low.isPresent()) {
            return text("max sustainable load  at least %.3g requests/s; no load was shown to miss",
                    low.getAsDouble()) + estimate;
        }
        return high.isPresent()
                ? text("max sustainable load  below %.3g requests/s; no load was shown to meet the SLO",
                        high.getAsDouble()) + estimate
                : "max sustainable load  not decided: no load was shown to meet or to miss the SLO"
                        + estimate;
    }

    private static void preset(StringBuilder out, Mlperf p) {
        Wrapped.to(out, "  ",
                text("MLPerf %s %s: %s, %s; %d s and %d queries at least%s. Not an MLPerf result.",
                        p.model(), p.scenario(), p.source(), p.date(), p.minDurationS(), p.minQueries(),
                        p.note().isEmpty() ? "" : "; " + p.note()));
    }

    /** What a run says about the limits of an MLPerf scenario, by early stopping. */
    static String verdict(Mlperf p, List<RequestOutcome> outcomes) {
        StringBuilder out = new StringBuilder();
        preset(out, p);
        PercentileRule rule = PercentileRule.of(outcomes, p.slo(), p.percentile());
        Wrapped.to(out, "    ", (rule.met() ? "passes: " : "open: ") + rule.words());
        return out.toString();
    }

    private static void table(StringBuilder out, Curve curve) {
        out.append(text("%8s %5s %4s %6s %15s %7s %7s %7s %6s  %s%n", "load/s", "slots", "n", "good %",
                "95 % interval", "good/s", "TTFT50", "TTFT95", "TPOT50", "SLO"));
        for (CurvePoint p : curve.points()) {
            out.append(text("%8.3g %5d %4d %6.1f %15s %7.3g %7s %7s %6s  %s%n", p.offeredRps(), p.slots(),
                    p.attainment().trials(), 100 * p.attainment().share(),
                    text("[%.1f, %.1f]", 100 * p.attainment().interval().low(),
                            100 * p.attainment().interval().high()),
                    p.summary().goodputRps().orElse(0), cell(p.summary().ttftMs(), Spread::p50),
                    cell(p.summary().ttftMs(), Spread::p95), cell(p.summary().tpotMs(), Spread::p50),
                    p.saturatedSlots() > 0 ? "sat." : p.verdict()));
        }
        Wrapped.to(out, "",
                "latencies in ms from the schedule, of the longest slot; SLO by each load's own 95 %"
                        + " interval, sat. = the backlog grew through a slot");
    }

    private static String cell(Optional<Spread> spread, Function<Spread, Double> part) {
        return spread.map(s -> {
            double v = part.apply(s);
            return v >= 9999.5 ? text("%.0fs", v / 1e3) : v >= 100 ? text("%.0f", v) : text("%.1f", v);
        }).orElse("-");
    }

    private static void rules(StringBuilder out, Curve curve) {
        for (CurveSlot slot : curve.slots()) {
            if (slot.valid() && slot.percentileRule().isPresent()) {
                PercentileRule rule = slot.percentileRule().get();
                Wrapped.to(out, "    ", text("%.3g/s %s: ", slot.offeredRps(), rule.met() ? "passes" : "open")
                        + rule.words());
            }
        }
    }

    private static void doubts(StringBuilder out, CurveCommand.Document d) {
        out.append('\n');
        if (d.curve().slots().isEmpty()) {
            d.warmUp().ifPresent(w -> Wrapped.to(out, "  ", w.detail()));
            return;
        }
        long valid = d.curve().slots().stream().filter(CurveSlot::valid).count();
        Wrapped.to(out, "", text("validity  %d of %d slots valid; client headroom %.0f %% at least%s", valid,
                d.curve().slots().size(), 100 * d.curve().slots().stream()
                        .mapToDouble(s -> s.summary().headroom().orElse(1)).min().orElse(1),
                d.ceiling().isEmpty() ? " (ceiling unknown: run assay load --self-test)" : ""));
        d.warmUp().ifPresent(w -> Wrapped.to(out, "  ", (w.warm() ? "  " : "  WARN ") + w.detail()));
        for (CurveSlot slot : d.curve().slots()) {
            slot.voidBy().forEach(reason -> Wrapped.to(out, "       ",
                    text("  VOID slot %d at %.3g/s: ", slot.number(), slot.offeredRps()) + reason));
        }
        warnings(d.curve()).forEach((check, lines) -> Wrapped.to(out, "       ", "  WARN " + check + " in "
                + lines.size() + (lines.size() == 1 ? " slot: " : " slots, first: ") + lines.getFirst()));
    }

    /** Warnings by check; too few requests for a percentile and a growing backlog are what a search is made of. */
    private static Map<String, List<String>> warnings(Curve curve) {
        Map<String, List<String>> warnings = new TreeMap<>();
        for (CurveSlot slot : curve.slots()) {
            for (ValidityCheck c : slot.summary().validity()) {
                boolean expected = c.check().startsWith("percentile-") || c.detail().startsWith("saturated");
                if (c.status() == ValidityCheck.Status.WARN && !expected || c.check().equals("error-share")
                        && c.status() == ValidityCheck.Status.FAIL) {
                    warnings.computeIfAbsent(c.check(), _ -> new ArrayList<>())
                            .add(text("at %.3g/s, ", slot.offeredRps()) + c.detail());
                }
            }
        }
        return warnings;
    }

    /** One slot as it ends. */
    static String line(CurveSlot s) {
        return text("%3d %-8s %8.3g/s  %4d requests  %5.1f %% good %5.1f s %-4s", s.number(), s.purpose(),
                s.offeredRps(), s.attainment().trials(), 100 * s.attainment().share(), s.seconds(),
                !s.valid() ? "VOID" : s.saturated() ? "sat." : "");
    }

    /** How long it may take, said beforehand. */
    static String needed(TimeNeeded n, double leastShown) {
        return text("likely %s to %s; at most %s (%d slots, each to its limits)%s",
                ProgressLine.time(n.likelyLowSeconds()), ProgressLine.time(n.likelyHighSeconds()),
                ProgressLine.time(n.mostSeconds()), n.mostSlots(),
                n.slowBelowRps().map(l -> text("; longer if loads below %.2g/s must be tried", l))
                        .orElse(""))
                + (leastShown > 0
                        ? text("%nslots as short as these show no load below %.2g/s to meet the SLO",
                                leastShown)
                        : "");
    }

    static String slo(Slo slo) {
        List<String> parts = new ArrayList<>();
        slo.ttftMs().ifPresent(b -> parts.add(text("TTFT %s ms", plain(b))));
        slo.tpotMs().ifPresent(b -> parts.add(text("TPOT %s ms", plain(b))));
        slo.e2eMs().ifPresent(b -> parts.add(text("E2E %s ms", plain(b))));
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    /** Four significant digits without the zeros at their end. */
    private static String plain(double value) {
        return new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
