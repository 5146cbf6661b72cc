package dev.assay.review;

import dev.assay.workload.ArrivalLaw;
import dev.assay.workload.Arrivals;
import dev.assay.workload.Calibration;
import dev.assay.workload.Extent;
import dev.assay.workload.LengthDistribution;
import dev.assay.workload.PrefixGroups;
import dev.assay.workload.Request;
import dev.assay.workload.RequestClass;
import dev.assay.workload.WorkloadSpec;
import java.util.List;

/** The requests of each slot, from the proposal and the seed alone. */
final class Schedules {
    private static final double NANOS = 1e9;
    /** A slot at a low rate goes on until it has enough requests for a median. */
    static final int LEAST_REQUESTS = 8;

    private Schedules() {}

    /** The workload that a proposal names. */
    static WorkloadSpec spec(Proposal.Workload workload) {
        if (workload.preset().isPresent()) {
            return WorkloadSpec.presetOrFile(workload.preset().get());
        }
        if (workload.trace().isPresent()) {
            return WorkloadSpec.presetOrFile(workload.trace().get());
        }
        LengthDistribution input = LengthDistribution.parse(workload.inputTokens().orElseThrow());
        LengthDistribution output = LengthDistribution.parse(workload.outputTokens().orElseThrow());
        if (workload.prefixTokens().isEmpty()) {
            return WorkloadSpec.of(input, output);
        }
        PrefixGroups groups = new PrefixGroups("prefix", workload.prefixGroups().orElse(1),
                LengthDistribution.parse(workload.prefixTokens().get()));
        return WorkloadSpec.of("lengths", new WorkloadSpec.Content.Mix(List.of(RequestClass
                .of(WorkloadSpec.DEFAULT_CLASS, input, output).withPrefix(groups))));
    }

    /** How the requests of a proposal arrive. */
    static ArrivalLaw law(Proposal proposal) {
        return proposal.workload().arrivals().orElse(new ArrivalLaw.Poisson());
    }

    /** The requests of a slot: arrivals at the load point's rate, the same for both arms of a block. */
    static List<Request> slot(Proposal proposal, Calibration sizing, int block, int point) {
        return at(proposal, sizing, proposal.loadPoints().get(point),
                Plan.slotSeed(proposal.measure().seed(), block, point), proposal.measure().slotS());
    }

    /** Arrivals at a rate for some seconds, or until {@link #LEAST_REQUESTS} have arrived. */
    static List<Request> at(Proposal proposal, Calibration sizing, double rate, long seed, double seconds) {
        WorkloadSpec spec = spec(proposal.workload());
        Arrivals arrivals = law(proposal).at(rate);
        List<Request> slot = spec.schedule(arrivals, new Extent.Count(LEAST_REQUESTS), seed, sizing);
        return slot.getLast().arrivalNanos() >= nanos(seconds)
                ? slot
                : spec.schedule(arrivals, new Extent.Lasting(nanos(seconds)), seed, sizing);
    }

    static long nanos(double seconds) {
        return Math.round(seconds * NANOS);
    }
}
