package dev.assay.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The conversations of a trace in their order. */
final class TraceSource implements Session.Source {
    private final Trace trace;
    private final TraceIndex index;
    private final WorkloadSpec spec;
    private final long seed;
    private final boolean once;
    private final Optional<TracePattern> pattern;
    private final int start;
    private long taken;

    /**
     * @param by a replay goes from the first row to the last, all others from one drawn by the seed, around and around
     */
    TraceSource(Trace trace, TraceIndex index, WorkloadSpec spec, long seed, Arrivals by) {
        this.trace = trace;
        this.index = index;
        this.spec = spec;
        this.seed = seed;
        this.once = by instanceof Arrivals.Replay;
        this.pattern = by instanceof Arrivals.Pattern p
                ? Optional.of(TracePattern.of(trace, index, p, seed))
                : Optional.empty();
        this.start = once
                ? 0
                : pattern.map(TracePattern::first).orElseGet(
                        () -> Seeds.stream(seed, Seeds.LENGTHS, -1).nextInt(index.heads().length));
    }

    @Override
    public OptionalInt requests() {
        return once && spec.turns().isEmpty() ? OptionalInt.of(trace.rows().size()) : OptionalInt.empty();
    }

    @Override
    public Optional<Session> next(int firstId) {
        int n = index.heads().length;
        if (once && taken >= n) {
            return Optional.empty();
        }
        int head = index.heads()[(int) ((start + taken) % n)];
        // Each time around has texts of its own, or a prefix cache would know every prompt already.
        long round = (start + taken) / n;
        int most = spec.turns().isEmpty()
                ? Integer.MAX_VALUE
                : spec.turns().get().sample(Seeds.stream(seed, Seeds.TURNS, taken));
        long nanos = trace.rows().get(head).arrivalNanos();
        long at = pattern.map(p -> p.at(nanos, round)).orElse(nanos);
        taken++;
        List<Session.Draft> drafts = new ArrayList<>();
        int history = 0;
        for (int row = head; row >= 0 && drafts.size() < most; row = index.after(row)) {
            Trace.Row r = trace.rows().get(row);
            int fresh = Math.max(1, r.inputTokens() - history);
            int prompt = history + fresh;
            long think = drafts.isEmpty() ? 0 : think(r, firstId + drafts.size());
            drafts.add(new Session.Draft(plan(r, fresh, round), prompt, r.outputTokens(), think));
            history = prompt + r.outputTokens();
        }
        return Optional.of(new Session(at, WorkloadSpec.DEFAULT_CLASS, drafts));
    }

    private long think(Trace.Row row, int id) {
        return spec.think().isEmpty()
                ? row.thinkNanos()
                : spec.think().get().nanos(Seeds.stream(seed, Seeds.THINKING, id));
    }

    private PromptPlan plan(Trace.Row row, int fresh, long round) {
        return row.blocks().size() == 0
                ? new PromptPlan.Words(fresh)
                : new PromptPlan.Blocks(row.blocks(), round, trace.blockTokens(), row.inputTokens() - fresh,
                        row.inputTokens());
    }
}
