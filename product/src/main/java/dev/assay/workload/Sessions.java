package dev.assay.workload;

import dev.assay.AssayException;
import dev.assay.workload.WorkloadSpec.Content;

/** The sessions of a workload under one kind of arrivals and one seed; each iteration asks for a source of its own. */
final class Sessions {
    private final WorkloadSpec spec;
    private final long seed;
    private final boolean replayed;
    private final TraceIndex index;

    Sessions(WorkloadSpec spec, Arrivals arrivals, long seed) {
        this.spec = spec;
        this.seed = seed;
        this.replayed = arrivals instanceof Arrivals.Replay;
        this.index = spec.content() instanceof Content.Traced t
                ? TraceIndex.of(t.trace())
                : TraceIndex.NONE;
        if (replayed && !spec.recordsTimes()) {
            throw AssayException.misuse("workload '" + spec.name()
                    + "' has no recorded times; expected a trace, or another kind of arrivals");
        }
    }

    Session.Source source() {
        return switch (spec.content()) {
            case Content.Mix mix -> new MixSource(mix.classes(), seed);
            case Content.Traced t -> new TraceSource(t.trace(), index, spec, seed, replayed);
            case Content.Clients c -> c.profiles().source(seed, replayed);
            case Content.Chats c -> new ChatSource(c.file(), spec, seed);
        };
    }
}
