package dev.assay.workload;

import dev.assay.AssayException;
import dev.assay.workload.WorkloadSpec.Content;

/** The sessions of a workload under one kind of arrivals and one seed; each iteration asks for a source of its own. */
final class Sessions {
    private final WorkloadSpec spec;
    private final long seed;
    private final Arrivals arrivals;
    private final TraceIndex index;

    Sessions(WorkloadSpec spec, Arrivals arrivals, long seed) {
        this.spec = spec;
        this.seed = seed;
        this.arrivals = arrivals;
        this.index = spec.content() instanceof Content.Traced t
                ? TraceIndex.of(t.trace())
                : TraceIndex.NONE;
        if (arrivals instanceof Arrivals.Pattern && !(spec.content() instanceof Content.Traced)) {
            throw AssayException.misuse("workload '" + spec.name()
                    + "' has no recorded arrivals to stretch; expected an Azure, BurstGPT, Mooncake or Qwen-Bailian"
                    + " trace, or another kind of arrivals");
        }
        if (arrivals instanceof Arrivals.Replay && !spec.recordsTimes()) {
            throw AssayException.misuse("workload '" + spec.name()
                    + "' has no recorded times; expected a trace, or another kind of arrivals");
        }
    }

    Session.Source source() {
        return switch (spec.content()) {
            case Content.Mix mix -> new MixSource(mix.classes(), seed);
            case Content.Traced t -> new TraceSource(t.trace(), index, spec, seed, arrivals);
            case Content.Clients c -> c.profiles().source(seed, arrivals instanceof Arrivals.Replay);
            case Content.Chats c -> new ChatSource(c.file(), spec, seed);
        };
    }
}
