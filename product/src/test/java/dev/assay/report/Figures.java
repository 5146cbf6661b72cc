package dev.assay.report;

import dev.assay.forecast.Limiter;
import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.PointForecast;
import dev.assay.forecast.Quantity;
import dev.assay.review.Analysis.ArmValue;
import dev.assay.review.Analysis.MetricResult;
import dev.assay.review.Analysis.PointResult;
import dev.assay.review.Analysis.RatioResult;
import dev.assay.review.Expectation.Band;
import dev.assay.review.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The figures of a made-up change of the batch cap from 8 to 32: written by hand, in the shape of a real review. */
final class Figures {
    static final List<Double> LOADS = List.of(2.0, 4.0, 8.0, 12.5);

    /** Baseline, ratio and predicted ratio by load; widths are those of the logarithms' intervals. */
    private record Row(Metric metric, double[] baseline, double[] ratio, double[] predicted, double seenWidth,
            double predictedWidth) {}

    private static final List<Row> ROWS = List.of(
            row(Metric.TTFT_P50_MS, 0.06, 0.09, 21.4, 24.9, 88.2, 1840, 1.004, 0.982, 0.611, 0.428, 1, 0.96,
                    0.55, 0.31),
            row(Metric.TTFT_P95_MS, 0.10, 0.15, 38.1, 61.0, 402, 3920, 1.010, 0.961, 0.574, 0.467, 1, 0.93,
                    0.5, 0.35),
            row(Metric.TPOT_P50_MS, 0.012, 0.03, 3.41, 4.02, 6.87, 7.11, 1.003, 1.021, 1.312, 2.236, 1, 1.02,
                    1.26, 1.79),
            row(Metric.TPOT_P95_MS, 0.02, 0.05, 4.90, 6.33, 8.95, 9.12, 1.006, 1.034, 1.371, 2.402, 1, 1.03,
                    1.3, 1.9),
            row(Metric.OUTPUT_TOKENS_PER_S, 0.008, 0.02, 79.8, 159, 312, 377, 1.001, 0.999, 1.009, 1.061, 1,
                    1, 1.01, 1.17),
            row(Metric.GOODPUT_RPS, 0.011, 0.03, 1.98, 3.91, 7.02, 3.36, 1.002, 1.004, 1.043, 0.861, 1, 1,
                    1.06, 1.21),
            row(Metric.DECODE_ROWS_PER_STEP, 0.01, 0.06, 1.62, 2.81, 6.02, 7.74, 1.001, 1.012, 1.402, 2.711,
                    1, 1.02, 1.36, 2.42),
            row(Metric.STEP_TIME_MS, 0.012, 0.04, 3.32, 3.88, 6.51, 6.80, 1.002, 1.018, 1.294, 2.183, 1, 1.02,
                    1.25, 1.77),
            row(Metric.RESIDENT_WEIGHT_BYTES, 0, 0, 72.4e6, 72.4e6, 72.4e6, 72.4e6, 1, 1, 1, 1, 1, 1, 1, 1),
            row(Metric.KV_CACHE_USAGE_PEAK, 0.03, 0.1, 0.021, 0.034, 0.071, 0.089, 1.01, 1.02, 1.39, 2.6, 1,
                    1, 1.36, 2.4));

    private Figures() {}

    private static Row row(Metric metric, double seen, double predicted, double... v) {
        return new Row(metric, new double[]{v[0], v[1], v[2], v[3]}, new double[]{v[4], v[5], v[6], v[7]},
                new double[]{v[8], v[9], v[10], v[11]}, seen, predicted);
    }

    /** The measured load points; {@code blocks} below 6 give wide intervals and no joint one. */
    static List<PointResult> points(int blocks) {
        List<PointResult> points = new ArrayList<>();
        for (int i = 0; i < LOADS.size(); i++) {
            int at = i;
            points.add(new PointResult(LOADS.get(i), blocks,
                    ROWS.stream().map(r -> metric(r, at, blocks)).toList(),
                    Optional.of(limiter(i, false)), Optional.of(limiter(i, true))));
        }
        return points;
    }

    private static MetricResult metric(Row row, int i, int blocks) {
        double width = row.seenWidth() * (1 + 0.3 * i) * (blocks < 6 ? 9 : 1);
        double base = row.baseline()[i];
        double ratio = row.ratio()[i];
        return new MetricResult(row.metric().id(), Optional.of(arm(base, width, blocks)),
                Optional.of(arm(base * ratio, width, blocks)), Optional.of(ratio(ratio, width, blocks)), "");
    }

    private static ArmValue arm(double mean, double width, int blocks) {
        return new ArmValue(mean, Optional.of(mean * Math.exp(-width)), Optional.of(mean * Math.exp(width)),
                blocks);
    }

    private static RatioResult ratio(double ratio, double width, int blocks) {
        double joint = width * 1.45;
        boolean full = blocks >= 6;
        double z = width == 0 ? 0 : Math.abs(Math.log(ratio)) / width * 2.57;
        double p = Math.min(1, Math.exp(-1.17 * z));
        return new RatioResult(ratio, Optional.of(ratio * Math.exp(-width)),
                Optional.of(ratio * Math.exp(width)),
                full ? Optional.of(ratio * Math.exp(-joint)) : Optional.empty(),
                full ? Optional.of(ratio * Math.exp(joint)) : Optional.empty(), Optional.of(p),
                full ? Optional.of(Math.min(1, 4 * p)) : Optional.empty(), Math.pow(2, 1 - blocks),
                Math.pow(2, 1 - blocks), blocks);
    }

    /** The forecast at each load point. */
    static List<PointForecast> forecast() {
        List<PointForecast> points = new ArrayList<>();
        for (int i = 0; i < LOADS.size(); i++) {
            Map<String, Quantity> baseline = new LinkedHashMap<>();
            Map<String, Quantity> candidate = new LinkedHashMap<>();
            Map<String, Quantity> ratio = new LinkedHashMap<>();
            Map<String, Double> detection = new LinkedHashMap<>();
            for (Row row : ROWS) {
                double width = row.predictedWidth() * (1 + 0.6 * i);
                double base = row.baseline()[i] * 1.03;
                baseline.put(row.metric().id(), quantity(base, width));
                candidate.put(row.metric().id(), quantity(base * row.predicted()[i], width));
                ratio.put(row.metric().id(), quantity(row.predicted()[i], width));
                detection.put(row.metric().id(), row.seenWidth() * 1.6);
            }
            points.add(new PointForecast(LOADS.get(i), baseline, candidate, ratio, limiter(i, false),
                    i == 3
                            ? new LimiterForecast(Limiter.BATCH_SLOTS, 0.55, Limiter.COMPUTE, 0.38)
                            : limiter(i, true),
                    detection));
        }
        return points;
    }

    /** The bands that a claim on a metric is sealed with. */
    static List<Band> bands(Metric metric) {
        return forecast().stream().map(p -> {
            Quantity q = Objects.requireNonNull(p.ratio().get(metric.id()));
            return new Band(p.offeredRps(), q.low(), q.estimate(), q.high(),
                    p.detectionLimit().getOrDefault(metric.id(), 0.0));
        }).toList();
    }

    private static Quantity quantity(double value, double width) {
        return new Quantity(value, value * Math.exp(-width), value * Math.exp(width));
    }

    private static LimiterForecast limiter(int point, boolean candidate) {
        return switch (point) {
            case 0 -> new LimiterForecast(Limiter.ARRIVALS, 0.71, Limiter.WEIGHT_BANDWIDTH, 0.62);
            case 1 -> new LimiterForecast(Limiter.ARRIVALS, 0.46, Limiter.WEIGHT_BANDWIDTH, 0.57);
            case 2 -> candidate
                    ? new LimiterForecast(Limiter.COMPUTE, 0.58, Limiter.WEIGHT_BANDWIDTH, 0.33)
                    : new LimiterForecast(Limiter.BATCH_SLOTS, 0.34, Limiter.COMPUTE, 0.49);
            default -> candidate
                    ? new LimiterForecast(Limiter.COMPUTE, 0.74, Limiter.WEIGHT_BANDWIDTH, 0.19)
                    : new LimiterForecast(Limiter.BATCH_SLOTS, 0.97, Limiter.COMPUTE, 0.53);
        };
    }
}
