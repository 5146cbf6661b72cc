package dev.assay.forecast;

import dev.assay.model.ModelShape;
import dev.assay.scheduler.SchedulerConfig;
import dev.assay.stats.Quantiles;
import dev.assay.workload.HashIds;
import dev.assay.workload.Slo;
import dev.assay.workload.Trace;
import dev.assay.workload.TraceStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Replays a whole trace through the scheduler under the cost model, for each arm and load point.
 *
 * <p>The trace is read once, in stretches of {@value #STRETCH} requests, and each stretch is given to all replays before
 * the next is read: memory does not grow with the trace. The first replay takes the trace as it is under the central
 * constants and gives the estimate. The others draw the constants from the calibration's uncertainty and the arrivals by
 * a block bootstrap (each stretch a Poisson(1) number of times, its gaps kept; Künsch 1989, Hanley and MacGibbon 2006)
 * and give the interval. Both arms see the same draws.
 */
public final class TwinStudy {
    /** The level of the intervals. */
    public static final double LEVEL = 0.9;
    /** Requests that are resampled together, with the gaps between them. */
    static final int STRETCH = 256;
    private static final double NEVER_IDLE = 0.98;

    private final Settings settings;
    private final TraceStream.Facts facts;
    private final List<Point> points = new ArrayList<>();

    /**
     * What is replayed.
     *
     * @param shape of the model
     * @param calibration of the baseline
     * @param candidate the other arm, where there is one
     * @param measured what was measured beside the server
     * @param speeds by which the trace's times are divided, one for each load point
     * @param draws replays for the interval, beside the one for the estimate
     * @param seed of all draws
     */
    public record Settings(ModelShape shape, Calibration calibration, Optional<EngineSettings> candidate,
            LocalMeasurements measured, Slo slo, List<Double> speeds, int draws, long seed) {
        public Settings {
            speeds = List.copyOf(speeds);
            if (speeds.isEmpty() || !speeds.stream().allMatch(s -> s > 0 && s < 1e9)) {
                throw new IllegalArgumentException("speeds are " + speeds + "; expected factors above 0");
            }
            if (draws < 0 || draws > 1000) {
                throw new IllegalArgumentException("draws is " + draws + "; expected 0 to 1000");
            }
        }
    }

    /**
     * One load point.
     *
     * @param offeredRps the trace's rate at this speed
     * @param limiter of each arm, absent where nothing was computed
     */
    public record PointResult(double speed, double offeredRps, Map<String, Quantity> baseline,
            Optional<LimiterForecast> limiter, Optional<Map<String, Quantity>> candidate,
            Optional<LimiterForecast> candidateLimiter, Optional<Map<String, Quantity>> ratio) {}

    /**
     * All load points.
     *
     * @param simulatedRequests of all replays together
     */
    public record Result(TraceStream.Facts trace, double level, int draws, long simulatedRequests,
            List<PointResult> points, List<String> warnings) {}

    private TwinStudy(Settings settings, TraceStream.Facts facts) {
        this.settings = settings;
        this.facts = facts;
        for (int i = 0; i < settings.speeds().size(); i++) {
            points.add(new Point(i, settings.speeds().get(i)));
        }
    }

    /**
     * Replays the rows.
     *
     * @param facts of the same trace, read before
     */
    public static Result run(Settings settings, TraceStream.Facts facts, TraceStream rows) {
        Blindness.check(settings.calibration().baseline(),
                settings.candidate().orElse(settings.calibration().baseline()), List.of());
        return new TwinStudy(settings, facts).run(rows);
    }

    private Result run(TraceStream rows) {
        SplittableRandom random = new SplittableRandom(settings.seed());
        boolean tokens = points.stream().anyMatch(Point::cachesPrefixes);
        List<Trace.Row> stretch = new ArrayList<>();
        Optional<Trace.Row> ahead = Optional.of(rows.next());
        while (ahead.isPresent()) {
            stretch.clear();
            while (ahead.isPresent() && stretch.size() < STRETCH) {
                stretch.add(ahead.get());
                ahead = rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
            }
            long first = stretch.getFirst().arrivalNanos();
            long end = ahead.map(Trace.Row::arrivalNanos)
                    .orElse(stretch.getLast().arrivalNanos()
                            + Math.round(1e9 * facts.seconds() / facts.requests()));
            List<int[]> prompts = tokens
                    ? stretch.stream().map(r -> prompt(r, rows.blockTokens())).toList()
                    : List.of();
            int[] times = new int[settings.draws() + 1];
            times[0] = 1;
            for (int d = 1; d < times.length; d++) {
                times[d] = poisson(random);
            }
            points.forEach(p -> p.replay(stretch, prompts, end - first, times));
        }
        List<PointResult> results = points.stream().map(Point::result).toList();
        long simulated = points.stream().mapToLong(Point::requests).sum();
        return new Result(facts, LEVEL, settings.draws(), simulated, results,
                warnings(tokens, rows.blockTokens(), results));
    }

    /** More requests wait than run, and the engine is never idle. */
    private static boolean overloaded(Map<String, Quantity> arm) {
        return estimate(arm, TelemetryNames.WAITING) > estimate(arm, TelemetryNames.RUNNING)
                && estimate(arm, TelemetryNames.BUSY_SHARE) > NEVER_IDLE;
    }

    private static double estimate(Map<String, Quantity> arm, String name) {
        return Optional.ofNullable(arm.get(name)).map(Quantity::estimate).orElse(0.0);
    }

    private List<String> warnings(boolean tokens, int blockTokens, List<PointResult> results) {
        List<String> warnings = new ArrayList<>(settings.calibration().warnings());
        if (tokens && blockTokens == 0) {
            warnings.add("the trace has no hashed blocks, so that no prompt shares a prefix");
        }
        if (tokens && blockTokens > 0) {
            warnings.add(
                    "hashed blocks do not tell what was generated: turns that go on from an answer find only what"
                            + " their prompts share");
        }
        results.forEach(p -> {
            if (overloaded(p.baseline()) || p.candidate().map(TwinStudy::overloaded).orElse(false)) {
                warnings.add(
                        String.format(Locale.ROOT, "at %.4g requests/s an arm cannot keep up: its queue and"
                                + " latencies grow with the length of the trace", p.offeredRps()));
            }
        });
        if (facts.requests() < 20L * STRETCH) {
            warnings.add(
                    "the trace has " + facts.requests() + " requests, fewer than 20 stretches of " + STRETCH
                            + ": its resampling is coarse");
        }
        return List.copyOf(warnings);
    }

    /** Tokens made up so that equal blocks are equal and all else differs. */
    private static int[] prompt(Trace.Row row, int blockTokens) {
        int[] tokens = new int[row.inputTokens()];
        HashIds blocks = row.blocks();
        for (int i = 0; i < tokens.length; i++) {
            int block = blockTokens == 0 ? blocks.size() : i / blockTokens;
            long name = block < blocks.size() ? blocks.get(block) : -1 - row.arrivalNanos();
            tokens[i] = mixed(name * 0x9E3779B97F4A7C15L + i);
        }
        return tokens;
    }

    /** Stafford's finalizer (variant 13 of MurmurHash3's), not negative. */
    private static int mixed(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return (int) (z ^ z >>> 31) & Integer.MAX_VALUE;
    }

    /** A Poisson number of mean 1, by multiplying uniforms (Knuth). */
    private static int poisson(SplittableRandom random) {
        int count = 0;
        for (double p = random.nextDouble(); p > Math.exp(-1); p *= random.nextDouble()) {
            count++;
        }
        return count;
    }

    /** One load point with the replays of its arms. */
    private final class Point {
        private final double speed;
        private final EngineSettings baseline = settings.calibration().baseline();
        private final List<TwinLane> base = new ArrayList<>();
        private final List<TwinLane> cand = new ArrayList<>();

        Point(int index, double speed) {
            this.speed = speed;
            SplittableRandom random = new SplittableRandom(settings.seed() * 31 + index);
            Calibration c = settings.calibration();
            int maxRows = Math.max(baseline.maxNumSeqs() * baseline.rowsPerSequence(),
                    settings.candidate().map(s -> s.maxNumSeqs() * s.rowsPerSequence()).orElse(1));
            for (int d = 0; d <= settings.draws(); d++) {
                StepConstants constants = d == 0 ? c.constants() : c.draws().get((d - 1) % c.draws().size());
                CostModel.Variation variation = Variations.draw(c, constants, maxRows, random);
                double overhead = c.ttftOverheadNanos()
                        + (d == 0 ? 0 : c.ttftOverheadSe() * random.nextGaussian());
                long seed = random.nextLong();
                Draw draw = d == 0
                        ? new Draw(constants, CostModel.Variation.none(c.region().maxDecodeRows()),
                                Effects.Deviates.CENTRAL, overhead, seed)
                        : new Draw(constants, variation, Effects.Deviates.draw(new SplittableRandom(seed)),
                                Math.max(0, overhead), seed);
                base.add(lane(baseline, draw));
                settings.candidate().ifPresent(s -> cand.add(lane(s, draw)));
            }
        }

        private TwinLane lane(EngineSettings arm, Draw d) {
            CostModel cost = CostModel.of(settings.shape(), baseline, arm, d.constants(), d.variation(),
                    Effects.of(baseline, arm, settings.measured(), d.deviates()));
            double[] jitter = settings.calibration().jitter().stream().mapToDouble(Double::doubleValue)
                    .toArray();
            return new TwinLane(config(arm), settings.shape().contextLength(), cost, d.overhead(), jitter,
                    d.seed(),
                    settings.slo(), speed);
        }

        private SchedulerConfig config(EngineSettings arm) {
            int longest = Math.min(facts.longestTokens(), settings.shape().contextLength());
            return arm.cachesPrefixes() ? arm.cachingScheduler(longest) : arm.scheduler(longest);
        }

        boolean cachesPrefixes() {
            return baseline.cachesPrefixes()
                    || settings.candidate().map(EngineSettings::cachesPrefixes).orElse(false);
        }

        void replay(List<Trace.Row> rows, List<int[]> prompts, long nanos, int[] times) {
            for (int d = 0; d < base.size(); d++) {
                base.get(d).replay(rows, prompts, nanos, times[d]);
                if (!cand.isEmpty()) {
                    cand.get(d).replay(rows, prompts, nanos, times[d]);
                }
            }
        }

        long requests() {
            return base.stream().mapToLong(TwinLane::requests).sum()
                    + cand.stream().mapToLong(TwinLane::requests).sum();
        }

        PointResult result() {
            List<Map<String, Double>> b = finished(base);
            List<Map<String, Double>> c = finished(cand);
            boolean pair = !cand.isEmpty();
            return new PointResult(speed, facts.rps() * speed, quantities(b), limiter(base, baseline),
                    pair ? Optional.of(quantities(c)) : Optional.empty(),
                    pair ? limiter(cand, settings.candidate().orElseThrow()) : Optional.empty(),
                    pair ? Optional.of(quantities(ratios(b, c))) : Optional.empty());
        }

        private Optional<LimiterForecast> limiter(List<TwinLane> lanes, EngineSettings arm) {
            return Limiters.observed(lanes.getFirst().telemetry(), arm, settings.shape(),
                    settings.calibration(),
                    settings.measured());
        }
    }

    private record Draw(StepConstants constants, CostModel.Variation variation, Effects.Deviates deviates,
            double overhead, long seed) {}

    private static List<Map<String, Double>> finished(List<TwinLane> lanes) {
        lanes.forEach(TwinLane::finish);
        return lanes.stream().map(TwinLane::values).toList();
    }

    private static List<Map<String, Double>> ratios(List<Map<String, Double>> base,
            List<Map<String, Double>> cand) {
        List<Map<String, Double>> ratios = new ArrayList<>();
        for (int d = 0; d < base.size(); d++) {
            Map<String, Double> b = base.get(d);
            Map<String, Double> ratio = new LinkedHashMap<>();
            cand.get(d).forEach((name, v) -> {
                double r = v / b.getOrDefault(name, Double.NaN);
                if (Double.isFinite(r)) {
                    ratio.put(name, r);
                }
            });
            ratios.add(ratio);
        }
        return ratios;
    }

    /** The first replay's value with the middle {@link #LEVEL} of all, widened to hold it. */
    private static Map<String, Quantity> quantities(List<Map<String, Double>> replays) {
        Map<String, Quantity> quantities = new TreeMap<>();
        replays.getFirst().forEach((name, estimate) -> {
            double[] all = replays.stream().map(r -> Optional.ofNullable(r.get(name)))
                    .flatMap(Optional::stream)
                    .mapToDouble(Double::doubleValue).toArray();
            quantities.put(name,
                    new Quantity(estimate, Math.min(estimate, Quantiles.type7(all, (1 - LEVEL) / 2)),
                            Math.max(estimate, Quantiles.type7(all, (1 + LEVEL) / 2))));
        });
        return quantities;
    }
}
