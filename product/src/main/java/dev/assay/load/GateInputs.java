package dev.assay.load;

import java.util.Optional;

/**
 * What the validity gate of a run looks at beside its requests; kept with the run, so that anybody can repeat it.
 *
 * @param edition of the gate's rules, {@link #EDITION} today; evidence without it was judged by {@link Validity} alone
 */
public record GateInputs(int edition, Optional<RoundTrip> roundTripBefore, Optional<RoundTrip> roundTripAfter,
        Optional<Ceiling> ceiling) {
    /** The rules of {@link Gate}. */
    public static final int EDITION = 2;

    public GateInputs {
        if (edition != EDITION) {
            throw new IllegalArgumentException(
                    "gate edition is " + edition + "; expected " + EDITION);
        }
    }

    /** Inputs under today's rules. */
    public static GateInputs of(Optional<RoundTrip> before, Optional<RoundTrip> after,
            Optional<Ceiling> ceiling) {
        return new GateInputs(EDITION, before, after, ceiling);
    }

    /** Median round trip of both probes together in milliseconds, empty where there is none. */
    public Optional<Double> roundTripMs() {
        return roundTripBefore.flatMap(
                b -> roundTripAfter.map(a -> (a.medianMs() + b.medianMs()) / 2)
                        .or(() -> Optional.of(b.medianMs())));
    }
}
