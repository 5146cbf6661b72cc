package dev.assay.forecast;

import java.util.SplittableRandom;

/** Draws what the forecast does not know: the constants, the format's effect, rows beyond those seen, the law's error. */
final class Variations {
    /** A row beyond those seen costs between as much as one seen (0) and as much as a prompt token (1), and beyond. */
    private static final double BEYOND_LOW = -0.25;
    private static final double BEYOND_HIGH = 1;
    private static final double BEYOND_SPREAD = 0.1;
    private static final double BEYOND_CHEAPEST = 0.3;
    private static final double BEYOND_DEAREST = 2;
    /** In octaves of rows beyond those seen the law's error is taken to be this much larger. */
    private static final double MISFIT_BEYOND = 2;

    private Variations() {}

    /** One draw for arms of at most {@code maxRows} rows. */
    static CostModel.Variation draw(Calibration c, StepConstants constants, int maxRows,
            SplittableRandom random) {
        double ratio = constants.decodeNanosPerFlop() > 0
                ? constants.prefillNanosPerFlop() / constants.decodeNanosPerFlop()
                : 1;
        double v = random.nextDouble(BEYOND_LOW, BEYOND_HIGH);
        double beyond = (1 + v * (Math.clamp(ratio, BEYOND_CHEAPEST, BEYOND_DEAREST) - 1))
                * Math.exp(BEYOND_SPREAD * random.nextGaussian());
        return new CostModel.Variation(random.nextGaussian(), random.nextGaussian(),
                c.region().maxDecodeRows(),
                Math.clamp(beyond, BEYOND_CHEAPEST, BEYOND_DEAREST), misfit(c, maxRows, random));
    }

    /** Independent errors at each doubling of the rows, joined by straight lines over the logarithm. */
    private static double[] misfit(Calibration c, int maxRows, SplittableRandom random) {
        int octaves = 2 + (int) Math.ceil(log2(maxRows));
        double[] knots = new double[octaves + 1];
        for (int k = 0; k < knots.length; k++) {
            double sd = c.misfit()
                    * (Math.scalb(1.0, k) > 1.5 * c.region().maxDecodeRows() ? MISFIT_BEYOND : 1);
            knots[k] = sd * random.nextGaussian();
        }
        double[] factor = new double[maxRows + 1];
        factor[0] = Math.exp(knots[0]);
        for (int rows = 1; rows <= maxRows; rows++) {
            double x = log2(rows);
            int k = (int) x;
            factor[rows] = Math.exp(knots[k] + (x - k) * (knots[k + 1] - knots[k]));
        }
        return factor;
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }
}
