package dev.assay.forecast;

import dev.assay.model.ModelShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/**
 * What a forecast says beyond its tables, computed from it and its calibration alone: the knee of both arms and where
 * the sign of the effect turns, over load points, rows and lengths. Stored predictions need nothing more for it.
 *
 * @param baselineKneeRows decode rows at which compute takes as long as streaming the weights; absent where rows are
 *     free or the fit finds no cost of streaming
 * @param candidateKneeRows the same of the candidate, in sequences where tokens are drafted
 * @param rowsFlip the fewest running sequences at which the sign of the change of a decode step's time by token differs
 *     from that at one; absent where it does not up to the candidate's cap or where no step changes
 * @param lengthRows running sequences at which lengths are compared: the baseline's mean at its highest load
 * @param lengthFlip the fewest tokens of context at which that sign differs from the one at a single token; absent where
 *     it does not up to the model's longest context or where no step changes
 * @param longest the model's longest context, in tokens
 * @param signs one for each metric of a client whose interval excludes 1 somewhere
 */
public record ForecastReading(OptionalDouble baselineKneeRows, OptionalDouble candidateKneeRows,
        OptionalInt rowsFlip, int lengthRows, OptionalInt lengthFlip, int longest, List<Sign> signs) {
    /** A step that changes by less than this does not change. */
    private static final double SAME = 1e-3;

    public ForecastReading {
        signs = List.copyOf(signs);
    }

    /** The first and last load point at which an interval lies wholly on one side of 1. */
    public record Span(double first, double last) {}

    /**
     * On which side of 1 a metric's ratio lies, by load point.
     *
     * @param metric its name
     * @param above load points with the whole interval above 1
     * @param below load points with the whole interval below 1
     */
    public record Sign(String metric, Optional<Span> above, Optional<Span> below) {
        /** Whether the effect turns over the load points, intervals included. */
        public boolean flips() {
            return above.isPresent() && below.isPresent();
        }
    }

    /** The reading of a forecast made for these arms. */
    public static ForecastReading of(ModelShape shape, EngineSettings baseline, EngineSettings candidate,
            Calibration calibration, LocalMeasurements measured, Forecast forecast) {
        CostModel before = cost(shape, baseline, baseline, calibration, measured);
        CostModel after = cost(shape, baseline, candidate, calibration, measured);
        List<Sign> signs = new ArrayList<>();
        for (String metric : MetricNames.CLIENT) {
            Sign sign = sign(metric, forecast.points());
            if (sign.above().isPresent() || sign.below().isPresent()) {
                signs.add(sign);
            }
        }
        int most = Math.max(baseline.maxNumSeqs(), candidate.maxNumSeqs());
        double context = context(shape, baseline, forecast);
        int rows = lengthRows(forecast);
        return new ForecastReading(knee(before), knee(after),
                flip(before, after, most, n -> n, n -> n * context),
                rows, flip(before, after, shape.contextLength(), _ -> rows, n -> (double) rows * n),
                shape.contextLength(), signs);
    }

    private static CostModel cost(ModelShape shape, EngineSettings baseline, EngineSettings arm,
            Calibration c,
            LocalMeasurements measured) {
        return CostModel.of(shape, baseline, arm, c.constants(),
                CostModel.Variation.none(c.region().maxDecodeRows()),
                Effects.of(baseline, arm, measured, Effects.Deviates.CENTRAL));
    }

    private static OptionalDouble knee(CostModel cost) {
        double rows = cost.kneeRows();
        return rows > 0 && Double.isFinite(rows) ? OptionalDouble.of(rows) : OptionalDouble.empty();
    }

    /** Tokens that a row attends in the mean, from the forecast of the baseline at its first load point. */
    private static double context(ModelShape shape, EngineSettings baseline, Forecast forecast) {
        if (forecast.points().isEmpty()) {
            return 0;
        }
        var values = forecast.points().getFirst().baseline();
        Quantity bytes = values.get(MetricNames.KV_BYTES);
        Quantity rows = values.get(MetricNames.DECODE_ROWS);
        return bytes == null || rows == null || rows.estimate() <= 0
                ? 0
                : bytes.estimate() / rows.estimate() / new StepArithmetic(shape, baseline).kvBytesPerToken();
    }

    /** The baseline's mean decode rows at its highest load. */
    private static int lengthRows(Forecast forecast) {
        if (forecast.points().isEmpty()) {
            return 1;
        }
        Quantity rows = forecast.points().getLast().baseline().get(MetricNames.DECODE_ROWS);
        return rows == null ? 1 : (int) Math.max(1, Math.round(rows.estimate()));
    }

    /** The least n, up to {@code most}, at which the sign of the change of a decode step differs from the first one. */
    static OptionalInt flip(CostModel before, CostModel after, int most, IntUnaryOperator rows,
            IntToDoubleFunction tokens) {
        double first = 0;
        for (int n = 1; n <= most; n++) {
            int r = rows.applyAsInt(n);
            double log = Math.log(after.plainNanos(r, tokens.applyAsDouble(n))
                    / before.plainNanos(r, tokens.applyAsDouble(n)));
            if (Math.abs(log) < SAME) {
                continue;
            }
            if (first == 0) {
                first = log;
            } else if (first * log < 0) {
                return OptionalInt.of(n);
            }
        }
        return OptionalInt.empty();
    }

    private static Sign sign(String metric, List<PointForecast> points) {
        List<Double> above = new ArrayList<>();
        List<Double> below = new ArrayList<>();
        for (PointForecast p : points) {
            Optional.ofNullable(p.ratio().get(metric)).ifPresent(q -> {
                if (q.low() > 1) {
                    above.add(p.offeredRps());
                } else if (q.high() < 1) {
                    below.add(p.offeredRps());
                }
            });
        }
        return new Sign(metric, span(above), span(below));
    }

    private static Optional<Span> span(List<Double> rates) {
        return rates.isEmpty()
                ? Optional.empty()
                : Optional.of(new Span(rates.getFirst(), rates.getLast()));
    }
}
