package dev.assay.load.curve;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * How long a curve will take, before it is measured: the plan is gone through against imagined servers whose limits lie
 * at several loads.
 *
 * @param likelyLowSeconds a quarter of the imagined servers took at most this long
 * @param likelySeconds half of them
 * @param likelyHighSeconds three quarters of them
 * @param mostSeconds every slot there may be, each as long as it may be and each with its last request at the time limit
 * @param mostSlots so many slots
 * @param slowBelowRps below this load {@code mostSeconds} does not hold, as the fewest requests of a slot take longer;
 *     absent where no load that may be tried is so low
 */
public record TimeNeeded(double likelyLowSeconds, double likelySeconds, double likelyHighSeconds,
        double mostSeconds, int mostSlots, Optional<Double> slowBelowRps) {
    private static final double NANOS = 1e9;
    /** What a slot takes beside its requests: the round trips and scrapes at its ends. */
    private static final double EDGES_SECONDS = 0.3;
    /** A request's stay in an idle server where nothing is known of it. */
    private static final double STAY_SECONDS = 0.5;
    /** Warm-ups of most servers end before this. */
    private static final double WARM_SECONDS = 6;
    /** Last requests of a warm-up after its limit. */
    private static final double WARM_DRAIN_SECONDS = 20;
    /** Where the limit may lie, as multiples of the load at which the search begins. */
    private static final List<Double> LIMITS = List.of(0.5, 1.4, 2.8, 5.6, 11.0, 23.0, 45.0);

    /** The time of a whole plan that has not begun, with a warm-up of at most so long. */
    public static TimeNeeded of(CurvePlan plan, SlotSize size, long timeLimitNanos, double warmupSeconds) {
        double limit = timeLimitNanos / NANOS;
        double[] times = times(plan, size, limit);
        double warm = Math.min(warmupSeconds, WARM_SECONDS);
        double arrivals = slowest(plan, size);
        double slow = size.slowLoad();
        boolean search = plan.pending().isEmpty();
        return new TimeNeeded(warm + quantile(times, 0.25), warm + quantile(times, 0.5),
                warm + quantile(times, 0.75),
                plan.mostSlots() * (arrivals + limit)
                        + (warmupSeconds > 0 ? warmupSeconds + WARM_DRAIN_SECONDS : 0),
                plan.mostSlots(), search && plan.search().settings().least() < slow
                        ? Optional.of(slow)
                        : Optional.empty());
    }

    /** What is left of a plan, by what its slots have shown of the server. */
    public static double left(CurvePlan plan, SlotSize size, long timeLimitNanos) {
        return quantile(times(plan, size, timeLimitNanos / NANOS), 0.5);
    }

    private static double slowest(CurvePlan plan, SlotSize size) {
        return Math.max(size.mostSeconds(), plan.pending().stream()
                .mapToDouble(load -> size.requests(load, plan.requests()) / load).max().orElse(0));
    }

    private static double[] times(CurvePlan plan, SlotSize size, double timeLimit) {
        double stay = plan.slots().stream().filter(Observation::valid)
                .mapToDouble(o -> o.inFlight() / o.load()).min().orElse(STAY_SECONDS);
        return limits(plan).mapToObj(k -> new Imagined(plan.search().settings().target(), k, stay))
                .mapToDouble(server -> through(plan.copy(), size, timeLimit, server)).sorted().toArray();
    }

    private static double through(CurvePlan plan, SlotSize size, double timeLimit, Imagined server) {
        double seconds = 0;
        for (Optional<CurvePlan.Next> next = plan.next(); next.isPresent(); next = plan.next()) {
            double load = next.get().load();
            int all = size.requests(load, next.get().requests());
            seconds += all / load + server.draining(load, all / load, timeLimit) + EDGES_SECONDS;
            plan.add(server.slot(load, all - size.leadIn(all)));
        }
        return seconds;
    }

    /** Limits that what was seen allows. */
    private static DoubleStream limits(CurvePlan plan) {
        SearchSettings settings = plan.search().settings();
        double low = 0;
        double high = Double.POSITIVE_INFINITY;
        for (Observation o : plan.slots()) {
            if (o.valid() && !o.saturated() && o.hits() >= settings.target() * o.trials()) {
                low = Math.max(low, o.load());
            }
        }
        for (Observation o : plan.slots()) {
            if (o.valid() && (o.saturated() || o.hits() < settings.target() * o.trials())
                    && o.load() > low) {
                high = Math.min(high, o.load());
            }
        }
        List<Double> limits = new ArrayList<>();
        if (low > 0 && high < Double.POSITIVE_INFINITY) {
            double step = Math.pow(high / low, 0.25);
            limits.addAll(List.of(low * step, low * step * step, low * step * step * step));
        } else {
            double from = low > 0 ? low : Math.min(high, begin(plan));
            for (double factor : LIMITS) {
                double limit = from * factor;
                if (limit > low && limit < high) {
                    limits.add(limit);
                }
            }
        }
        return limits.stream().mapToDouble(k -> k);
    }

    /** Where nothing was measured: the load at which the search begins, or the middle one of those given. */
    private static double begin(CurvePlan plan) {
        List<Double> given = plan.pending().stream().sorted().toList();
        return given.isEmpty() ? plan.search().settings().start() : given.get(given.size() / 2);
    }

    private static double quantile(double[] sorted, double q) {
        double at = q * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
