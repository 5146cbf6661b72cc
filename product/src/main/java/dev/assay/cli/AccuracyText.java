package dev.assay.cli;

import dev.assay.forecast.silicon.Accuracy;
import dev.assay.forecast.silicon.Accuracy.Group;
import dev.assay.forecast.silicon.Accuracy.Spreads;
import dev.assay.forecast.silicon.Accuracy.Unseen;
import dev.assay.forecast.silicon.Accuracy.Value;
import dev.assay.forecast.silicon.Refusal;
import dev.assay.forecast.silicon.Spread;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The accuracy of the calibrated law for people: the answer first, then groups, refusals and constants; 80 columns. */
final class AccuracyText {
    private static final int WIDTH = 80;

    private final StringBuilder out = new StringBuilder();

    private AccuracyText() {}

    static String of(Accuracy a) {
        AccuracyText text = new AccuracyText();
        text.wrapped("", format("%s: %d rows, %d scored in %d families of equal configuration, %d refused",
                a.file(), a.rows(), a.scoredRows(), a.families(), a.refused()));
        text.wrapped("",
                format("%d splits, each with %.0f %% of the families held out whole (%d rows, %d pairs"
                        + " in all); median over splits, lowest to highest", a.splits(),
                        100 * a.heldOutShare(),
                        a.heldOutRows(), a.pairs()));
        text.figures(a.spread());
        text.groups(a.groups());
        text.unseen(a.unseenModels());
        text.refusals(a);
        text.constants(a);
        a.presumed().forEach(p -> text.wrapped("presumed: ", p));
        return text.out.toString();
    }

    private void figures(Spreads s) {
        out.append('\n');
        line("%-30s %18s  %14s  %12s", "held out", "calibrated", "roofline", "const. ratio");
        line("%-30s %18s  %14s  %12s", "TPOT, median error", percent(s.tpotError()),
                middle(Optional.of(s.rooflineTpotError())), "-");
        line("%-30s %18s  %14s  %12s", "TPOT, 90th percentile of error", percent(s.tpotErrorP90()), "", "");
        line("%-30s %18s  %14s  %12s", "ratio at 4 x batch, median",
                s.ratioError().map(AccuracyText::percent).orElse("-"), middle(s.rooflineRatioError()),
                middle(s.constantRatioError()));
        line("%-30s %18s", "bias, measured / forecast", format("%+.1f (%+.1f %+.1f)", 100 * s.bias().middle(),
                100 * s.bias().lowest(), 100 * s.bias().highest()) + " %");
        line("%-30s %18s  %s", "in the 90 % interval, mean", s.coverage_90().map(AccuracyText::percent)
                .orElse("too few rows"),
                s.halfWidth().map(w -> format("x or / %.2f", w.middle())).orElse(""));
    }

    private void groups(List<Group> groups) {
        out.append('\n');
        line("%-45s %5s %6s %6s %6s %6s", "group", "rows", "error", "bias", "in 90%", "x or /");
        for (Group g : groups) {
            line("%-45s %5d %6s %6s %6s %6s", shortened(g.name()), g.rows(), percent(g.medianError()),
                    signed(g.bias()), percent(g.coverage_90()), factor(g.halfWidth()));
            if (g.unseen() > 0) {
                out.append(format("    widened in %d of %d forecasts: no row of it was calibrated on%n",
                        g.unseen(), g.heldOut()));
            }
        }
    }

    private void unseen(List<Unseen> models) {
        if (!models.isEmpty()) {
            out.append('\n');
            line("%-45s %5s %6s %6s %6s %6s", "model left out whole", "rows", "error", "bias", "in 90%",
                    "x or /");
            models.forEach(this::unseen);
        }
    }

    private void unseen(Unseen u) {
        line("%-45s %5d %6s %6s %6s %6s", shortened(u.name()), u.rows(),
                percent(OptionalDouble.of(u.medianError())), signed(OptionalDouble.of(u.bias())),
                percent(u.coverage_90()), factor(u.halfWidth()));
    }

    private void refusals(Accuracy a) {
        if (a.refused() > 0) {
            out.append('\n');
            line("refused");
            for (Refusal r : a.refusals()) {
                wrapped("  ", format("%s, %d row%s from line %d: %s", r.what(), r.rows(),
                        r.rows() == 1 ? "" : "s", r.firstLine(), r.reason()));
            }
            a.refusedAnyway()
                    .ifPresent(u -> wrapped("  ", format("forecast anyway, the regime's %d rows would"
                            + " err by %s (median), %s in their intervals", u.rows(),
                            percent(OptionalDouble.of(u.medianError())), percent(u.coverage_90()))));
        }
        a.faults().forEach(f -> wrapped("measurement fault: ", f));
    }

    private void constants(Accuracy a) {
        out.append('\n');
        wrapped("", "constants of the fit on all scored rows, times or divided by one standard deviation, and"
                + " over the groups; they trade off and are no physics");
        List<Value> all = a.constants().getFirst().values();
        for (int i = 0; i < all.size(); i++) {
            Value v = all.get(i);
            int at = i;
            double[] each = a.constants().stream().skip(1).mapToDouble(b -> b.values().get(at).value())
                    .sorted().toArray();
            line("  %8.3g x or / %4.2f  (%8.2g %8.2g)  %s", v.value(), v.factor(), each[0],
                    each[each.length - 1], v.unit());
        }
        out.append('\n');
    }

    private static String percent(Spread s) {
        return format("%.1f (%.1f %.1f) %%", 100 * s.middle(), 100 * s.lowest(), 100 * s.highest());
    }

    private static String percent(OptionalDouble share) {
        return share.isPresent() ? format("%.1f %%", 100 * share.getAsDouble()) : "-";
    }

    private static String signed(OptionalDouble log) {
        return log.isPresent() ? format("%+.1f %%", 100 * Math.expm1(log.getAsDouble())) : "-";
    }

    private static String factor(OptionalDouble factor) {
        return factor.isPresent() ? format("%.2f", factor.getAsDouble()) : "-";
    }

    private static String middle(Optional<Spread> s) {
        return s.map(v -> format("%.1f %%", 100 * v.middle())).orElse("-");
    }

    private static String shortened(String name) {
        return name.length() <= 45 ? name : name.substring(0, 44) + "~";
    }

    private void line(String format, Object... values) {
        out.append(format(format, values).stripTrailing()).append('\n');
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private void wrapped(String lead, String text) {
        int at = 0;
        String start = lead;
        while (at < text.length()) {
            int room = WIDTH - start.length();
            int end = text.length() - at <= room ? text.length() : text.lastIndexOf(' ', at + room);
            if (end <= at) {
                end = Math.min(text.length(), at + room);
            }
            out.append(start).append(text, at, end).append('\n');
            at = end;
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            start = " ".repeat(lead.isEmpty() ? 2 : lead.length());
        }
    }
}
