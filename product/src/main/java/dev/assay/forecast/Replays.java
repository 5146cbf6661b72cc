package dev.assay.forecast;

import dev.assay.model.ModelShape;
import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import dev.assay.workload.Slo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Replays the calibration slots, arrival by arrival, under the fitted law: what the replay misses at the start of a
 * request is the time outside the steps, and how the rest scatters is the noise between repeats of a slot, freed of the
 * luck of the arrivals.
 */
final class Replays {
    /** Requests whose first token is compared come from slots at rates up to this multiple of the lowest. */
    private static final double LOW_RATE_FACTOR = 1.5;
    /** No metric is taken to repeat better than this. */
    static final double NOISE_FLOOR = 0.005;
    /** One in so many differences is left out at either end. */
    private static final int TRIM = 10;

    private final EngineSettings settings;
    private final CostModel cost;
    private final List<CalibrationRun> runs;

    Replays(ModelShape shape, EngineSettings settings, StepConstants constants, List<CalibrationRun> runs) {
        this.settings = settings;
        this.cost = CostModel.calibrated(shape, settings, constants);
        this.runs = runs;
    }

    /** Time outside the steps, with its standard error, in nanoseconds. */
    record Overhead(double nanos, double se) {}

    /** The trimmed mean difference between first tokens measured and replayed, at low load. */
    Overhead ttftOverhead() {
        double lowest = runs.stream().mapToDouble(CalibrationRun::offeredRps).min().orElseThrow();
        List<Double> differences = new ArrayList<>();
        for (CalibrationRun run : runs) {
            if (run.offeredRps() <= LOW_RATE_FACTOR * lowest) {
                differences.addAll(firstTokenDifferences(run));
            }
        }
        double[] d = differences.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (d.length == 0) {
            return new Overhead(0, 0);
        }
        // Where in a step a request arrives is chance that a median would not average out.
        double[] kept = Arrays.copyOfRange(d, d.length / TRIM, d.length - d.length / TRIM);
        double mean = Arrays.stream(kept).average().orElseThrow();
        double variance = Arrays.stream(kept).map(v -> (v - mean) * (v - mean)).sum()
                / Math.max(1, kept.length - 1);
        return new Overhead(Math.max(0, mean), Math.sqrt(variance / kept.length));
    }

    private List<Double> firstTokenDifferences(CalibrationRun run) {
        TwinRun twin = replay(run, 0, List.of());
        Map<Integer, RequestOutcome> measured = new LinkedHashMap<>();
        run.outcomes().forEach(o -> measured.put(o.request().id(), o));
        List<Double> differences = new ArrayList<>();
        for (RequestOutcome o : twin.outcomes()) {
            Optional<RequestOutcome> m = Optional.ofNullable(measured.get(o.request().id()));
            if (m.isPresent() && m.get().completed() && o.completed()) {
                differences.add((double) m.get().firstContentNanos().orElseThrow()
                        - o.firstContentNanos().orElseThrow());
            }
        }
        return differences;
    }

    private TwinRun replay(CalibrationRun run, double overhead, List<Double> jitter) {
        Schedule schedule = served(run.outcomes());
        return new Twin(settings.scheduler(schedule.longestTokens()), cost, overhead,
                jitter.stream().mapToDouble(Double::doubleValue).toArray()).run(schedule, Long.MAX_VALUE, 0);
    }

    /** The requests of a slot in order of arrival, with the token counts that the server reported. */
    static Schedule served(List<RequestOutcome> outcomes) {
        return Schedule.of(outcomes.stream()
                .sorted(Comparator.comparingLong((RequestOutcome o) -> o.request().arrivalNanos())
                        .thenComparingInt(o -> o.request().id()))
                .map(Replays::asServed).toList());
    }

    /** The request with the token counts that the server reported. */
    private static Request asServed(RequestOutcome o) {
        Request r = o.request();
        int output = o.completed() ? Math.max(1, o.outputTokens()) : r.outputTokens();
        return r.sized(Math.max(1, StepTimeline.promptTokens(o)), output);
    }

    /** The logarithm of measured over replayed, by metric, one value for each slot where both are defined. */
    record Residuals(Map<String, List<Double>> logs, Map<String, List<Double>> rates) {
        /** Pooled standard deviation within slots of equal rate; else the robust spread over all slots. */
        Map<String, Double> noise() {
            Map<String, Double> noise = new TreeMap<>();
            logs.forEach((name, values) -> noise.put(name,
                    Math.max(NOISE_FLOOR, withinRates(values, rates.getOrDefault(name, List.of())))));
            return noise;
        }

        /** Root of the median square, scaled as a standard deviation. */
        Map<String, Double> replayError() {
            Map<String, Double> errors = new TreeMap<>();
            logs.forEach((name, values) -> errors.put(name, robust(values, 0)));
            return errors;
        }

        static boolean repeated(List<CalibrationRun> runs) {
            return runs.stream().mapToDouble(CalibrationRun::offeredRps).distinct().count() < runs.size();
        }

        private static double withinRates(List<Double> values, List<Double> at) {
            Map<Double, List<Double>> groups = new TreeMap<>();
            for (int i = 0; i < values.size(); i++) {
                groups.computeIfAbsent(at.get(i), _ -> new ArrayList<>()).add(values.get(i));
            }
            double squares = 0;
            int df = 0;
            for (List<Double> g : groups.values()) {
                double mean = g.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
                squares += g.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
                df += g.size() - 1;
            }
            double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return df > 0 ? Math.sqrt(squares / df) : robust(values, sorted[sorted.length / 2]);
        }

        private static double robust(List<Double> values, double centre) {
            double[] off = values.stream().mapToDouble(v -> Math.abs(v - centre)).sorted().toArray();
            return 1.4826 * off[off.length / 2];
        }
    }

    /** Replays every slot and compares all metrics that both sides have. */
    Residuals residuals(double overhead, List<Double> jitter, Slo slo) {
        Map<String, List<Double>> logs = new TreeMap<>();
        Map<String, List<Double>> rates = new TreeMap<>();
        for (CalibrationRun run : runs) {
            Map<String, Double> replayed = MetricValues.of(replay(run, overhead, jitter), slo);
            Map<String, Double> measured = MetricValues.client(run.outcomes(), slo);
            measured.putAll(MetricValues.server(run.telemetry()));
            measured.forEach((name, value) -> {
                double other = replayed.getOrDefault(name, 0.0);
                if (value > 0 && other > 0) {
                    logs.computeIfAbsent(name, _ -> new ArrayList<>()).add(Math.log(value / other));
                    rates.computeIfAbsent(name, _ -> new ArrayList<>()).add(run.offeredRps());
                }
            });
        }
        return new Residuals(logs, rates);
    }

    /** How the served lengths differ from the requested ones. */
    Calibration.Lengths lengths() {
        double[] extra = completed()
                .mapToDouble(o -> StepTimeline.promptTokens(o) - o.request().promptTokens())
                .sorted().toArray();
        double served = completed().mapToDouble(RequestOutcome::outputTokens).sum();
        double asked = completed().mapToDouble(o -> o.request().outputTokens()).sum();
        return extra.length == 0
                ? new Calibration.Lengths(0, 1)
                : new Calibration.Lengths(extra[extra.length / 2], Math.min(1, served / asked));
    }

    private java.util.stream.Stream<RequestOutcome> completed() {
        return runs.stream().flatMap(r -> r.outcomes().stream()).filter(RequestOutcome::completed);
    }
}
