package dev.assay.stats;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * A weighted linear fit {@code y = X b}: coefficients, their covariance and the residual spread.
 *
 * @param coefficients one per column of X
 * @param covariance of the coefficients, {@code s^2 (X'WX)^-1}; zero rows and columns for coefficients held at zero;
 *     empty without degrees of freedom
 * @param residualSd square root of the weighted residual sum of squares over {@code df}; absent without degrees of freedom
 * @param df rows less free coefficients
 * @param held columns whose coefficient a non-negative fit holds at zero
 */
public record LeastSquares(List<Double> coefficients, List<List<Double>> covariance,
        OptionalDouble residualSd, int df,
        List<Integer> held) {
    private static final double RANK_TOLERANCE = 1e-11;
    private static final double GRADIENT_TOLERANCE = 1e-10;
    private static final int ROUNDS_PER_COLUMN = 30;

    public LeastSquares {
        coefficients = List.copyOf(coefficients);
        covariance = covariance.stream().map(List::copyOf).toList();
        held = List.copyOf(held);
    }

    /** The unconstrained fit. Rows must be at least as many as columns and the columns independent. */
    public static LeastSquares fit(double[][] x, double[] y, double[] weights) {
        check(x, y, weights);
        boolean[] free = new boolean[x[0].length];
        Arrays.fill(free, true);
        return result(x, y, weights, free);
    }

    /**
     * The fit with no coefficient below zero (Lawson and Hanson 1974, chapter 23): for physical costs that cannot be
     * negative. Its covariance takes the held coefficients as known, so it is too small near the bound.
     */
    public static LeastSquares fitNonNegative(double[][] x, double[] y, double[] weights) {
        check(x, y, weights);
        int columns = x[0].length;
        boolean[] free = new boolean[columns];
        double[] b = new double[columns];
        for (int round = 0; round < ROUNDS_PER_COLUMN * columns; round++) {
            int enter = steepest(x, y, weights, b, free);
            if (enter < 0) {
                return result(x, y, weights, free);
            }
            free[enter] = true;
            b = retreat(x, y, weights, b, free);
        }
        throw new IllegalArgumentException(
                "non-negative fit of " + columns + " columns: expected it to converge");
    }

    /** The prediction {@code row b}. */
    public double predict(double... row) {
        double sum = 0;
        for (int j = 0; j < row.length; j++) {
            sum += row[j] * coefficients.get(j);
        }
        return sum;
    }

    /** The standard error of {@link #predict}, without the residual of a new value; absent without a covariance. */
    public OptionalDouble predictionError(double... row) {
        if (covariance.isEmpty()) {
            return OptionalDouble.empty();
        }
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            for (int j = 0; j < row.length; j++) {
                sum += row[i] * covariance.get(i).get(j) * row[j];
            }
        }
        return OptionalDouble.of(Math.sqrt(Math.max(0, sum)));
    }

    /** The held column along which the residual falls fastest, or -1 where none does beyond rounding. */
    private static int steepest(double[][] x, double[] y, double[] weights, double[] b, boolean[] free) {
        int best = -1;
        double highest = GRADIENT_TOLERANCE;
        for (int j = 0; j < b.length; j++) {
            double gradient = 0;
            double norm = 0;
            double scale = 0;
            for (int i = 0; i < y.length; i++) {
                gradient += weights[i] * x[i][j] * (y[i] - dot(x[i], b));
                norm += weights[i] * x[i][j] * x[i][j];
                scale += weights[i] * y[i] * y[i];
            }
            double cosine = norm == 0 || scale == 0 ? 0 : gradient / Math.sqrt(norm * scale);
            if (!free[j] && cosine > highest) {
                highest = cosine;
                best = j;
            }
        }
        return best;
    }

    /** Moves towards the fit of the free columns as far as none turns negative, holding those that reach zero. */
    private static double[] retreat(double[][] x, double[] y, double[] weights, double[] from,
            boolean[] free) {
        double[] b = from.clone();
        while (true) {
            double[] goal = expand(new Qr(x, weights, free).solve(y), free);
            double step = 1;
            for (int j = 0; j < b.length; j++) {
                if (free[j] && goal[j] <= 0) {
                    step = Math.min(step, b[j] / (b[j] - goal[j]));
                }
            }
            boolean feasible = true;
            for (int j = 0; j < b.length; j++) {
                boolean blocking = free[j] && goal[j] <= 0 && b[j] / (b[j] - goal[j]) <= step;
                b[j] = blocking ? 0 : b[j] + step * (goal[j] - b[j]);
                free[j] = free[j] && !blocking;
                feasible &= !blocking;
            }
            if (feasible) {
                return goal;
            }
        }
    }

    private static LeastSquares result(double[][] x, double[] y, double[] weights, boolean[] free) {
        Qr qr = new Qr(x, weights, free);
        double[] b = expand(qr.solve(y), free);
        double rss = 0;
        for (int i = 0; i < y.length; i++) {
            double residual = y[i] - dot(x[i], b);
            rss += weights[i] * residual * residual;
        }
        int df = y.length - qr.columns();
        double[][] inverse = qr.inverseGram();
        double variance = df > 0 ? rss / df : Double.NaN;
        List<List<Double>> covariance = df > 0 ? covariance(inverse, variance, free) : List.of();
        return new LeastSquares(DoubleStream.of(b).boxed().toList(), covariance,
                df > 0 ? OptionalDouble.of(Math.sqrt(variance)) : OptionalDouble.empty(), df, held(free));
    }

    private static List<List<Double>> covariance(double[][] inverse, double variance, boolean[] free) {
        double[][] full = new double[free.length][free.length];
        for (int i = 0, a = 0; i < free.length; i++) {
            for (int j = 0, c = 0; free[i] && j < free.length; j++) {
                full[i][j] = free[j] ? variance * inverse[a][c++] : 0;
            }
            a += free[i] ? 1 : 0;
        }
        return Arrays.stream(full).map(row -> DoubleStream.of(row).boxed().toList()).toList();
    }

    private static List<Integer> held(boolean[] free) {
        return java.util.stream.IntStream.range(0, free.length).filter(j -> !free[j]).boxed().toList();
    }

    private static double[] expand(double[] compact, boolean[] free) {
        double[] full = new double[free.length];
        for (int j = 0, c = 0; j < free.length; j++) {
            full[j] = free[j] ? compact[c++] : 0;
        }
        return full;
    }

    private static double dot(double[] row, double[] b) {
        double sum = 0;
        for (int j = 0; j < b.length; j++) {
            sum += row[j] * b[j];
        }
        return sum;
    }

    private static void check(double[][] x, double[] y, double[] weights) {
        if (x.length == 0 || x[0].length == 0 || x.length != y.length || x.length != weights.length) {
            throw new IllegalArgumentException(x.length + " rows, " + y.length + " values, " + weights.length
                    + " weights: expected the same number, at least 1");
        }
        for (int i = 0; i < x.length; i++) {
            if (x[i].length != x[0].length || !DoubleStream.of(x[i]).allMatch(Double::isFinite)) {
                throw new IllegalArgumentException(
                        "row " + i + ": expected " + x[0].length + " finite numbers");
            }
            if (!Double.isFinite(y[i])) {
                throw new IllegalArgumentException(
                        "value " + i + " is " + y[i] + ": expected a finite number");
            }
            Levels.requirePositive("weight " + i, weights[i]);
        }
    }

    /** Householder triangularisation of the weighted free columns, each scaled to length one. */
    private static final class Qr {
        private final double[][] a;
        private final double[] scale;
        private final double[] diagonal;
        private final double[] rootWeights;

        Qr(double[][] x, double[] weights, boolean[] free) {
            int columns = 0;
            for (boolean f : free) {
                columns += f ? 1 : 0;
            }
            if (x.length < columns) {
                throw new IllegalArgumentException(x.length + " rows: expected at least " + columns);
            }
            rootWeights = DoubleStream.of(weights).map(Math::sqrt).toArray();
            a = new double[x.length][columns];
            scale = new double[columns];
            diagonal = new double[columns];
            for (int i = 0; i < x.length; i++) {
                for (int j = 0, c = 0; j < free.length; j++) {
                    if (free[j]) {
                        a[i][c++] = rootWeights[i] * x[i][j];
                    }
                }
            }
            for (int c = 0; c < columns; c++) {
                triangularise(c);
            }
        }

        int columns() {
            return scale.length;
        }

        /** Column c arrives with all earlier reflections still to be applied, so that its own length is known first. */
        private void triangularise(int c) {
            scale[c] = norm(c, 0);
            for (int i = 0; i < a.length && scale[c] > 0; i++) {
                a[i][c] /= scale[c];
            }
            for (int k = 0; k < c; k++) {
                double s = 0;
                for (int i = k; i < a.length; i++) {
                    s += a[i][k] * a[i][c];
                }
                for (int i = k; i < a.length; i++) {
                    a[i][c] -= 2 * s * a[i][k];
                }
            }
            double rest = norm(c, c);
            if (rest < RANK_TOLERANCE) {
                throw new IllegalArgumentException(
                        "free column " + c + " of the fit: expected it to be independent of"
                                + " those before it");
            }
            diagonal[c] = a[c][c] > 0 ? -rest : rest;
            double head = a[c][c] - diagonal[c];
            double length = Math.sqrt(head * head + Math.max(0, rest * rest - a[c][c] * a[c][c]));
            // The reflector's head overwrites the diagonal, which is kept apart.
            a[c][c] = head;
            for (int i = c; i < a.length; i++) {
                a[i][c] /= length;
            }
        }

        private double norm(int column, int from) {
            double sum = 0;
            for (int i = from; i < a.length; i++) {
                sum += a[i][column] * a[i][column];
            }
            return Math.sqrt(sum);
        }

        double[] solve(double[] y) {
            double[] r = new double[y.length];
            for (int i = 0; i < y.length; i++) {
                r[i] = rootWeights[i] * y[i];
            }
            for (int k = 0; k < scale.length; k++) {
                double s = 0;
                for (int i = k; i < r.length; i++) {
                    s += a[i][k] * r[i];
                }
                for (int i = k; i < r.length; i++) {
                    r[i] -= 2 * s * a[i][k];
                }
            }
            return backSubstitute(r);
        }

        private double[] backSubstitute(double[] r) {
            double[] b = new double[scale.length];
            for (int c = scale.length - 1; c >= 0; c--) {
                double sum = r[c];
                for (int j = c + 1; j < scale.length; j++) {
                    sum -= a[c][j] * b[j];
                }
                b[c] = sum / diagonal[c];
            }
            for (int c = 0; c < b.length; c++) {
                b[c] /= scale[c];
            }
            return b;
        }

        /** {@code (X'WX)^-1 = R^-1 R^-T}, from the columns of {@code R^-1}. */
        double[][] inverseGram() {
            int n = scale.length;
            double[][] columns = new double[n][];
            for (int c = 0; c < n; c++) {
                double[] unit = new double[n];
                unit[c] = 1;
                columns[c] = backSubstitute(unit);
            }
            double[][] gram = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    for (int c = 0; c < n; c++) {
                        gram[i][j] += columns[c][i] * columns[c][j];
                    }
                }
            }
            return gram;
        }
    }
}
