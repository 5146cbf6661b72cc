package dev.assay.forecast.silicon;

import dev.assay.stats.Cholesky;

/** A fitted law: constants for any deployment, and how far its rows leave them open. */
public final class Fit {
    private final Levels levels;
    private final double[] theta;
    private final Cholesky precision;
    private final double scale;

    Fit(Levels levels, double[] theta, Cholesky precision, double scale) {
        this.levels = levels;
        this.theta = theta.clone();
        this.precision = precision;
        this.scale = scale;
    }

    /** TPOT in seconds. */
    public double seconds(Deployment d) {
        return StepLaw.seconds(d, logs(d));
    }

    /** TPOT by what takes it. */
    public StepTerms terms(Deployment d) {
        return StepLaw.terms(d, logs(d));
    }

    /** Whether rows of the deployment's group were fitted. */
    public boolean knows(Deployment d) {
        return levels.knows(d);
    }

    /** Standard deviation of a row's logarithmic error within the fit. */
    public double scale() {
        return scale;
    }

    /** A constant for a deployment. */
    public double constant(Deployment d, Constant constant) {
        return Math.exp(logs(d)[constant.place()]);
    }

    /** Standard deviation of the logarithm of a deployment's constant. */
    public double constantSd(Deployment d, Constant constant) {
        double[] direction = new double[Constant.COUNT];
        direction[constant.place()] = 1;
        return Math.sqrt(variance(d, direction));
    }

    /** A constant that is common to all. */
    public double common(Constant constant) {
        return constant.typical() * Math.exp(theta[constant.place()]);
    }

    /** Standard deviation of the logarithm of a common constant. */
    public double commonSd(Constant constant) {
        double[] direction = new double[theta.length];
        direction[constant.place()] = 1;
        return Math.sqrt(precision.inverseForm(direction));
    }

    /** Variance of the logarithm of TPOT that comes from constants the rows leave open; larger for a group unseen. */
    double openVariance(Deployment d) {
        return variance(d, Fitter.slopes(d, logs(d), StepLaw.seconds(d, logs(d))));
    }

    private double[] logs(Deployment d) {
        return Levels.logs(levels.places(d), theta);
    }

    private double variance(Deployment d, double[] direction) {
        double[] full = new double[theta.length];
        double unseen = 0;
        int[] places = levels.places(d);
        for (int level = 0; level < places.length; level++) {
            int at = places[level];
            for (int k = 0; k < direction.length; k++) {
                double sd = Constant.ALL.get(k).sd(level);
                if (at >= 0) {
                    full[at + k] += direction[k];
                } else {
                    unseen += direction[k] * direction[k] * sd * sd;
                }
            }
        }
        return unseen + precision.inverseForm(full);
    }
}
