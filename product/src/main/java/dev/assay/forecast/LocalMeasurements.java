package dev.assay.forecast;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the author measured beside the server and states with its interval, because no run of the baseline can tell it:
 * the block {@code measured} of {@code review.yaml}. All of it is optional.
 *
 * @param epilogue the share of a decode step that the fused kernels take, and how much faster they get
 * @param speculation how often a drafted token is accepted, and what drafting costs
 * @param collectives the time law of an all-reduce on either arm's path
 * @param bandwidthGbPerS the most bytes that one device streams a second, in units of 10^9: a step faster than its
 *     bytes over this is a fault of the measurement
 */
public record LocalMeasurements(Optional<Epilogue> epilogue, Optional<Speculation> speculation,
        Optional<Collectives> collectives, OptionalDouble bandwidthGbPerS) {
    /** Nothing was measured. */
    public static final LocalMeasurements NONE = new LocalMeasurements(Optional.empty(), Optional.empty(),
            Optional.empty(), OptionalDouble.empty());

    public LocalMeasurements {
        if (bandwidthGbPerS.isPresent() && !(bandwidthGbPerS.getAsDouble() > 0)) {
            throw new IllegalArgumentException("bandwidth_gb_per_s is " + bandwidthGbPerS.getAsDouble()
                    + "; expected more than 0");
        }
    }

    /**
     * Kernels of a decode step that a fused one replaces.
     *
     * @param share of the baseline's decode step that they take on its critical path
     * @param speedup old time of these kernels over new time; below 1 they get slower
     */
    public record Epilogue(Range share, Range speedup) {
        public Epilogue {
            atMostOne("epilogue.share", share);
            if (!(speedup.low() > 0)) {
                throw new IllegalArgumentException(
                        "epilogue.speedup begins at " + speedup.low() + "; expected more than 0");
            }
        }
    }

    /**
     * Speculative decoding.
     *
     * @param acceptance probability that a drafted token is accepted, given that those before it were
     * @param draftCost time of drafting one token over the time of a decode step of the target at the same rows
     */
    public record Speculation(Range acceptance, Range draftCost) {
        public Speculation {
            atMostOne("speculation.acceptance", acceptance);
        }
    }

    /** The paths of both arms; one that is not stated is taken from a wide prior. */
    public record Collectives(Optional<Link> baseline, Optional<Link> candidate) {}

    /**
     * An all-reduce takes alpha + wire bytes / rate, where a ring sends 2(t-1)/t of the payload.
     *
     * @param alphaUs latency of the smallest all-reduce, microseconds
     * @param gbPerS bus rate of large ones, 10^9 bytes a second
     */
    public record Link(Range alphaUs, Range gbPerS) {
        public Link {
            if (!(gbPerS.low() > 0)) {
                throw new IllegalArgumentException(
                        "gb_per_s begins at " + gbPerS.low() + "; expected more than 0");
            }
        }
    }

    private static void atMostOne(String name, Range range) {
        if (range.high() > 1) {
            throw new IllegalArgumentException(
                    name + " ends at " + range.high() + "; expected a share of at most 1");
        }
    }
}
