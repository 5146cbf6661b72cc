package dev.assay.review;

import dev.assay.forecast.Forecast;
import dev.assay.forecast.LimiterForecast;
import dev.assay.forecast.PointForecast;
import dev.assay.forecast.Quantity;
import dev.assay.review.Expectation.Band;
import dev.assay.review.Expectation.PointLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The claims that a proposal and its forecast make: from the outputs over the mechanism and the step to what a user
 * sees, each with the claims that it follows from.
 */
final class Claims {
    private static final String OUTPUTS = "outputs";
    private static final String MECHANISM = "mechanism";
    private static final String COMPONENT = "step";
    private static final String OBJECTIVE = "objective";
    /** How the ids of claims on what must not change begin. */
    static final String UNCHANGED = "unchanged-";
    /** Bytes of weights are exact; what a row attends moves a little with how prompts fall into steps. */
    private static final double EXACT = 0.01;
    private static final double NEARLY = 0.03;
    /** End-to-end metrics whose predicted ratio is held against the observation. */
    private static final List<Metric> FORECAST_METRICS = List.of(Metric.TPOT_P50_MS, Metric.TTFT_P50_MS,
            Metric.OUTPUT_TOKENS_PER_S, Metric.GOODPUT_RPS);

    private final Proposal proposal;
    private final Forecast forecast;
    /** Telemetry that the baseline's server was seen to give: a claim on anything else could not be tested. */
    private final Set<String> observable;
    private final ReadyChange ready;
    private final List<Claim> claims = new ArrayList<>();

    private Claims(Proposal proposal, Forecast forecast, Set<String> observable) {
        this.proposal = proposal;
        this.forecast = forecast;
        this.observable = observable;
        this.ready = ReadyChange.of(proposal.change());
    }

    /** All claims, causes before effects. */
    static List<Claim> of(Proposal proposal, Forecast forecast, Set<String> observable) {
        Claims c = new Claims(proposal, forecast, observable);
        c.outputs();
        c.mechanism();
        c.unchanged();
        c.component();
        c.endToEnd();
        c.objective();
        c.constraints();
        c.limiters();
        return Tightenings.apply(c.claims, proposal.claims().orElse(List.of()));
    }

    private void outputs() {
        Proposal.Outputs outputs = proposal.outputs();
        if (outputs.exact()) {
            claims.add(new Claim(OUTPUTS, Level.CORRECTNESS,
                    "Both arms give the same greedy tokens on " + outputs.prompts() + " prompts.",
                    new Expectation.SameOutputs(outputs.prompts(), outputs.tokens()),
                    "one token differs", List.of(), true));
        } else {
            double bound = outputs.maxNllIncrease().orElseThrow();
            claims.add(new Claim(OUTPUTS, Level.CORRECTNESS,
                    "The candidate loses at most " + bound + " nats per token on the baseline's greedy text.",
                    new Expectation.LikelihoodWithin(bound, outputs.maxKl()),
                    "the mean loss lies above " + bound + " nats per token, interval included"
                            + (outputs.maxKl().isPresent()
                                    ? "; or the mean divergence above " + outputs.maxKl().getAsDouble()
                                    : ""),
                    List.of(), true));
        }
    }

    private void mechanism() {
        firstObservable(ReadyChange.metrics(ready.mechanism()))
                .ifPresent(metric -> within(MECHANISM, Level.MECHANISM, metric, List.of(OUTPUTS), true));
    }

    /** What the change must not move, where the server shows it: a change that does is not the one explained. */
    private void unchanged() {
        for (Metric metric : ReadyChange.metrics(ready.unchanged())) {
            if (metric.observable(observable)) {
                double margin = metric == Metric.KV_BYTES_PER_ROW ? NEARLY : EXACT;
                List<Band> bands = forecast.points().stream().map(p -> {
                    double estimate = ratio(p, metric).map(Quantity::estimate)
                            .filter(e -> Math.abs(e - 1) > margin).orElse(1.0);
                    return new Band(p.offeredRps(), Math.min(1, estimate) * (1 - margin), estimate,
                            Math.max(1, estimate) * (1 + margin), 0);
                }).toList();
                claims.add(new Claim(UNCHANGED + metric.id(), Level.MECHANISM,
                        String.format(Locale.ROOT,
                                "%s must not change: within %.3g %% of the baseline's at each load point.",
                                capital(metric.label()), 100 * margin),
                        new Expectation.Within(metric.id(), bands),
                        "the interval of the observed ratio and this band do not meet at any load point",
                        List.of(OUTPUTS), false));
            }
        }
    }

    private void component() {
        firstObservable(ReadyChange.metrics(ready.component()))
                .ifPresent(metric -> within(COMPONENT, Level.COMPONENT, metric, parents(MECHANISM), false));
    }

    private void endToEnd() {
        List<String> follows = has(COMPONENT) ? List.of(COMPONENT) : parents(MECHANISM);
        FORECAST_METRICS.forEach(metric -> within(metric.id(), Level.END_TO_END, metric, follows, false));
    }

    private void objective() {
        Proposal.Objective objective = proposal.objective();
        Metric metric = Metric.named("objective.metric", objective.metric());
        boolean up = objective.minEffect() > 1;
        String statement = String.format(Locale.ROOT, "%s %s to at least %.3g times the baseline's at %s.",
                capital(metric.label()), up ? "rises" : "falls", objective.minEffect(),
                rates(objective.loadPoints()));
        List<Band> bands = bands(metric).stream()
                .filter(b -> objective.loadPoints().contains(b.offeredRps())).toList();
        claims.add(new Claim(OBJECTIVE, Level.END_TO_END,
                (up ? statement : statement.replace("at least", "at most"))
                        + Detectability.words(bands, proposal.measure().blocks()),
                new Expectation.AtLeast(metric.id(), objective.minEffect(), objective.loadPoints()),
                String.format(Locale.ROOT, "the interval of the ratio lies %s %.3g at any of these points",
                        up ? "below" : "above", objective.minEffect()),
                objectiveParents(metric), true));
    }

    private List<String> objectiveParents(Metric metric) {
        return has(metric.id()) ? List.of(metric.id()) : parents(MECHANISM);
    }

    private void constraints() {
        for (Proposal.Constraint constraint : proposal.constraints()) {
            Metric metric = Metric.named("constraints.metric", constraint.metric());
            List<Double> points = constraint.loadPoints().isEmpty()
                    ? proposal.loadPoints()
                    : constraint.loadPoints();
            claims.add(new Claim("keep-" + metric.id(), Level.END_TO_END,
                    String.format(Locale.ROOT, "%s gets no more than %.3g %% worse at %s.",
                            capital(metric.label()),
                            100 * constraint.margin(), rates(points)),
                    new Expectation.NotWorse(metric.id(), constraint.margin(), points),
                    "the interval of the loss, joint over all constraints and load points, lies beyond the margin at any of"
                            + " these points",
                    objectiveParents(metric), true));
        }
    }

    private void limiters() {
        for (Arm arm : Arm.values()) {
            List<PointLimiter> points = forecast.points().stream()
                    .map(p -> new PointLimiter(p.offeredRps(), limiter(p, arm).limiter(),
                            limiter(p, arm).share()))
                    .toList();
            String name = arm == Arm.BASELINE ? "baseline" : "candidate";
            claims.add(new Claim("limiter-" + name, Level.COMPONENT,
                    "The " + name + "'s limiter at each load point is the one forecast.",
                    new Expectation.LimitedBy(arm, points),
                    "the step log shows another limiter at any load point",
                    parents(MECHANISM), false));
        }
    }

    private static LimiterForecast limiter(PointForecast point, Arm arm) {
        return arm == Arm.BASELINE ? point.baselineLimiter() : point.candidateLimiter();
    }

    private void within(String id, Level level, Metric metric, List<String> follows, boolean decisive) {
        List<Band> bands = bands(metric);
        if (!bands.isEmpty()) {
            claims.add(new Claim(id, level,
                    capital(metric.label()) + " changes by the forecast ratio at each load point."
                            + Detectability.words(bands, proposal.measure().blocks()),
                    new Expectation.Within(metric.id(), bands),
                    "the interval of the observed ratio and the forecast interval do not meet at any load point",
                    follows, decisive));
        }
    }

    private List<Band> bands(Metric metric) {
        List<Band> bands = new ArrayList<>();
        for (PointForecast point : forecast.points()) {
            ratio(point, metric)
                    .ifPresent(q -> bands.add(new Band(point.offeredRps(), q.low(), q.estimate(), q.high(),
                            point.detectionLimit().getOrDefault(metric.id(), 0.0))));
        }
        return bands;
    }

    /** The server's mean inter-token latency follows the client's TPOT, which is what the forecast has. */
    private static Optional<Quantity> ratio(PointForecast point, Metric metric) {
        if (metric == Metric.KV_BYTES_PER_ROW) {
            Quantity bytes = point.ratio().get(Metric.KV_BYTES_PER_STEP.id());
            Quantity rows = point.ratio().get(Metric.DECODE_ROWS_PER_STEP.id());
            return bytes == null || rows == null || !(rows.estimate() > 0)
                    ? Optional.empty()
                    : Optional.of(around(bytes.estimate() / rows.estimate()));
        }
        String name = metric == Metric.ITL_MEAN_MS ? Metric.TPOT_P50_MS.id() : metric.id();
        return Optional.ofNullable(point.ratio().get(name));
    }

    private static Quantity around(double estimate) {
        return new Quantity(estimate, estimate * (1 - NEARLY), estimate * (1 + NEARLY));
    }

    private Optional<Metric> firstObservable(List<Metric> choices) {
        return choices.stream()
                .filter(m -> m.observable(observable))
                .filter(m -> forecast.points().stream().anyMatch(p -> ratio(p, m).isPresent()))
                .findFirst();
    }

    private boolean has(String id) {
        return claims.stream().anyMatch(c -> c.id().equals(id));
    }

    private List<String> parents(String wanted) {
        return has(wanted) ? List.of(wanted) : List.of(OUTPUTS);
    }

    private static String rates(List<Double> points) {
        return points.stream().map(p -> String.format(Locale.ROOT, "%.3g", p)).reduce((a, b) -> a + ", " + b)
                .orElse("no load point") + " requests/s";
    }

    private static String capital(String label) {
        return label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
    }
}
