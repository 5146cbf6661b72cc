package dev.assay.forecast;

import dev.assay.stats.LeastSquares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Fits the step law to observed steps.
 *
 * <p>Steps are gathered into bins of like rows, prompts and context within each stretch of time, and a bin is
 * represented by its median, so that stalls of client or server do not pull the fit. The fit minimises relative errors
 * with no constant below zero. Streaming that overlaps compute shows as a flat start of the law; each row count at which
 * it may end is tried, and the best is kept only where it fits clearly better than the plain sum. Weak prior rows (each
 * worth one bin) say "a prompt token costs as much as a decode row" and "KV costs nothing", and decide only what the
 * data cannot. Uncertainty is a Bayesian bootstrap over the stretches of time (Rubin 1981).
 */
final class StepFit {
    /** Rows at which the flat start may end; 0 stands for no flat start. */
    private static final double[] KNEES = {0, 1.5, 2, 3, 4, 5, 6, 8, 12, 16};
    /** A knee has to lower the sum of squares below this share of the plain sum's to be believed. */
    private static final double KNEE_GAIN = 0.9;
    private static final int KNEE_ROUNDS = 4;
    /** The rounds end when the prompts' relative cost changes by less than this. */
    private static final double SETTLED = 0.02;
    private static final int ROBUST_ROUNDS = 4;
    private static final double HUBER = 1.5;
    static final double MAX_BIN_WEIGHT = 40;
    private static final double PRIOR_WEIGHT = 1;
    /** Where the plain sum fits, the constant is split between weights and overhead: the weights' share lies here. */
    static final double WEIGHT_PART_LOW = 0.1;
    static final double WEIGHT_PART_HIGH = 1;

    private record BinKey(int stretch, int rows, int prompts, int context) {}

    /** The median step of a bin. */
    record Bin(int stretch, double nanos, double rows, double prefillFlops, double kvTokens, int count) {}

    /** A fit with the sum of weighted squared relative errors. */
    record Fitted(StepConstants constants, double knee, double squares) {}

    private final StepArithmetic arithmetic;
    private final List<Bin> bins;
    private final double[] robust;
    /** Knees that are tried: all at first, then the believed one and its neighbours. */
    private double[] knees = KNEES;

    StepFit(StepArithmetic arithmetic, List<Bin> bins) {
        this.arithmetic = arithmetic;
        this.bins = bins;
        this.robust = new double[bins.size()];
        Arrays.fill(robust, 1);
    }

    /** Bins of the steps of one stretch of time. */
    static List<Bin> bins(int stretch, List<StepTimeline.Step> steps) {
        Map<BinKey, List<StepTimeline.Step>> groups = new HashMap<>();
        for (StepTimeline.Step s : steps) {
            int prompts = s.promptTokens() == 0 ? -1 : (int) (2 * log2((double) s.promptTokens()));
            int context = s.decodeRows() == 0 ? 0 : (int) (2 * log2(s.kvTokens() / (double) s.decodeRows()));
            groups.computeIfAbsent(new BinKey(stretch, s.decodeRows(), prompts, context),
                    _ -> new ArrayList<>())
                    .add(s);
        }
        List<Bin> bins = new ArrayList<>();
        groups.forEach((k, g) -> bins.add(new Bin(k.stretch(), median(g), k.rows(),
                g.stream().mapToDouble(StepTimeline.Step::prefillFlops).average().orElse(0),
                g.stream().mapToDouble(StepTimeline.Step::kvTokens).average().orElse(0), g.size())));
        // A map's order must not reach the results.
        bins.sort(java.util.Comparator.comparingDouble(Bin::rows).thenComparingDouble(Bin::prefillFlops)
                .thenComparingDouble(Bin::kvTokens));
        return bins;
    }

    /** The central fit; sets the robust weights and the choice of knees that the bootstrap then keeps. */
    Fitted central() {
        double[] ones = new double[bins.size()];
        Arrays.fill(ones, 1);
        Fitted fit = best(ones);
        for (int round = 0; round < ROBUST_ROUNDS; round++) {
            double scale = spread(fit.constants());
            for (int i = 0; i < bins.size(); i++) {
                double z = Math.abs(relativeError(fit.constants(), bins.get(i)))
                        / Math.max(1e-9, HUBER * scale);
                robust[i] = z <= 1 ? 1 : 1 / z;
            }
            fit = best(ones);
        }
        int at = Arrays.binarySearch(KNEES, fit.knee());
        knees = Arrays.copyOfRange(KNEES, Math.max(0, at - 1), Math.min(KNEES.length, at + 2));
        return fit;
    }

    /** One draw of the constants from the fit's uncertainty. */
    StepConstants draw(SplittableRandom random, int stretches) {
        double[] byStretch = new double[stretches];
        for (int s = 0; s < stretches; s++) {
            byStretch[s] = Math.max(1e-3, -Math.log(1 - random.nextDouble()));
        }
        double[] weights = bins.stream().mapToDouble(b -> byStretch[b.stretch()]).toArray();
        Fitted fit = best(weights);
        return fit.knee() > 0
                ? fit.constants()
                : splitConstant(fit.constants(), random.nextDouble(WEIGHT_PART_LOW, WEIGHT_PART_HIGH));
    }

    /** The same law with {@code share} of its constant put down to the weights. */
    static StepConstants splitConstant(StepConstants c, double share) {
        double constant = c.overheadNanos() + c.weightNanos();
        return new StepConstants(constant * (1 - share), constant * share, c.decodeNanosPerFlop(),
                c.prefillNanosPerFlop(), c.kvNanosPerByte(), false);
    }

    /** Robust standard deviation of the bins' relative errors (1.4826 x median absolute error). */
    double spread(StepConstants constants) {
        double[] errors = bins.stream().mapToDouble(b -> Math.abs(relativeError(constants, b))).sorted()
                .toArray();
        return 1.4826 * errors[errors.length / 2];
    }

    double relativeError(StepConstants c, Bin b) {
        return b.nanos() / nanos(c, b.rows(), b.prefillFlops(), b.kvTokens()) - 1;
    }

    double nanos(StepConstants c, double rows, double prefillFlops, double kvTokens) {
        double compute = rows * arithmetic.decodeFlops() * c.decodeNanosPerFlop()
                + prefillFlops * c.prefillNanosPerFlop();
        return c.overheadNanos() + c.combine(c.weightNanos(), compute)
                + kvTokens * arithmetic.kvBytesPerToken() * c.kvNanosPerByte();
    }

    private Fitted best(double[] weights) {
        double maxRows = bins.stream().mapToDouble(Bin::rows).max().orElse(0);
        Fitted plain = solve(weights, 0);
        Fitted best = plain;
        for (double knee : knees) {
            if (knee > 0 && knee < maxRows) {
                Fitted fit = solve(weights, knee);
                best = fit.squares() < best.squares() ? fit : best;
            }
        }
        return best.squares() < KNEE_GAIN * plain.squares() ? best : plain;
    }

    /**
     * With a knee at {@code knee} rows the law is linear once it is known which bins lie on the flat part, which the
     * prompts' relative cost decides: a few rounds settle it.
     */
    private Fitted solve(double[] weights, double knee) {
        double flat = knee * arithmetic.decodeFlops();
        double promptCost = 1;
        Fitted fit = new Fitted(new StepConstants(0, 0, 0, 0, 0, false), knee, Double.POSITIVE_INFINITY);
        for (int round = 0; round < (knee > 0 ? KNEE_ROUNDS : 1); round++) {
            fit = linear(weights, knee, flat, promptCost);
            StepConstants c = fit.constants();
            double cost = c.decodeNanosPerFlop() > 0
                    ? c.prefillNanosPerFlop() / c.decodeNanosPerFlop()
                    : promptCost;
            if (Math.abs(cost / promptCost - 1) < SETTLED) {
                break;
            }
            promptCost = cost;
        }
        return fit;
    }

    private Fitted linear(double[] weights, double knee, double flat, double promptCost) {
        int n = bins.size();
        double[][] x = new double[n + 2][];
        double[] y = new double[n + 2];
        double[] w = new double[n + 2];
        double unit = 0;
        for (int i = 0; i < n; i++) {
            Bin b = bins.get(i);
            double decode = b.rows() * arithmetic.decodeFlops();
            boolean onFlat = decode + promptCost * b.prefillFlops() <= flat;
            x[i] = new double[]{1, onFlat ? flat : decode, onFlat ? 0 : b.prefillFlops(),
                    b.kvTokens() * arithmetic.kvBytesPerToken()};
            y[i] = b.nanos();
            w[i] = weights[i] * robust[i] * Math.min(MAX_BIN_WEIGHT, b.count()) / (b.nanos() * b.nanos());
            unit = Math.max(unit, b.nanos());
        }
        double f = arithmetic.decodeFlops();
        x[n] = new double[]{0, f, -f, 0};
        x[n + 1] = new double[]{0, 0, 0, 100.0 * arithmetic.kvBytesPerToken()};
        w[n] = PRIOR_WEIGHT / (unit * unit);
        w[n + 1] = PRIOR_WEIGHT / (unit * unit);
        List<Double> b = LeastSquares.fitNonNegative(x, y, w).coefficients();
        StepConstants constants = new StepConstants(b.get(0), b.get(1) * flat, b.get(1), b.get(2), b.get(3),
                knee > 0);
        return new Fitted(constants, knee, squares(constants, weights));
    }

    private double squares(StepConstants c, double[] weights) {
        double sum = 0;
        for (int i = 0; i < bins.size(); i++) {
            Bin b = bins.get(i);
            double e = nanos(c, b.rows(), b.prefillFlops(), b.kvTokens()) / b.nanos() - 1;
            sum += weights[i] * robust[i] * Math.min(MAX_BIN_WEIGHT, b.count()) * e * e;
        }
        return sum;
    }

    private static double median(List<StepTimeline.Step> steps) {
        double[] sorted = steps.stream().mapToDouble(StepTimeline.Step::nanos).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }
}
