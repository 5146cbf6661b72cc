package dev.assay.forecast;

import java.util.Locale;

/**
 * What a calibration's evidence spans.
 *
 * @param minRps lowest rate of requests; 0 where only profiles are known
 * @param maxPrompt longest mean prompt; 0 where only profiles are known
 */
public record EvidenceRegion(double minRows, double maxRows, double minContext, double maxContext,
        double minRps, double maxRps, double maxPrompt) {
    /** Beyond the largest batch by more than this factor a forecast is refused. */
    public static final double FAR = 4;

    /** Doublings by which rows and context lie outside of what was measured, at most of either. */
    public double octavesOutside(double rows, double context) {
        return Math.max(rowsOutside(rows), contextOutside(context));
    }

    /** Doublings by which the rows of a step lie outside; 0 within half a doubling. */
    public double rowsOutside(double rows) {
        return outside(rows, minRows, maxRows);
    }

    /** Doublings by which the tokens that a sequence attends to lie outside; 0 within half a doubling. */
    public double contextOutside(double context) {
        return outside(context, minContext, maxContext);
    }

    private static double outside(double value, double low, double high) {
        // Half an octave is within reach: a mean batch stands for smaller and larger ones.
        double off = value > high ? value / high : value < low ? low / Math.max(value, 1e-9) : 1;
        return Math.max(0, Math.log(off) / Math.log(2) - 0.5);
    }

    /** Whether so many rows are too many to say anything. */
    public boolean far(double rows) {
        return rows > FAR * maxRows;
    }

    /** The region in words. */
    public String words() {
        String rates = maxRps == 0 ? "" : ", " + span(minRps, maxRps) + " requests/s";
        return "batch " + span(minRows, maxRows) + ", context " + span(minContext, maxContext) + " tokens"
                + rates;
    }

    private static String span(double low, double high) {
        String a = number(low);
        String b = number(high);
        return a.equals(b) ? a : a + " to " + b;
    }

    private static String number(double v) {
        return v >= 100 || v == Math.rint(v)
                ? Long.toString(Math.round(v))
                : String.format(Locale.ROOT, "%.3g", v);
    }
}
