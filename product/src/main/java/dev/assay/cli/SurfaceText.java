package dev.assay.cli;

import dev.assay.forecast.arms.ArmPair;
import dev.assay.forecast.arms.Surface;
import java.util.Locale;

/** The map of {@code --surface} as text: rows are prompt lengths, columns are loads, both logarithmic. */
final class SurfaceText {
    private static final int TICKS = 16;

    private SurfaceText() {}

    static String of(Surface s) {
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT,
                "%s of the candidate: + better, - worse, x not served,%n. not told apart from equal (within %s %% or the interval)%n",
                s.outcome().id(), Double.toString(100 * s.limit()).replaceAll("\\.0$", "")));
        out.append("prompt\n");
        for (int i = 0; i < s.rows().size(); i++) {
            out.append(String.format(Locale.ROOT, "%8s |%s%n", number(s.inputs().get(i)), s.rows().get(i)));
        }
        out.append(" ".repeat(9)).append('+').append("-".repeat(s.loads().size())).append('\n');
        StringBuilder ticks = new StringBuilder(" ".repeat(10));
        for (int i = 0; i < s.loads().size(); i += TICKS) {
            String tick = number(s.loads().get(i));
            if (ticks.length() <= 10 + i && 10 + i + tick.length() <= 10 + s.loads().size()) {
                ticks.append(" ".repeat(10 + i - ticks.length())).append(tick);
            }
        }
        return out.append(ticks).append('\n').append(" ".repeat(10)).append(s.axis() == ArmPair.Axis.BATCH
                ? "requests in the system"
                : "requests per second").append('\n').toString();
    }

    private static String number(double n) {
        return n >= 100
                ? Long.toString(Math.round(n))
                : String.format(Locale.ROOT, "%.3g", n)
                        .replaceAll("(\\.\\d*?)0+$", "$1").replaceAll("\\.$", "");
    }
}
