package dev.assay.stats;

/** The factor L of a symmetric positive definite matrix, {@code A = L L'}. */
public final class Cholesky {
    private final double[][] factor;

    private Cholesky(double[][] factor) {
        this.factor = factor;
    }

    /**
     * The factor of {@code a}, whose lower triangle is read, with its diagonal multiplied by {@code 1 + damping}.
     *
     * @throws IllegalArgumentException where the matrix is not positive definite
     */
    public static Cholesky of(double[][] a, double damping) {
        int n = a.length;
        double[][] l = new double[n][];
        for (int i = 0; i < n; i++) {
            l[i] = new double[i + 1];
            for (int j = 0; j <= i; j++) {
                double sum = a[i][j] * (i == j ? 1 + damping : 1);
                for (int k = 0; k < j; k++) {
                    sum -= l[i][k] * l[j][k];
                }
                if (i == j && !(sum > 0)) {
                    throw new IllegalArgumentException(
                            "pivot " + i + " is " + sum + "; expected more than 0");
                }
                l[i][j] = i == j ? Math.sqrt(sum) : sum / l[j][j];
            }
        }
        return new Cholesky(l);
    }

    /** The solution of {@code A x = b}. */
    public double[] solve(double[] b) {
        double[] x = forward(b);
        for (int i = x.length - 1; i >= 0; i--) {
            x[i] /= factor[i][i];
            for (int k = 0; k < i; k++) {
                x[k] -= factor[i][k] * x[i];
            }
        }
        return x;
    }

    /** The quadratic form {@code b' A^-1 b}: a variance, where A is a precision matrix. */
    public double inverseForm(double[] b) {
        double sum = 0;
        for (double v : forward(b)) {
            sum += v * v;
        }
        return sum;
    }

    private double[] forward(double[] b) {
        double[] x = b.clone();
        for (int i = 0; i < x.length; i++) {
            for (int k = 0; k < i; k++) {
                x[i] -= factor[i][k] * x[k];
            }
            x[i] /= factor[i][i];
        }
        return x;
    }
}
