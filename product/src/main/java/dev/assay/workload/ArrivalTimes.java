package dev.assay.workload;

import dev.assay.workload.Arrivals.Constant;
import dev.assay.workload.Arrivals.Gamma;
import dev.assay.workload.Arrivals.Poisson;
import dev.assay.workload.Arrivals.Ramp;
import dev.assay.workload.Arrivals.Times;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.apache.commons.statistics.distribution.GammaDistribution;

/** How each arrival process makes its times. */
final class ArrivalTimes {
    private static final double NANOS_PER_S = 1e9;

    private ArrivalTimes() {}

    static Times poisson(Poisson p, SplittableRandom random) {
        return new Gaps(() -> exponential(random) / p.ratePerS());
    }

    /** A gamma renewal process in its stationary state: the first gap is uniform in a length-biased one. */
    static Times gamma(Gamma g, SplittableRandom random) {
        double scale = 1 / (g.ratePerS() * g.burstiness());
        var gap = GammaDistribution.of(g.burstiness(), scale).createSampler(random::nextLong);
        // The length-biased law of Gamma(k, θ) is Gamma(k + 1, θ) (Cox, Renewal Theory, 1962, section 5.4).
        double first = random.nextDouble()
                * GammaDistribution.of(g.burstiness() + 1, scale).createSampler(random::nextLong).sample();
        boolean[] started = {false};
        return new Gaps(() -> {
            if (started[0]) {
                return gap.sample();
            }
            started[0] = true;
            return first;
        });
    }

    /** Equal gaps whose rounding does not add up: the n-th arrival is at n/rate. */
    static Times even(Constant c) {
        double nanosPerRequest = NANOS_PER_S / c.ratePerS();
        long[] count = {0};
        return () -> Math.round(++count[0] * nanosPerRequest);
    }

    /** Unit exponential gaps through the inverse of the cumulative rate Λ(t) = from·t + slope·t²/2. */
    static Times ramp(Ramp r, SplittableRandom random) {
        double seconds = r.durationNanos() / NANOS_PER_S;
        double slope = (r.toPerS() - r.fromPerS()) / seconds;
        double whole = seconds * (r.fromPerS() + r.toPerS()) / 2;
        double[] mass = {0};
        return () -> {
            mass[0] += exponential(random);
            if (mass[0] > whole) {
                return Times.END;
            }
            // The root of the quadratic in the form that loses no digits where the slope is small.
            double root = Math.sqrt(Math.max(0, r.fromPerS() * r.fromPerS() + 2 * slope * mass[0]));
            return Math.min(r.durationNanos(),
                    Math.round(2 * mass[0] / (r.fromPerS() + root) * NANOS_PER_S));
        };
    }

    /** A unit exponential number; 1 − u lies in (0, 1], so that the logarithm is finite. */
    private static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }

    /** Gaps in seconds, added up in whole nanoseconds. */
    private static final class Gaps implements Times {
        private final DoubleSupplier gapSeconds;
        private long last;

        Gaps(DoubleSupplier gapSeconds) {
            this.gapSeconds = gapSeconds;
        }

        @Override
        public long nextNanos() {
            last += Math.round(gapSeconds.getAsDouble() * NANOS_PER_S);
            return last;
        }
    }
}
