package dev.assay.forecast;

import dev.assay.workload.RequestOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An engine's steps as a client sees them: the token events of all streams of a slot, gathered into the steps that
 * sent them.
 *
 * <p>The rows of a step leave the engine together, so events that are close together, no two of one stream, are one
 * step. The time between two steps is a step's duration only where some stream got consecutive tokens in both; other
 * pairs are left out. The prompts whose first token came with a step were computed in it, those longer than the token
 * budget in the steps before as well.
 */
final class StepTimeline {
    /** Events closer to a step's first event than this share of a usual gap belong to the step. */
    private static final double SAME_STEP = 0.4;
    private static final double USUAL_GAP_QUANTILE = 0.2;
    /** Gaps below this are tokens that travelled in one packet, not steps. */
    private static final long PACKET_NANOS = 100_000;

    /**
     * One observed step.
     *
     * @param atNanos its end, on the slot's clock
     * @param nanos its duration
     * @param decodeRows streams that got a token in it, their first excepted
     * @param kvTokens tokens that those rows attend
     * @param promptTokens tokens of prompts computed in it
     * @param prefillFlops operations of those
     */
    record Step(long atNanos, double nanos, int decodeRows, long kvTokens, long promptTokens,
            double prefillFlops) {}

    private record Event(long nanos, int stream, int index, int tokens) {}

    /** A step being gathered. */
    private static final class Group {
        final long first;
        final List<Event> events = new ArrayList<>();
        final Set<Integer> streams = new HashSet<>();
        long promptTokens;
        double prefillFlops;

        Group(long first) {
            this.first = first;
        }
    }

    private final StepArithmetic arithmetic;
    private final EngineSettings settings;

    StepTimeline(StepArithmetic arithmetic, EngineSettings settings) {
        this.arithmetic = arithmetic;
        this.settings = settings;
    }

    /** The steps whose duration can be told, in order of time. */
    List<Step> steps(List<RequestOutcome> outcomes) {
        double sameStep = sameStepNanos(outcomes);
        List<Group> groups = group(events(outcomes), sameStep);
        for (int g = 0; g < groups.size(); g++) {
            chargePrompts(groups, g, outcomes);
        }
        List<Step> steps = new ArrayList<>();
        for (int g = 1; g < groups.size(); g++) {
            if (plausible(groups, g, sameStep) && follows(groups.get(g - 1), groups.get(g))) {
                steps.add(step(groups.get(g - 1), groups.get(g), outcomes));
            }
        }
        return steps;
    }

    private static List<Event> events(List<RequestOutcome> outcomes) {
        List<Event> events = new ArrayList<>();
        for (int s = 0; s < outcomes.size(); s++) {
            RequestOutcome o = outcomes.get(s);
            for (int i = 0; i < o.contentNanos().length; i++) {
                events.add(new Event(o.contentNanos()[i], s, i, o.contentTokens()[i]));
            }
        }
        events.sort(Comparator.comparingLong(Event::nanos));
        return events;
    }

    private static double sameStepNanos(List<RequestOutcome> outcomes) {
        double[] gaps = outcomes.stream().flatMapToDouble(o -> {
            long[] at = o.contentNanos();
            double[] g = new double[Math.max(0, at.length - 1)];
            for (int i = 0; i < g.length; i++) {
                g[i] = at[i + 1] - at[i];
            }
            return Arrays.stream(g);
        }).filter(g -> g > PACKET_NANOS).sorted().toArray();
        return gaps.length == 0
                ? PACKET_NANOS
                : SAME_STEP * gaps[(int) (USUAL_GAP_QUANTILE * (gaps.length - 1))];
    }

    private static List<Group> group(List<Event> events, double sameStep) {
        List<Group> groups = new ArrayList<>();
        for (Event e : events) {
            Group last = groups.isEmpty() ? new Group(Long.MIN_VALUE / 2) : groups.getLast();
            if (groups.isEmpty() || e.nanos() - last.first > sameStep || last.streams.contains(e.stream())) {
                last = new Group(e.nanos());
                groups.add(last);
            }
            last.events.add(e);
            last.streams.add(e.stream());
        }
        return groups;
    }

    /** Charges the prompts whose first token came in group {@code g}, the last chunk to it and the others backwards. */
    private void chargePrompts(List<Group> groups, int g, List<RequestOutcome> outcomes) {
        for (Event e : groups.get(g).events) {
            if (e.index() > 0) {
                continue;
            }
            long left = promptTokens(outcomes.get(e.stream()));
            for (int i = g; i >= 0 && left > 0; i--) {
                Group group = groups.get(i);
                long room = settings.maxNumBatchedTokens() - group.streams.size() - group.promptTokens;
                long taken = Math.min(left, Math.max(1, room));
                group.promptTokens += taken;
                left -= taken;
                group.prefillFlops += arithmetic.prefillFlops(left, taken);
            }
        }
    }

    /** Whether neither this gap nor one beside it is so short that tokens must have been held up and sent together. */
    private static boolean plausible(List<Group> groups, int g, double sameStep) {
        for (int i = Math.max(1, g - 1); i <= Math.min(groups.size() - 1, g + 1); i++) {
            if (groups.get(i).first - groups.get(i - 1).first < sameStep) {
                return false;
            }
        }
        return true;
    }

    /** Whether a stream got consecutive tokens, one each, in both groups: then exactly one step lies between them. */
    private static boolean follows(Group before, Group after) {
        for (Event b : before.events) {
            for (Event a : after.events) {
                if (a.stream() == b.stream() && a.index() == b.index() + 1 && a.tokens() == 1) {
                    return true;
                }
            }
        }
        return false;
    }

    private Step step(Group before, Group after, List<RequestOutcome> outcomes) {
        int rows = 0;
        long kv = 0;
        for (Event e : after.events) {
            if (e.index() > 0) {
                rows++;
                kv += promptTokens(outcomes.get(e.stream())) + e.index();
            }
        }
        return new Step(after.first, after.first - before.first, Math.min(rows, settings.maxNumSeqs()), kv,
                after.promptTokens, after.prefillFlops);
    }

    /** Prompt tokens by the server, else as requested. */
    static int promptTokens(RequestOutcome outcome) {
        return (int) outcome.promptTokens().orElse(outcome.request().promptTokens());
    }
}
