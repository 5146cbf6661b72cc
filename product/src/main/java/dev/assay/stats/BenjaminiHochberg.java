package dev.assay.stats;

/** Benjamini and Hochberg's adjustment (1995): controls the expected share of false claims among those made. */
public final class BenjaminiHochberg {
    private BenjaminiHochberg() {}

    /** Adjusted p values in the order given. */
    public static double[] adjust(double... p) {
        Integer[] order = Holm.ascending(p);
        double[] adjusted = new double[p.length];
        double lowest = 1;
        for (int rank = p.length - 1; rank >= 0; rank--) {
            lowest = Math.min(lowest, p[order[rank]] * p.length / (rank + 1));
            adjusted[order[rank]] = lowest;
        }
        return adjusted;
    }
}
