package dev.assay.forecast;

import dev.assay.AssayException;
import dev.assay.scheduler.SchedulerConfig;
import dev.assay.stats.DetectionLimit;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Extent;
import dev.assay.workload.Request;
import dev.assay.workload.SharedPrompts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Forecasts both arms at every load point with the twin.
 *
 * <p>Each draw takes one set of constants and the planned number of arrival schedules, replays them in both arms and
 * gives one value an arm and one ratio, as the measurement's blocks will; the noise between repeats of a slot is added.
 * An interval holds the middle of the draws.
 */
public final class Forecaster {
    /** The level of the intervals. */
    public static final double LEVEL = 0.9;
    /** Draws of constants and arrivals. */
    public static final int DRAWS = 64;
    /** More schedules than this in one draw no longer change it. */
    private static final int MAX_SCHEDULES = 6;
    private static final int SCHEDULE_POOL = 48;
    /** Equal gaps that are longer than a slot leave every one empty. */
    private static final int MAX_EMPTY = 2000;
    private static final double DETECTION_LEVEL = 0.95;
    private static final double DETECTION_POWER = 0.8;

    private final ForecastRequest request;
    private final EngineSettings candidateSettings;
    private final boolean sharesPrefixes;
    private final Calibration calibration;
    private final int schedulesPerDraw;
    private final List<String> warnings = new ArrayList<>();

    private Forecaster(ForecastRequest request) {
        this.request = request;
        this.candidateSettings = pooled(request);
        this.sharesPrefixes = SharedPrompts.any(request.workload());
        this.calibration = request.calibration();
        this.schedulesPerDraw = Math.min(MAX_SCHEDULES, request.blocks());
    }

    /**
     * The forecast of a change; the same request gives the same forecast.
     *
     * @throws AssayException if the change is in a setting that the forecast ignores, or a request cannot fit the pool
     */
    public static Forecast forecast(ForecastRequest request) {
        Blindness.check(request.baseline(), request.candidate(), request.measured(), List.of());
        return new Forecaster(request).forecast();
    }

    /** A candidate that states no pool has one of as many bytes as the baseline's, in its own KV format. */
    private static EngineSettings pooled(ForecastRequest request) {
        EngineSettings baseline = request.baseline();
        EngineSettings candidate = request.candidate();
        if (baseline.numBlocks().isEmpty() || candidate.numBlocks().isPresent()
                || baseline.devices() != candidate.devices()) {
            return candidate;
        }
        double bytes = (double) baseline.numBlocks().get() * baseline.blockSize()
                * new StepArithmetic(request.shape(), baseline).kvBytesPerToken();
        double page = (double) candidate.blockSize()
                * new StepArithmetic(request.shape(), candidate).kvBytesPerToken();
        return candidate.withBlocks(Math.max(1, (int) Math.min(Integer.MAX_VALUE, bytes / page)));
    }

    private Forecast forecast() {
        if (!sharesPrefixes && request.baseline().cachesPrefixes() != candidateSettings.cachesPrefixes()) {
            throw AssayException.misuse("the arms differ in enable_prefix_caching and the workload shares no"
                    + " prefix, so that there is nothing to find; expected prefix groups, conversations or a"
                    + " trace with hashed blocks");
        }
        List<PointForecast> points = new ArrayList<>();
        for (int i = 0; i < request.loadPoints().size(); i++) {
            points.add(point(i, request.loadPoints().get(i)));
        }
        warnings.addAll(calibration.warnings());
        warnExtrapolation();
        return new Forecast(LEVEL, points, assumptions(), warnings.stream().distinct().toList());
    }

    private PointForecast point(int index, double rate) {
        SplittableRandom random = new SplittableRandom(request.seed() * 31 + index);
        List<Schedule> pool = schedules(rate, random);
        int longest = pool.stream().mapToInt(Schedule::longestTokens).max().orElseThrow();
        int maxRows = Math.max(request.baseline().maxNumSeqs(),
                candidateSettings.maxNumSeqs() * candidateSettings.rowsPerSequence());
        ArmDraws baseline = new ArmDraws(request.baseline(), config(request.baseline(), longest));
        ArmDraws candidate = new ArmDraws(candidateSettings, config(candidateSettings, longest));
        DrawTable table = new DrawTable(calibration, request.blocks());
        for (int d = 0; d < DRAWS; d++) {
            StepConstants constants = calibration.draws().get(d % calibration.draws().size());
            CostModel.Variation variation = Variations.draw(calibration, constants, maxRows, random);
            double overhead = Math.max(0, calibration.ttftOverheadNanos()
                    + calibration.ttftOverheadSe() * random.nextGaussian());
            List<Schedule> some = some(pool, d);
            long seed = random.nextLong();
            // A stream of its own, so that what is drawn for one kind of change moves no other forecast.
            Effects.Deviates deviates = Effects.Deviates.draw(new SplittableRandom(seed));
            table.add(baseline.run(constants, variation, deviates, overhead, some, seed),
                    candidate.run(constants, variation, deviates, overhead, some, seed), random);
        }
        return new PointForecast(rate, table.baseline(LEVEL), table.candidate(LEVEL), table.ratio(LEVEL),
                baseline.limiter(), candidate.limiter(), detectionLimits());
    }

    /** One arm's replays. */
    private final class ArmDraws {
        private final EngineSettings settings;
        private final SchedulerConfig config;
        private final Map<String, Double> telemetry = new LinkedHashMap<>();
        private int runs;

        ArmDraws(EngineSettings settings, SchedulerConfig config) {
            this.settings = settings;
            this.config = config;
        }

        List<Map<String, Double>> run(StepConstants constants, CostModel.Variation variation,
                Effects.Deviates deviates, double overhead, List<Schedule> schedules, long seed) {
            CostModel cost = CostModel.of(request.shape(), request.baseline(), settings, constants,
                    variation, Effects.of(request.baseline(), settings, request.measured(), deviates));
            double[] jitter = calibration.jitter().stream().mapToDouble(Double::doubleValue).toArray();
            Twin twin = new Twin(config, cost, overhead, jitter);
            List<Map<String, Double>> values = new ArrayList<>();
            for (Schedule schedule : schedules) {
                TwinRun run = twin.run(config.prefixCaching() ? schedule : schedule.withoutTokens(),
                        Long.MAX_VALUE, seed + values.size());
                Map<String, Double> served = bySteps(run.telemetry(), cost.tokensPerStep());
                served.forEach((name, v) -> telemetry.merge(name, v, Double::sum));
                runs++;
                Map<String, Double> of = MetricValues.of(run, request.slo());
                of.keySet().removeAll(MetricValues.server(run.telemetry()).keySet());
                of.putAll(MetricValues.server(served));
                values.add(of);
            }
            return values;
        }

        LimiterForecast limiter() {
            Map<String, Double> mean = new LinkedHashMap<>();
            telemetry.forEach((name, sum) -> mean.put(name, sum / runs));
            return Limiters.observed(mean, settings, request.shape(), calibration, request.measured())
                    .orElseThrow(() -> new IllegalStateException(
                            "the twin's telemetry names no limiter: " + mean));
        }
    }

    /** The replay takes a step for each token; the server's steps are fewer where each gives several. */
    private static Map<String, Double> bySteps(Map<String, Double> replayed, double tokensPerStep) {
        if (tokensPerStep == 1) {
            return replayed;
        }
        Map<String, Double> served = new LinkedHashMap<>(replayed);
        List.of(TelemetryNames.STEPS, TelemetryNames.WAIT_CAP, TelemetryNames.WAIT_PAGES,
                TelemetryNames.WAIT_BUDGET)
                .forEach(name -> served.computeIfPresent(name, (_, v) -> v / tokensPerStep));
        served.computeIfPresent(TelemetryNames.STEP_TIME, (_, v) -> v * tokensPerStep);
        served.remove(TelemetryNames.TOKENS);
        return served;
    }

    private SchedulerConfig config(EngineSettings settings, int longest) {
        SchedulerConfig config = sharesPrefixes && settings.cachesPrefixes()
                ? settings.cachingScheduler(longest)
                : settings.scheduler(longest);
        if (longest - 1 > config.capacityTokens()) {
            throw AssayException.misuse("num_blocks " + config.numBlocks() + " of " + config.blockSize()
                    + " tokens holds " + config.capacityTokens()
                    + " tokens; the workload's longest request needs "
                    + (longest - 1));
        }
        return config;
    }

    private List<Schedule> schedules(double rate, SplittableRandom random) {
        Arrivals arrivals = request.arrivals().at(rate);
        long nanos = Math.round(request.slotSeconds() * 1e9);
        List<Schedule> pool = new ArrayList<>();
        int empty = 0;
        while (pool.size() < SCHEDULE_POOL) {
            long seed = random.nextLong();
            if (arriving(arrivals, new Extent.Count(1), seed).getFirst().arrivalNanos() < nanos) {
                List<Request> requests = arriving(arrivals, new Extent.Lasting(nanos), seed).stream()
                        .map(this::asServed).toList();
                pool.add(Schedule.of(requests, tokens(requests, arrivals, seed)));
            } else if (rate * request.slotSeconds() < 0.1 || ++empty > MAX_EMPTY) {
                throw AssayException.misuse("load point " + rate + " brings " + rate * request.slotSeconds()
                        + " requests in a slot of " + request.slotSeconds() + " s; expected at least 1");
            }
        }
        return pool;
    }

    private List<Request> arriving(Arrivals arrivals, Extent extent, long seed) {
        return request.workload().schedule(arrivals, extent, seed,
                dev.assay.workload.Calibration.ASSUMED);
    }

    /** The prompts' tokens, where an arm shares the pages of equal ones; what a server adds is each prompt's own. */
    private List<int[]> tokens(List<Request> requests, Arrivals arrivals, long seed) {
        if (!sharesPrefixes || !(request.baseline().cachesPrefixes() || candidateSettings.cachesPrefixes())) {
            return List.of();
        }
        List<int[]> planned = SharedPrompts.tokens(request.workload(), arrivals, seed, requests.size());
        List<int[]> served = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            int[] prompt = Arrays.copyOf(planned.get(i), requests.get(i).promptTokens());
            int own = planned.get(i)[planned.get(i).length - 1];
            Arrays.fill(prompt, Math.min(prompt.length, planned.get(i).length), prompt.length, own);
            served.add(prompt);
        }
        return served;
    }

    /** The request with the lengths that this server makes of it, without its text. */
    private Request asServed(Request r) {
        int prompt = Math.max(1, r.promptTokens() + (int) Math.round(calibration.lengths().promptExtra()));
        int output = Math.max(1, (int) Math.round(r.outputTokens() * calibration.lengths().outputFactor()));
        return r.sized(prompt, output);
    }

    private List<Schedule> some(List<Schedule> pool, int draw) {
        List<Schedule> some = new ArrayList<>();
        for (int i = 0; i < schedulesPerDraw; i++) {
            some.add(pool.get((draw * schedulesPerDraw + i) % pool.size()));
        }
        return some;
    }

    /** The smallest relative effect that the planned blocks show with a probability of 80 %; absent if untestable. */
    private Map<String, Double> detectionLimits() {
        Map<String, Double> limits = new LinkedHashMap<>();
        calibration.noise().forEach((name, sd) -> {
            OptionalDouble log = DetectionLimit.of(request.blocks(), sd, DETECTION_LEVEL, DETECTION_POWER);
            log.ifPresent(v -> limits.put(name, Math.expm1(v)));
        });
        return limits;
    }

    private void warnExtrapolation() {
        Calibration.Region region = calibration.region();
        if (candidateSettings.maxNumSeqs() * candidateSettings.rowsPerSequence() > region.maxDecodeRows()) {
            warnings.add("the candidate may decode "
                    + candidateSettings.maxNumSeqs() * candidateSettings.rowsPerSequence()
                    + " rows a step and the calibration saw " + region.maxDecodeRows()
                    + ": rows beyond are extrapolated, with wider intervals");
        }
        double highest = request.loadPoints().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        if (highest > 1.1 * region.maxRps()) {
            warnings.add("load point " + highest + " lies above the calibrated rates, which end at "
                    + region.maxRps());
        }
        warnings.addAll(ChangeNotes.warnings(request.baseline(), candidateSettings, request.measured(),
                sharesPrefixes));
        if (request.blocks() < 6) {
            warnings.add(request.blocks()
                    + " blocks cannot show any effect at the 95 % level: no detection limit");
        }
    }

    private List<String> assumptions() {
        List<String> lines = new ArrayList<>();
        lines.add(request.arrivals().words() + " at the load point for " + request.slotSeconds()
                + " s, then the slot runs until every request ended");
        lines.addAll(ChangeNotes.assumptions(request.baseline(), candidateSettings, sharesPrefixes,
                !candidateSettings.equals(request.candidate())));
        lines.add("the candidate differs from the baseline in the stated settings only, on the same machine");
        lines.add(
                "the scheduler takes decodes first, then prompts within the token budget, in order of arrival");
        lines.add(
                "a step costs overhead + weights and compute + KV; matrix cost grows linearly with rows beyond"
                        + " those seen");
        return lines;
    }
}
