package dev.assay.cli;

import dev.assay.workload.Arrivals;
import dev.assay.workload.Extent;
import dev.assay.workload.Slo;
import dev.assay.workload.WorkloadSpec;
import java.util.Map;
import picocli.CommandLine.Mixin;

/** What is sent and when: {@link ContentOptions} and {@link ArrivalOptions} of one run. */
public final class WorkloadOptions {
    @Mixin
    private final ArrivalOptions arrivals = new ArrivalOptions();

    @Mixin
    private final ContentOptions content = new ContentOptions();

    /** The seed of the run. */
    long seed() {
        return content.seed();
    }

    /** The objective of classes that have none of their own. */
    Slo slo() {
        return content.slo().orElse(Slo.none());
    }

    /** The objective of each class. */
    Map<String, Slo> slos(WorkloadSpec spec) {
        return spec.slos(slo());
    }

    /** Whether any class has an objective. */
    boolean hasSlo(WorkloadSpec spec) {
        return slos(spec).values().stream().anyMatch(s -> !s.equals(Slo.none()));
    }

    /** What is sent. */
    WorkloadSpec spec() {
        return arrivals.over(content.spec());
    }

    /** When it is sent: the options, else what the workload says, else Poisson arrivals at 1/s. */
    Arrivals arrivals(WorkloadSpec spec) {
        return arrivals.arrivals(spec);
    }

    /** How long it goes on. */
    Extent extent(Arrivals by) {
        return arrivals.extent(by);
    }
}
