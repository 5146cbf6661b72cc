package dev.assay.forecast;

import dev.assay.stats.Cholesky;
import java.util.SplittableRandom;

/**
 * Fits parameters that have a normal prior to observed logarithms, and draws from what is then known: each draw moves one
 * draw of the prior no further than observations with their noise demand (randomised maximum likelihood, Oliver, He and
 * Reynolds 1996; exact where the law is linear). What no observation tells keeps its prior's width.
 */
public final class PriorFit {
    private static final int ROUNDS = 30;
    private static final int HALVINGS = 12;
    private static final double SLOPE_STEP = 1e-4;
    private static final double SETTLED = 1e-7;
    /** A draw is known well enough sooner. */
    private static final double DRAW_SETTLED = 1e-3;
    private static final int SCALE_ROUNDS = 1;

    private final double[] observed;
    private final double[] sd;
    private final double[] priorSd;
    private double scale = 1;

    /** What is expected of parameters: logarithms, one for each observation. */
    public interface Law {
        /** The expected logarithms. */
        double[] logs(double[] parameters);
    }

    /** Where a search ended. */
    public record Solution(double[] parameters, double cost) {}

    /**
     * A fit.
     *
     * @param observed logarithms
     * @param sd their standard deviations
     * @param priorSd standard deviations of the parameters, each above 0
     */
    public PriorFit(double[] observed, double[] sd, double[] priorSd) {
        if (observed.length == 0 || observed.length != sd.length) {
            throw new IllegalArgumentException(observed.length + " observations with " + sd.length
                    + " deviations; expected as many, at least 1");
        }
        this.observed = observed.clone();
        this.sd = sd.clone();
        this.priorSd = priorSd.clone();
    }

    /**
     * The most probable parameters; where the observations scatter by more than their deviations say, these are
     * widened and the fit is made again.
     */
    public Solution middle(Law law, double[] centre) {
        scale = 1;
        Solution s = solve(law, observed, centre, centre, SETTLED);
        for (int i = 0; i < SCALE_ROUNDS; i++) {
            double free = Math.max(1, observed.length - learned(law, s.parameters()));
            double squares = misfit(law, s.parameters()) / free;
            if (squares <= 1) {
                return s;
            }
            scale = Math.sqrt(squares);
            s = solve(law, observed, centre, s.parameters(), SETTLED);
        }
        return s;
    }

    /** By how much the observations scatter over what their deviations say; at least 1. */
    public double scale() {
        return scale;
    }

    /** How many observations there are. */
    public int size() {
        return observed.length;
    }

    /** One draw, from a draw of the prior. */
    public Solution draw(Law law, double[] prior, double[] start, SplittableRandom random) {
        double[] y = observed.clone();
        for (int i = 0; i < y.length; i++) {
            y[i] += scale * sd[i] * random.nextGaussian();
        }
        return solve(law, y, prior, start, DRAW_SETTLED);
    }

    /** Sum of squared errors over their deviations. */
    double misfit(Law law, double[] parameters) {
        double[] f = law.logs(parameters);
        double sum = 0;
        for (int i = 0; i < f.length; i++) {
            double z = (f[i] - observed[i]) / (scale * sd[i]);
            sum += z * z;
        }
        return sum;
    }

    /** How many parameters the observations decide: the sum over them of one minus posterior over prior variance. */
    double learned(Law law, double[] parameters) {
        double[] variance = variance(law, parameters);
        double sum = 0;
        for (int j = 0; j < variance.length; j++) {
            sum += 1 - variance[j] / (priorSd[j] * priorSd[j]);
        }
        return sum;
    }

    /** Variances of the parameters around a solution. */
    double[] variance(Law law, double[] parameters) {
        int k = priorSd.length;
        double[] f = law.logs(parameters);
        Cholesky precision = precision(slopes(law, parameters, f));
        double[] variance = new double[k];
        for (int j = 0; j < k; j++) {
            double[] unit = new double[k];
            unit[j] = 1;
            variance[j] = precision.inverseForm(unit);
        }
        return variance;
    }

    private Solution solve(Law law, double[] y, double[] centre, double[] start, double settled) {
        double[] at = start.clone();
        double[] f = law.logs(at);
        double cost = cost(f, y, at, centre);
        for (int round = 0; round < ROUNDS; round++) {
            double[][] slopes = slopes(law, at, f);
            double[] step = precision(slopes).solve(gradient(slopes, f, y, at, centre));
            double share = 1;
            double before = cost;
            for (int h = 0; h < HALVINGS; h++, share /= 2) {
                double[] next = at.clone();
                for (int j = 0; j < next.length; j++) {
                    next[j] += share * step[j];
                }
                double[] there = law.logs(next);
                double nextCost = cost(there, y, next, centre);
                if (nextCost < cost) {
                    at = next;
                    f = there;
                    cost = nextCost;
                    break;
                }
            }
            if (before - cost < settled * (1 + cost)) {
                break;
            }
        }
        return new Solution(at, cost);
    }

    private double cost(double[] f, double[] y, double[] at, double[] centre) {
        double sum = 0;
        for (int i = 0; i < f.length; i++) {
            double z = (f[i] - y[i]) / (scale * sd[i]);
            sum += z * z;
        }
        for (int j = 0; j < at.length; j++) {
            double z = (at[j] - centre[j]) / priorSd[j];
            sum += z * z;
        }
        return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum;
    }

    private static double[][] slopes(Law law, double[] at, double[] f) {
        double[][] slopes = new double[at.length][];
        for (int j = 0; j < at.length; j++) {
            double[] moved = at.clone();
            moved[j] += SLOPE_STEP;
            double[] g = law.logs(moved);
            slopes[j] = new double[f.length];
            for (int i = 0; i < f.length; i++) {
                slopes[j][i] = (g[i] - f[i]) / SLOPE_STEP;
            }
        }
        return slopes;
    }

    /** What observations and prior tell together, positive definite by the prior. */
    private Cholesky precision(double[][] slopes) {
        int k = slopes.length;
        double[][] a = new double[k][k];
        for (int p = 0; p < k; p++) {
            for (int q = 0; q < k; q++) {
                for (int i = 0; i < observed.length; i++) {
                    double w = 1 / (scale * sd[i]);
                    a[p][q] += w * w * slopes[p][i] * slopes[q][i];
                }
            }
            a[p][p] += 1 / (priorSd[p] * priorSd[p]);
        }
        return Cholesky.of(a, 0);
    }

    private double[] gradient(double[][] slopes, double[] f, double[] y, double[] at, double[] centre) {
        double[] g = new double[at.length];
        for (int p = 0; p < g.length; p++) {
            for (int i = 0; i < f.length; i++) {
                double w = 1 / (scale * sd[i]);
                g[p] += w * w * slopes[p][i] * (y[i] - f[i]);
            }
            g[p] += (centre[p] - at[p]) / (priorSd[p] * priorSd[p]);
        }
        return g;
    }
}
