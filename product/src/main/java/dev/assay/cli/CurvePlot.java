package dev.assay.cli;

import dev.assay.load.curve.Curve;
import dev.assay.load.curve.CurvePoint;
import java.util.Arrays;
import java.util.Locale;

/** The share of good requests over the load, on a logarithmic axis, as text. */
final class CurvePlot {
    private static final int ROWS = 10;
    private static final int COLUMNS = 66;

    private CurvePlot() {}

    static String of(Curve curve) {
        double low = Math.log(curve.points().getFirst().offeredRps());
        double high = Math.log(curve.points().getLast().offeredRps());
        char[][] grid = new char[ROWS + 1][COLUMNS + 1];
        for (char[] row : grid) {
            Arrays.fill(row, ' ');
        }
        Arrays.fill(grid[row(curve.target())], '┄');
        for (CurvePoint p : curve.points()) {
            int column = column(p.offeredRps(), low, high);
            int top = row(p.attainment().interval().high());
            int bottom = row(p.attainment().interval().low());
            for (int r = top; r <= bottom; r++) {
                grid[r][column] = '│';
            }
        }
        // Points are drawn last, so that no interval hides one.
        for (CurvePoint p : curve.points()) {
            grid[row(p.attainment().share())][column(p.offeredRps(), low, high)] = switch (p.verdict()) {
                case "meets" -> '●';
                case "misses" -> '○';
                default -> '◐';
            };
        }
        StringBuilder out = new StringBuilder();
        for (int r = 0; r <= ROWS; r++) {
            String label = r % 5 == 0 ? String.format(Locale.ROOT, "%4d %%", 100 - 100 * r / ROWS) : "      ";
            out.append((label + " │" + new String(grid[r])).stripTrailing()).append('\n');
        }
        String axis = String.format(Locale.ROOT, "%.3g/s", Math.exp(low));
        String end = String.format(Locale.ROOT, "%.3g/s", Math.exp(high));
        return out.append("       └").append("─".repeat(COLUMNS + 1)).append('\n').append("        ")
                .append(axis).append(" ".repeat(Math.max(1, COLUMNS + 1 - axis.length() - end.length())))
                .append(end).append('\n')
                .append("        good requests: ● meets the target, ○ misses it, ◐ open, │ 95 % interval\n")
                .toString();
    }

    private static int row(double share) {
        return (int) Math.round((1 - share) * ROWS);
    }

    private static int column(double load, double low, double high) {
        return high > low ? (int) Math.round((Math.log(load) - low) / (high - low) * COLUMNS) : COLUMNS / 2;
    }
}
