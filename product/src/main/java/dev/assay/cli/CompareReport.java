package dev.assay.cli;

import dev.assay.load.imported.Comparison;
import dev.assay.load.imported.Comparison.Caveat;
import dev.assay.load.imported.Comparison.Finding;
import dev.assay.load.imported.Comparison.Point;
import dev.assay.load.imported.Comparison.Refused;
import dev.assay.load.imported.Comparison.Row;
import dev.assay.load.imported.Family;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A comparison of results for people: 80 columns, the answer first, then the numbers, then what they cannot tell. */
final class CompareReport {
    private static final int WIDTH = 80;

    private final StringBuilder out = new StringBuilder();
    private final double width;
    private final double level;

    private CompareReport(double width, double level) {
        this.width = width;
        this.level = level;
    }

    static String text(Comparison comparison, List<String> notes, double width, double level) {
        CompareReport report = new CompareReport(width, level);
        for (Point point : comparison.points()) {
            report.point(point);
        }
        if (comparison.points().isEmpty()) {
            report.wrapped("No verdict: the two sides share no load point.", "");
        }
        comparison.unmatched().forEach(u -> report.wrapped(u, "  "));
        notes.forEach(n -> report.wrapped(n, "  "));
        return report.out.toString();
    }

    private void point(Point p) {
        side("A", p.a(), p.toolA());
        side("B", p.b(), p.toolB());
        wrapped("load: " + p.load(), "      ");
        line("");
        wrapped(answer(p), "");
        line("");
        table(p);
        legend(p);
        refused(p);
        caveats(p);
        formulas(p);
        repeats(p);
        if (!p.notes().isEmpty()) {
            line("");
            line("About the files:");
            p.notes().forEach(n -> wrapped("- " + n, "  "));
        }
        line("");
    }

    private void side(String name, List<String> sources, String tool) {
        String runs = sources.size() == 1
                ? sources.getFirst()
                : sources.size() + " runs: "
                        + String.join(", ", sources.subList(0, Math.min(3, sources.size())))
                        + (sources.size() > 3 ? ", ..." : "");
        wrapped(name + "  " + runs + " (" + tool + ")", "   ");
    }

    /** The one sentence that a hurried reader needs. */
    private static String answer(Point p) {
        List<Row> found = p.rows().stream().filter(r -> r.finding() != Finding.NONE).toList();
        if (found.isEmpty()) {
            return "No verdict: " + String.join("; ", p.judged()
                    ? List.of("too few repeats or requests")
                    : p.caveats().stream().filter(Caveat::blocks).map(c -> brief(c.code())).distinct()
                            .toList())
                    + ".";
        }
        long better = found.stream().filter(r -> r.better().orElse(false)).count();
        long worse = found.stream().filter(r -> !r.better().orElse(true)).count();
        return String.format(Locale.ROOT,
                "Verdict on %d of %d rows: B is better on %d and worse on %d; on %d no"
                        + " difference could be shown, which is no proof that there is none.",
                found.size(),
                p.rows().size(), better, worse, found.size() - better - worse);
    }

    private static String brief(String code) {
        return switch (code) {
            case "no_repeats" -> "no repeats";
            case "same_run" -> "one run is given twice";
            case "invalid" -> "an invalid run";
            case "tool" -> "different load generators";
            case "achieved_rate" -> "the rate was not kept";
            case "failure_share" -> "failed requests";
            case "order" -> "A and B did not alternate";
            default -> code.startsWith("varies_")
                    ? code.substring("varies_".length()).replace('_', ' ') + " varies within a side"
                    : code.replace("differs_", "").replace('_', ' ') + " differs";
        };
    }

    private void table(Point p) {
        if (p.rows().isEmpty()) {
            line("No metric in common under one formula.");
            return;
        }
        boolean repeats = p.rows().stream().anyMatch(r -> r.interval().isPresent() || r.p().isPresent());
        if (repeats) {
            line("%-19s%9s%9s%8s%17s%7s", "", "A", "B", "B/A",
                    Math.round(level * 100) + " % interval", "p");
        } else {
            line("%-23s%11s%11s%9s", "", "A", "B", "B/A");
        }
        for (Row row : p.rows()) {
            String label = row.label() + (row.metric().isLatency() ? " ms" : "")
                    + (row.reason().equals("too few requests") ? " *" : "");
            String ratio = row.ratio().isPresent() ? number(row.ratio().getAsDouble()) : "-";
            if (repeats) {
                line("%-19s%9s%9s%8s%17s%7s %s", label, number(row.a()), number(row.b()), ratio,
                        row.interval().map(i -> "[" + number(i.low()) + ", " + number(i.high()) + "]")
                                .orElse(""),
                        row.p().isPresent() ? pValue(row.p().getAsDouble()) : "", finding(row));
            } else {
                line("%-23s%11s%11s%9s", label, number(row.a()), number(row.b()), ratio);
            }
        }
    }

    private void legend(Point p) {
        long tested = p.rows().stream().filter(r -> r.pHolm().isPresent()).count();
        if (tested > 0) {
            wrapped("better/worse: p adjusted by Holm over the " + tested + " rows tested is at most "
                    + String.format(Locale.ROOT, "%.2g", 1 - level) + "; ~ not shown; - not tested", "  ");
        }
    }

    private static String finding(Row row) {
        return switch (row.finding()) {
            case LOWER, HIGHER -> row.better().orElse(false) ? "better" : "worse";
            case NOT_SHOWN -> "~";
            case NONE -> "-";
        };
    }

    private void refused(Point p) {
        if (!p.refused().isEmpty()) {
            line("");
            line("Refused, since the numbers are not of one kind:");
        }
        for (Refused r : p.refused()) {
            wrapped("- " + r.metric().label() + " (" + r.reason() + ")", "  ");
            wrapped("    A: " + r.a(), "       ");
            wrapped("    B: " + r.b(), "       ");
        }
        if (!p.onlyA().isEmpty() || !p.onlyB().isEmpty()) {
            line("");
        }
        only("A", p.onlyA());
        only("B", p.onlyB());
    }

    private void only(String side, List<String> metrics) {
        if (!metrics.isEmpty()) {
            wrapped("Only in " + side + ": " + String.join(", ", metrics), "  ");
        }
    }

    private void caveats(Point p) {
        List<Caveat> blocking = p.caveats().stream().filter(Caveat::blocks).toList();
        List<Caveat> other = p.caveats().stream().filter(c -> !c.blocks()).toList();
        if (!blocking.isEmpty()) {
            line("");
            line("What stands against a verdict:");
            blocking.forEach(c -> wrapped("- " + c.text(), "  "));
        }
        if (!other.isEmpty()) {
            line("");
            line("What these files cannot tell:");
            other.forEach(c -> wrapped("- " + c.text(), "  "));
        }
    }

    private void formulas(Point p) {
        Map<Family, String> formulas = new EnumMap<>(Family.class);
        p.rows().forEach(r -> formulas.putIfAbsent(r.metric(),
                r.formula().text() + (r.recomputed() && r.metric().isLatency()
                        ? " [computed here from the requests]"
                        : "")));
        if (!formulas.isEmpty()) {
            line("");
            line("Formulas:");
            formulas.forEach((family, text) -> wrapped(String.format("%-16s%s", family.label(), text),
                    " ".repeat(16)));
        }
    }

    private void repeats(Point p) {
        List<String> needed = p.rows().stream()
                .filter(r -> r.repeatsNeeded().isPresent() && r.better().isEmpty()
                        && !r.reason().equals("too few requests"))
                .map(r -> r.label() + " " + r.repeatsNeeded().orElseThrow()).toList();
        if (!needed.isEmpty()) {
            line("");
            wrapped(String.format(Locale.ROOT,
                    "Repeats a side that narrow the interval to +-%s %%, from the spread"
                            + " seen: %s.",
                    String.format(Locale.ROOT, "%.3g", 100 * width).replaceAll("\\.?0+$", ""),
                    String.join(", ", needed)), "  ");
        }
    }

    /** Four significant digits, without an exponent in the usual range. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size >= 99999.5 || size < 0.0001) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        int decimals = size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : size >= 0.09 ? 3 : 4;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private static String pValue(double p) {
        return p < 0.0001 ? "<.0001" : String.format(Locale.ROOT, "%.4f", p);
    }

    private void line(String format, Object... values) {
        out.append((values.length == 0 ? format : String.format(Locale.ROOT, format, values)).stripTrailing())
                .append('\n');
    }

    private void wrapped(String text, String indent) {
        String rest = text;
        while (rest.length() > WIDTH) {
            int cut = rest.lastIndexOf(' ', WIDTH);
            if (cut <= indent.length() + 1) {
                cut = rest.indexOf(' ', WIDTH);
                if (cut < 0) {
                    break;
                }
            }
            out.append(rest.substring(0, cut).stripTrailing()).append('\n');
            rest = indent + rest.substring(cut).stripLeading();
        }
        out.append(rest.stripTrailing()).append('\n');
    }
}
