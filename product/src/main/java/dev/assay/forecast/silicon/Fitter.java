package dev.assay.forecast.silicon;

import dev.assay.stats.Cholesky;
import dev.assay.stats.Quantiles;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The maximum of the posterior of all constants given measured rows: logarithmic errors with heavy tails (Student's t with
 * four degrees of freedom), normal priors of {@link Constant}, damped Gauss-Newton steps (Levenberg 1944, Marquardt 1963).
 */
final class Fitter {
    private static final double FREEDOM = 4;
    private static final double FIRST_SCALE = 0.07;
    private static final double LEAST_SCALE = 0.01;
    private static final double MOST_SCALE = 0.3;
    private static final int MOST_STEPS = 60;
    private static final int MOST_TRIES = 8;
    /** Before the scale of the errors is known, and after: the least share by which a step has to improve. */
    private static final double ROUGH = 1e-2;
    private static final double CONVERGED = 1e-4;
    private static final double MOST_MOVE = 1;
    private static final double DIFFERENCE = 1e-5;
    /** Median absolute error of a normal variable over its standard deviation. */
    private static final double MEDIAN_OVER_SD = 0.6745;

    private final List<Deployment> deployments;
    private final double[] measured;
    private final int[][] places;
    private final Levels levels;
    private final double[] prior;
    private double scale = FIRST_SCALE;
    private double[] theta;

    private Fitter(List<MeasuredRow> rows) {
        deployments = rows.stream().map(MeasuredRow::deployment).toList();
        measured = rows.stream().mapToDouble(MeasuredRow::tpotSeconds).toArray();
        levels = Levels.of(rows);
        places = deployments.stream().map(levels::places).toArray(int[][]::new);
        prior = levels.precisions();
        theta = new double[levels.size()];
    }

    /** The fit of {@code rows}, at least one. */
    static Fit fit(List<MeasuredRow> rows) {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("0 rows; expected at least 1 to fit");
        }
        Fitter fitter = new Fitter(rows);
        fitter.climb(ROUGH);
        fitter.scale = fitter.residualScale();
        fitter.climb(CONVERGED);
        Normal at = fitter.normal();
        return new Fit(fitter.levels, fitter.theta, Cholesky.of(at.matrix(), 0), fitter.scale);
    }

    private record Normal(double[][] matrix, double[] gradient) {}

    private double residualScale() {
        double[] sizes = IntStream.range(0, measured.length)
                .mapToDouble(i -> Math.abs(Math.log(measured[i] / seconds(i, theta)))).toArray();
        return Math.clamp(Quantiles.type7(sizes, 0.5) / MEDIAN_OVER_SD, LEAST_SCALE, MOST_SCALE);
    }

    private double seconds(int row, double[] at) {
        return StepLaw.seconds(deployments.get(row), Levels.logs(places[row], at));
    }

    private void climb(double enough) {
        double damping = 1e-3;
        double cost = cost(theta);
        for (int step = 0; step < MOST_STEPS; step++) {
            Normal normal = normal();
            double before = cost;
            for (int i = 0; i < MOST_TRIES; i++) {
                double[] next = moved(Cholesky.of(normal.matrix(), damping).solve(normal.gradient()));
                double there = cost(next);
                if (there < cost) {
                    cost = there;
                    theta = next;
                    damping = Math.max(1e-7, damping / 5);
                    break;
                }
                damping *= 5;
            }
            if (before - cost <= enough * Math.max(1, cost)) {
                return;
            }
        }
    }

    private double[] moved(double[] step) {
        double longest = 0;
        for (double s : step) {
            longest = Math.max(longest, Math.abs(s));
        }
        double share = Math.min(1, MOST_MOVE / longest);
        double[] next = theta.clone();
        for (int i = 0; i < next.length; i++) {
            next[i] += share * step[i];
        }
        return next;
    }

    private double cost(double[] at) {
        double sum = 0;
        for (int i = 0; i < at.length; i++) {
            sum += 0.5 * prior[i] * at[i] * at[i];
        }
        for (int row = 0; row < measured.length; row++) {
            double z = Math.log(measured[row] / seconds(row, at)) / scale;
            sum += 0.5 * (FREEDOM + 1) * Math.log1p(z * z / FREEDOM);
        }
        return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum;
    }

    /** The matrix and the right side of a Gauss-Newton step; only a row's own three blocks of parameters move it. */
    private Normal normal() {
        int n = theta.length;
        double[][] matrix = new double[n][n];
        double[] gradient = new double[n];
        for (int i = 0; i < n; i++) {
            matrix[i][i] = prior[i];
            gradient[i] = -prior[i] * theta[i];
        }
        for (int row = 0; row < measured.length; row++) {
            Deployment d = deployments.get(row);
            double seconds = seconds(row, theta);
            double[] slopes = slopes(d, Levels.logs(places[row], theta), seconds);
            double residual = Math.log(measured[row] / seconds);
            double z = residual / scale;
            double weight = (FREEDOM + 1) / (FREEDOM + z * z) / (scale * scale);
            for (int first : places[row]) {
                for (int second : places[row]) {
                    add(matrix, first, second, weight, slopes);
                }
                for (int k = 0; first >= 0 && k < slopes.length; k++) {
                    gradient[first + k] += weight * slopes[k] * residual;
                }
            }
        }
        return new Normal(matrix, gradient);
    }

    private static void add(double[][] matrix, int first, int second, double weight, double[] slopes) {
        for (int i = 0; first >= 0 && second >= 0 && i < slopes.length; i++) {
            for (int j = 0; j < slopes.length; j++) {
                matrix[first + i][second + j] += weight * slopes[i] * slopes[j];
            }
        }
    }

    /** How the logarithm of TPOT moves with the logarithm of each constant, from {@code seconds} at {@code logs}. */
    static double[] slopes(Deployment d, double[] logs, double seconds) {
        double[] slopes = new double[logs.length];
        for (int k = 0; k < logs.length; k++) {
            double kept = logs[k];
            logs[k] = kept + DIFFERENCE;
            slopes[k] = Math.log(StepLaw.seconds(d, logs) / seconds) / DIFFERENCE;
            logs[k] = kept;
        }
        return slopes;
    }
}
