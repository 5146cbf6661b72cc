package dev.assay.forecast;

import dev.assay.stats.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Collects the draws of both arms and turns them into estimates with intervals. */
final class DrawTable {
    private final Calibration calibration;
    private final int blocks;
    private final Map<String, List<Double>> baseline = new TreeMap<>();
    private final Map<String, List<Double>> candidate = new TreeMap<>();
    private final Map<String, List<Double>> ratio = new TreeMap<>();
    private int draws;

    DrawTable(Calibration calibration, int blocks) {
        this.calibration = calibration;
        this.blocks = blocks;
    }

    /** One draw: the metrics of each replay, in the same order in both arms. */
    void add(List<Map<String, Double>> base, List<Map<String, Double>> cand, SplittableRandom random) {
        draws++;
        TreeMap<String, Double> names = new TreeMap<>(base.getFirst());
        for (String name : names.keySet()) {
            double noise = calibration.noise().getOrDefault(name, 0.0);
            double shared = calibration.replayError().getOrDefault(name, 0.0) * random.nextGaussian();
            double armNoise = noise / Math.sqrt(2.0 * blocks);
            double b = armNoise * random.nextGaussian();
            double c = armNoise * random.nextGaussian();
            put(baseline, name, mean(base, name) * Math.exp(shared + b));
            put(candidate, name, mean(cand, name) * Math.exp(shared + c));
            put(ratio, name, Math.exp(meanLogRatio(base, cand, name) + c - b));
        }
    }

    private static double mean(List<Map<String, Double>> runs, String name) {
        double logs = 0;
        double sum = 0;
        for (Map<String, Double> run : runs) {
            double v = run.getOrDefault(name, Double.NaN);
            logs += Math.log(v);
            sum += v;
        }
        // A value of 0, such as no good request, has no logarithm: the plain mean stands in.
        return Double.isInfinite(logs) ? sum / runs.size() : Math.exp(logs / runs.size());
    }

    private static double meanLogRatio(List<Map<String, Double>> base, List<Map<String, Double>> cand,
            String name) {
        double sum = 0;
        for (int i = 0; i < base.size(); i++) {
            sum += Math.log(
                    cand.get(i).getOrDefault(name, Double.NaN) / base.get(i).getOrDefault(name, Double.NaN));
        }
        return sum / base.size();
    }

    private static void put(Map<String, List<Double>> into, String name, double value) {
        if (Double.isFinite(value)) {
            into.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
        }
    }

    /** The baseline's metrics at an interval level. */
    Map<String, Quantity> baseline(double level) {
        return quantities(baseline, level, true);
    }

    /** The candidate's metrics. */
    Map<String, Quantity> candidate(double level) {
        return quantities(candidate, level, true);
    }

    /** Candidate over baseline; a ratio that is undefined in half of the draws or more is absent. */
    Map<String, Quantity> ratio(double level) {
        return quantities(ratio, level, false);
    }

    private Map<String, Quantity> quantities(Map<String, List<Double>> values, double level, boolean arm) {
        Map<String, Quantity> quantities = new TreeMap<>();
        values.forEach((name, list) -> {
            if (2 * list.size() > draws) {
                boolean share = arm && name.equals(MetricNames.GOOD_FRACTION);
                double[] v = list.stream().mapToDouble(x -> share ? Math.min(1, x) : x).toArray();
                quantities.put(name,
                        new Quantity(Quantiles.type7(v, 0.5), Quantiles.type7(v, (1 - level) / 2),
                                Quantiles.type7(v, (1 + level) / 2)));
            }
        });
        return quantities;
    }
}
