package dev.assay.load.curve;

import dev.assay.load.curve.Tally.Verdict;
import dev.assay.stats.HighestLoad;
import dev.assay.stats.Isotonic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The search for the highest load that meets an SLO, as a pure function from the slots so far to the next one: it
 * doubles until a load misses, halves the bracket on the logarithm of the load, and then confirms both ends with slots
 * just long enough. It assumes that the share of good requests does not rise with the load.
 *
 * <p>Each decision is taken at level {@code 1 - error / (4 looks)}, so that neither looking again after an open slot nor
 * deciding some loads near the limit adds to the error.
 */
public record LoadSearch(SearchSettings settings) {

    /** A slot lasts at least this many times as long as a request is in the server. */
    private static final double TURNOVERS = 8;
    /** Decisions that can go wrong: two loads near the limit on each side of it. */
    private static final int CONTESTED = 4;

    /** What to do after these slots, in the order in which they were measured. */
    public Step next(List<Observation> slots) {
        Optional<Step> repeat = repeat(slots);
        if (repeat.isPresent()) {
            return repeat.get();
        }
        List<Tally> loads = tallies(slots);
        if (slots.size() >= settings.slots()) {
            return done(loads, "stopped after " + slots.size() + " slots");
        }
        if (loads.isEmpty()) {
            return explore(loads, settings.start());
        }
        Optional<Tally> miss = loads.stream().filter(t -> leans(t, true)).findFirst();
        Optional<Tally> meet = loads.reversed().stream().filter(t -> leans(t, false))
                .filter(t -> miss.isEmpty() || t.load() < miss.get().load()).findFirst();
        if (miss.isEmpty()) {
            return upwards(loads);
        }
        if (meet.isEmpty()) {
            return downwards(loads, miss.get());
        }
        return miss.get().load() / meet.get().load() > settings.resolution() * (1 + 1e-9)
                ? explore(loads, Math.sqrt(miss.get().load() * meet.get().load()))
                : confirm(loads, meet.get(), miss.get());
    }

    /** The bracket as far as these slots show it. */
    public Found found(List<Observation> slots, String reason) {
        return found(reason, tallies(slots));
    }

    /** The level of one decision. */
    public double decisionLevel() {
        return 1 - settings.error() / settings.looks() / CONTESTED;
    }

    /**
     * The load below which nothing can be shown to meet the target: if every request of every slot allowed there were
     * good, the slots would still be too short to tell (Wilson's lower bound of n out of n is n / (n + z²)).
     */
    public double leastShown() {
        double z = z();
        double trials = z * z * settings.target() / (1 - settings.target());
        return trials / ((settings.looks() + 1) * settings.slotSeconds());
    }

    private double z() {
        return NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - decisionLevel()) / 2);
    }

    private Optional<Step> repeat(List<Observation> slots) {
        if (slots.isEmpty() || slots.getLast().valid()) {
            return Optional.empty();
        }
        Observation last = slots.getLast();
        long failed = slots.stream().filter(o -> !o.valid() && o.load() == last.load()).count();
        return Optional.of(failed < 2
                ? new Step.Ask(last.load(), last.trials(), Step.Purpose.REPEAT)
                : done(tallies(slots), text("two slots at %.4g/s were not valid", last.load())));
    }

    private Step upwards(List<Tally> loads) {
        Tally highest = loads.getLast();
        if (highest.load() < settings.most()) {
            return explore(loads, Math.min(settings.most(), 2 * highest.load()));
        }
        return open(highest)
                ? confirming(highest)
                : done(loads, text("the highest load allowed, %.4g/s, does not miss", highest.load()));
    }

    private Step downwards(List<Tally> loads, Tally miss) {
        if (miss.load() > settings.least()) {
            return explore(loads, Math.max(settings.least(), miss.load() / 2));
        }
        return open(miss)
                ? confirming(miss)
                : done(loads, text("the lowest load allowed, %.4g/s, misses", miss.load()));
    }

    /**
     * Settles the ends nearest to the limit. A load so near to it that the slots allowed could not tell is passed over
     * for one a step farther out: testing it again and again would cost most and err most.
     */
    private Step confirm(List<Tally> loads, Tally meet, Tally miss) {
        return settle(loads, meet.load(), Verdict.MEETS)
                .or(() -> settle(loads, miss.load(), Verdict.MISSES))
                .orElseGet(() -> done(loads,
                        found("", loads).bracketed() ? "both ends confirmed" : openEnd(meet, miss)));
    }

    private String openEnd(Tally meet, Tally miss) {
        Tally end = verdict(miss) == Verdict.OPEN ? miss : meet;
        double needed = Math.max(1, needed(end));
        return String.format(Locale.ROOT,
                "an end stays open: at %.3g/s about %.0f more requests would tell, %.0f s", end.load(),
                needed,
                needed / end.load())
                + (meet.load() < leastShown()
                        ? text("; slots as short as these show no load below %.3g/s to meet it", leastShown())
                        : "");
    }

    /** The next slot on one side of the limit; empty where that side is settled or the loads allowed end. */
    private Optional<Step> settle(List<Tally> loads, double end, Verdict wanted) {
        boolean down = wanted == Verdict.MEETS;
        double factor = down ? 1 / settings.resolution() : settings.resolution();
        double rung = end;
        for (double steps = 0; rung >= settings.least()
                && rung <= settings.most(); steps = Math.max(1, 2 * steps)) {
            rung = end * Math.pow(factor, steps);
            if (down && rung < leastShown()) {
                return Optional.empty();
            }
            Optional<Tally> near = near(loads, rung);
            if (near.isEmpty()) {
                double clamped = Math.clamp(rung, settings.least(), settings.most());
                return near(loads, clamped).isPresent()
                        ? Optional.empty()
                        : Optional.of(explore(loads, clamped));
            }
            Tally t = near.get();
            if (verdict(t) == wanted) {
                return Optional.empty();
            }
            if (leans(t, !down) && open(t) && needed(t) <= most(t) * (settings.looks() + 1 - t.slots())) {
                return Optional.of(confirming(t));
            }
        }
        return Optional.empty();
    }

    /** The load that stands for a rung: the nearest within half a step. */
    private Optional<Tally> near(List<Tally> loads, double rung) {
        return loads.stream().filter(t -> off(t, rung) <= Math.log(settings.resolution()) / 2 + 1e-9)
                .min(Comparator.comparingDouble(t -> off(t, rung)));
    }

    private static double off(Tally t, double load) {
        return Math.abs(Math.log(t.load() / load));
    }

    private boolean leans(Tally t, boolean toMiss) {
        return t.leansToMiss(settings.target()) == toMiss;
    }

    private Verdict verdict(Tally t) {
        return t.verdict(settings.target(), decisionLevel());
    }

    private boolean open(Tally t) {
        return verdict(t) == Verdict.OPEN && t.slots() < settings.looks() + 1;
    }

    /**
     * A slot that shows the way. It outlasts the requests in the server several times: before the first of them have
     * left, an overloaded server looks like an idle one.
     */
    private Step explore(List<Tally> loads, double load) {
        double latency = loads.stream().min(Comparator.comparingDouble(t -> off(t, load)))
                .map(t -> t.inFlight() / t.load()).orElse(0.0);
        double turnovers = TURNOVERS * latency * load;
        return new Step.Ask(load, (int) Math.clamp(turnovers, settings.coarse(),
                Math.max(settings.full(), settings.coarse() * TURNOVERS)), Step.Purpose.BRACKET);
    }

    private Step confirming(Tally t) {
        return new Step.Ask(t.load(), (int) Math.min(Math.max(needed(t), settings.coarse()), most(t)),
                Step.Purpose.CONFIRM);
    }

    /** How many more requests would settle a load if its share were what was seen, a quarter more for good measure. */
    private double needed(Tally t) {
        double z = z();
        double target = settings.target();
        // What was seen is pulled towards the target by one trial, as few trials overstate the distance.
        double share = (t.share() * t.effective() + target) / (t.effective() + 1);
        double gap = Math.max(1e-4, Math.abs(share - target));
        double settled = Math.max(z * z * share * (1 - share) / (gap * gap),
                share > target ? z * z * target / (1 - target) : 0);
        return Math.max(1.25 * settled * t.correlationTime(), share > target ? t.settling() : 0) - t.trials();
    }

    /** Most requests of one slot that confirms. */
    private double most(Tally t) {
        return Math.min(Math.max(settings.full(), t.settling()),
                Math.max(1, Math.floor(settings.slotSeconds() * t.load())));
    }

    private Step.Done done(List<Tally> loads, String reason) {
        return new Step.Done(found(reason, loads));
    }

    private Found found(String reason, List<Tally> loads) {
        OptionalDouble meets = loads.stream().filter(t -> verdict(t) == Verdict.MEETS)
                .mapToDouble(Tally::load).max();
        OptionalDouble misses = loads.stream().filter(t -> verdict(t) == Verdict.MISSES)
                .mapToDouble(Tally::load).filter(l -> meets.isEmpty() || l > meets.getAsDouble()).min();
        String changed = loads.stream()
                .filter(t -> verdict(t) == Verdict.MISSES && t.load() < meets.orElse(0))
                .findFirst()
                .map(t -> text("; but %.3g/s missed: the server changed while it was measured", t.load()))
                .orElse("");
        return new Found(meets, estimate(loads), misses, reason + changed);
    }

    private OptionalDouble estimate(List<Tally> loads) {
        if (loads.isEmpty()) {
            return OptionalDouble.empty();
        }
        double[] shares = Isotonic.falling(loads.stream().mapToDouble(Tally::share).toArray(),
                loads.stream().mapToDouble(Tally::effective).toArray());
        double crossing = HighestLoad.of(loads.stream().mapToDouble(Tally::load).toArray(), shares,
                settings.target());
        return Double.isFinite(crossing) ? OptionalDouble.of(crossing) : OptionalDouble.empty();
    }

    private static List<Tally> tallies(List<Observation> slots) {
        TreeMap<Double, List<Observation>> byLoad = new TreeMap<>();
        slots.stream().filter(Observation::valid)
                .forEach(o -> byLoad.computeIfAbsent(o.load(), _ -> new ArrayList<>()).add(o));
        List<Tally> own = byLoad.entrySet().stream().map(e -> Tally.of(e.getKey(), e.getValue())).toList();
        // Dependence grows with the load, so what lower loads show of it holds for a slot too lucky to show its own.
        double[] falling = Isotonic.falling(own.stream().mapToDouble(t -> -t.correlationTime()).toArray(),
                own.stream().mapToDouble(Tally::trials).toArray());
        List<Tally> tallies = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            tallies.add(own.get(i).withCorrelationTime(Math.max(own.get(i).correlationTime(), -falling[i])));
        }
        return List.copyOf(tallies);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
