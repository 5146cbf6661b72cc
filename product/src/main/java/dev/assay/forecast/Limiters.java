package dev.assay.forecast;

import dev.assay.model.ModelShape;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Names what limits a system from one slot's telemetry; the forecast applies the same rule to the twin's telemetry.
 *
 * <p>In this order: requests wait in at least {@value #WAITING_SHARE} of the steps: the reason that most of them wait
 * for. Else the engine has work for less than {@value #BUSY_SHARE} of the time: arrivals. Else the largest term of a
 * step: streaming weights, compute, reading KV, collectives, or what every step costs.
 */
public final class Limiters {
    /** A queue that is there in a smaller share of the steps does not bind. */
    public static final double WAITING_SHARE = 0.25;
    /** An engine that is busy for less than this share of the time is bound by arrivals. */
    public static final double BUSY_SHARE = 0.8;
    /** A KV pool used up to here has no page for another request. */
    static final double POOL_FULL = 0.95;
    /** A mean queue longer than this counts as a queue where the server does not count waits by reason. */
    static final double QUEUE_LENGTH = 0.5;
    /** As many sequences run as may, where their mean is above this share of the cap. */
    static final double SLOTS_FULL = 0.9;

    private Limiters() {}

    private record Term(Limiter limiter, double share) {}

    /**
     * The limiter of a slot; empty where the telemetry does not suffice.
     *
     * @param telemetry by {@link TelemetryNames}
     * @param settings of the arm
     * @param c the baseline's calibration, which splits a step's time into its terms
     */
    public static Optional<LimiterForecast> observed(Map<String, Double> telemetry, EngineSettings settings,
            ModelShape shape, Calibration c) {
        return observed(telemetry, settings, shape, c, LocalMeasurements.NONE);
    }

    /** The same where the author measured what the baseline cannot tell. */
    public static Optional<LimiterForecast> observed(Map<String, Double> telemetry, EngineSettings settings,
            ModelShape shape, Calibration c, LocalMeasurements measured) {
        CostModel cost = CostModel.of(shape, c.baseline(), settings, c.constants(),
                CostModel.Variation.none(c.region().maxDecodeRows()),
                Effects.of(c.baseline(), settings, measured, Effects.Deviates.CENTRAL));
        return classify(telemetry, settings, cost);
    }

    static Optional<LimiterForecast> classify(Map<String, Double> telemetry, EngineSettings settings,
            CostModel cost) {
        List<Term> terms = stepTerms(telemetry, cost);
        OptionalDouble busy = busyShare(telemetry);
        Optional<Term> queue = queueTerm(telemetry, settings);
        if (terms.isEmpty() || (busy.isEmpty() && queue.isEmpty())) {
            return Optional.empty();
        }
        Term step = terms.getFirst();
        if (queue.isPresent()) {
            Term q = queue.get();
            return Optional.of(new LimiterForecast(q.limiter(), q.share(), step.limiter(), step.share()));
        }
        if (busy.getAsDouble() < BUSY_SHARE) {
            return Optional.of(new LimiterForecast(Limiter.ARRIVALS, 1 - busy.getAsDouble(), step.limiter(),
                    step.share()));
        }
        Term next = terms.get(1);
        return Optional.of(new LimiterForecast(step.limiter(), step.share(), next.limiter(), next.share()));
    }

    /** The share of the time in which the engine had a step to compute. */
    private static OptionalDouble busyShare(Map<String, Double> t) {
        OptionalDouble stated = value(t, TelemetryNames.BUSY_SHARE);
        if (stated.isPresent()) {
            return stated;
        }
        // With Poisson arrivals and no queue the number that runs is about Poisson, hence not 0 with this probability.
        OptionalDouble running = value(t, TelemetryNames.RUNNING);
        return running.isPresent()
                ? OptionalDouble.of(1 - Math.exp(-running.getAsDouble()))
                : OptionalDouble.empty();
    }

    private static Optional<Term> queueTerm(Map<String, Double> t, EngineSettings settings) {
        OptionalDouble steps = value(t, TelemetryNames.STEPS);
        OptionalDouble cap = value(t, TelemetryNames.WAIT_CAP);
        if (steps.isEmpty() || cap.isEmpty() || steps.getAsDouble() == 0) {
            return queueFromGauges(t, settings);
        }
        Term slots = new Term(Limiter.BATCH_SLOTS, cap.getAsDouble() / steps.getAsDouble());
        Term pages = new Term(Limiter.KV_CAPACITY,
                value(t, TelemetryNames.WAIT_PAGES).orElse(0) / steps.getAsDouble());
        Term budget = new Term(Limiter.PREFILL_BUDGET,
                value(t, TelemetryNames.WAIT_BUDGET).orElse(0) / steps.getAsDouble());
        double all = slots.share() + pages.share() + budget.share();
        return all < WAITING_SHARE
                ? Optional.empty()
                : List.of(slots, pages, budget).stream().max(Comparator.comparingDouble(Term::share));
    }

    /** Servers that only say how many run and wait: which resource is used up decides. */
    private static Optional<Term> queueFromGauges(Map<String, Double> t, EngineSettings settings) {
        double waiting = value(t, TelemetryNames.WAITING).orElse(0);
        if (waiting < QUEUE_LENGTH) {
            return Optional.empty();
        }
        double slots = value(t, TelemetryNames.RUNNING).orElse(0) / settings.maxNumSeqs();
        double pool = value(t, TelemetryNames.KV_USAGE_PEAK).orElse(0);
        boolean preempted = value(t, TelemetryNames.PREEMPTIONS).orElse(0) > 0;
        if (pool > POOL_FULL || preempted) {
            return Optional.of(new Term(Limiter.KV_CAPACITY, Math.min(1, pool)));
        }
        return Optional.of(slots >= SLOTS_FULL
                ? new Term(Limiter.BATCH_SLOTS, Math.min(1, slots))
                : new Term(Limiter.PREFILL_BUDGET,
                        Math.min(1, waiting / (waiting + slots * settings.maxNumSeqs()))));
    }

    /** The terms of a mean step, largest first; measured shares stand before modelled ones. */
    private static List<Term> stepTerms(Map<String, Double> t, CostModel cost) {
        OptionalDouble rows = value(t, TelemetryNames.DECODE_ROWS);
        if (rows.isEmpty()) {
            return List.of();
        }
        double prefillTokens = Math.max(0, value(t, TelemetryNames.TOKENS).orElse(rows.getAsDouble())
                - rows.getAsDouble());
        double compute = cost.computeNanos(rows.getAsDouble(),
                cost.arithmetic().prefillFlops(0, 1) * prefillTokens);
        double weights = cost.weightNanos();
        double attention = value(t, TelemetryNames.KV_BYTES)
                .orElse(0) / cost.arithmetic().kvBytesPerToken();
        double gemm = cost.overlapped() ? Math.max(weights, compute) : weights + compute;
        double kv = cost.kvNanos(attention);
        double total = cost.otherNanos(rows.getAsDouble(), prefillTokens, attention) + gemm + kv;
        if (!(total > 0)) {
            return List.of();
        }
        OptionalDouble blocks = value(t, TelemetryNames.GEMM_SHARE);
        double gemmShare = blocks.isPresent()
                ? Math.min(1, blocks.getAsDouble() / cost.arithmetic().blocksShare())
                : gemm / total;
        double kvShare = value(t, TelemetryNames.ATTENTION_SHARE).orElse(kv / total);
        double both = weights + compute;
        double rest = Math.max(0, 1 - gemmShare - kvShare);
        double collective = Math.min(rest,
                cost.collectiveNanos(rows.getAsDouble() + prefillTokens) / total);
        double launch = rest - collective;
        double weightPart = both > 0
                ? gemmShare * (cost.overlapped() ? larger(weights, compute) : weights / both)
                : 0;
        double computePart = both > 0
                ? gemmShare * (cost.overlapped() ? larger(compute, weights) : compute / both)
                : 0;
        Stream<Term> inside = Stream.of(new Term(Limiter.WEIGHT_BANDWIDTH, weightPart),
                new Term(Limiter.COMPUTE, computePart), new Term(Limiter.KV_BANDWIDTH, kvShare),
                new Term(Limiter.LAUNCH, launch));
        Stream<Term> between = collective > 0
                ? Stream.of(new Term(Limiter.COLLECTIVE, collective))
                : Stream.empty();
        return Stream.concat(inside, between)
                .sorted(Comparator.comparingDouble(Term::share).reversed()).toList();
    }

    /** Where two terms overlap the larger takes all the time and the other its own, hidden share of it. */
    private static double larger(double own, double other) {
        return own >= other ? 1 : own / other;
    }

    private static OptionalDouble value(Map<String, Double> t, String name) {
        Double v = t.get(name);
        return v == null || !Double.isFinite(v) ? OptionalDouble.empty() : OptionalDouble.of(v);
    }
}
