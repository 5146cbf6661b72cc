package dev.assay.stats;

/** The least-squares fit of a sequence that may only fall, by pooling adjacent violators (Ayer et al. 1955). */
public final class Isotonic {
    private Isotonic() {}

    /**
     * The fit of {@code values} with {@code weights} above 0, one value for each.
     */
    public static double[] falling(double[] values, double[] weights) {
        if (values.length != weights.length) {
            throw new IllegalArgumentException(
                    weights.length + " weights: expected one per value, " + values.length);
        }
        int n = values.length;
        double[] level = new double[n];
        double[] weight = new double[n];
        int[] size = new int[n];
        int blocks = 0;
        for (int i = 0; i < n; i++) {
            Levels.requirePositive("weight", weights[i]);
            level[blocks] = values[i];
            weight[blocks] = weights[i];
            size[blocks] = 1;
            blocks++;
            while (blocks > 1 && level[blocks - 2] < level[blocks - 1]) {
                blocks--;
                double together = weight[blocks - 1] + weight[blocks];
                level[blocks - 1] = (level[blocks - 1] * weight[blocks - 1] + level[blocks] * weight[blocks])
                        / together;
                weight[blocks - 1] = together;
                size[blocks - 1] += size[blocks];
            }
        }
        double[] fit = new double[n];
        int at = 0;
        for (int b = 0; b < blocks; b++) {
            for (int i = 0; i < size[b]; i++) {
                fit[at++] = level[b];
            }
        }
        return fit;
    }
}
