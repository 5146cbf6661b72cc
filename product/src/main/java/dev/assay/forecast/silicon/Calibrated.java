package dev.assay.forecast.silicon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A fit with intervals: the conformal quantile (Vovk et al. 2005) of errors on families left out in turn, each divided by
 * its difficulty, {@code sqrt(g^2 + v)}, where g is the usual error of its group, drawn towards that of all rows, and v what
 * the constants leave open there.
 */
public final class Calibrated {
    private static final int FOLDS = 6;
    /** Rows of a group that weigh as much as all rows do. */
    private static final double PRIOR_ROWS = 10;
    /** No single error counts for more in a group's usual one. */
    private static final double MOST_ERROR = 0.5;

    private final Fit fit;
    private final Map<String, double[]> errors;
    private final double usual;
    private final OptionalDouble quantile;

    private Calibrated(Fit fit, Map<String, double[]> errors, double usual, OptionalDouble quantile) {
        this.fit = fit;
        this.errors = errors;
        this.usual = usual;
        this.quantile = quantile;
    }

    /** One error on a family left out: the logarithm's size, and the variance that its fit left open. */
    private record Left(MeasuredRow row, double error, double open) {}

    /**
     * Calibrates on rows of at least two families, which are left out in at most six parts.
     *
     * @param level of the interval, in (0, 1)
     * @param random decides which families are left out together
     */
    public static Calibrated of(List<MeasuredRow> rows, double level, SplittableRandom random) {
        List<Left> left = new ArrayList<>();
        for (Set<String> out : folds(rows, FOLDS, random)) {
            Fit without = Fitter.fit(rows.stream().filter(r -> !out.contains(r.family())).toList());
            rows.stream().filter(r -> out.contains(r.family())).forEach(r -> left.add(new Left(r,
                    Math.abs(Math.log(r.tpotSeconds() / without.seconds(r.deployment()))),
                    without.openVariance(r.deployment()))));
        }
        Map<String, double[]> errors = new HashMap<>();
        double sum = 0;
        for (Left l : left) {
            double[] group = errors.computeIfAbsent(l.row().group(), g -> new double[2]);
            group[0] += Math.min(MOST_ERROR, l.error());
            group[1]++;
            sum += Math.min(MOST_ERROR, l.error());
        }
        double usual = sum / left.size();
        double[] scores = left.stream()
                .mapToDouble(l -> l.error() / difficulty(errors, usual, l.row().deployment(), l.open()))
                .sorted().toArray();
        int rank = (int) Math.ceil(level * (scores.length + 1));
        return new Calibrated(Fitter.fit(rows), errors, usual, rank > scores.length
                ? OptionalDouble.empty()
                : OptionalDouble.of(scores[rank - 1]));
    }

    /** The families of rows dealt at random into at most {@code most} parts. */
    static List<Set<String>> folds(List<MeasuredRow> rows, int most, SplittableRandom random) {
        String[] mixed = rows.stream().map(MeasuredRow::family).distinct().sorted().toArray(String[]::new);
        if (mixed.length < 2) {
            throw new IllegalArgumentException(
                    mixed.length + " families; expected at least 2 to leave some out");
        }
        for (int i = mixed.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            String kept = mixed[i];
            mixed[i] = mixed[j];
            mixed[j] = kept;
        }
        int count = Math.min(most, mixed.length);
        return IntStream.range(0, count).mapToObj(f -> IntStream.range(0, mixed.length)
                .filter(i -> i % count == f).mapToObj(i -> mixed[i]).collect(Collectors.toSet())).toList();
    }

    private static double difficulty(Map<String, double[]> errors, double usual, Deployment d, double open) {
        double[] group = errors.getOrDefault(d.group(), new double[2]);
        double own = (group[0] + PRIOR_ROWS * usual) / (group[1] + PRIOR_ROWS);
        return Math.sqrt(own * own + open);
    }

    /** The fit of all rows. */
    public Fit fit() {
        return fit;
    }

    /** TPOT in seconds. */
    public double seconds(Deployment d) {
        return fit.seconds(d);
    }

    /**
     * The interval's half-width as a logarithm: it reaches from {@code seconds / e^w} to {@code seconds * e^w}. Absent where
     * there were too few rows for its level.
     */
    public OptionalDouble halfWidth(Deployment d) {
        return quantile.isEmpty()
                ? quantile
                : OptionalDouble.of(quantile.getAsDouble()
                        * difficulty(errors, usual, d, fit.openVariance(d)));
    }
}
