package dev.assay.workload;

import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/** When requests arrive. Every process is reproduced by its seed alone. */
public sealed interface Arrivals {
    /** Independent exponential gaps with mean 1/rate: arrivals that do not know of each other. */
    record Poisson(double ratePerS) implements Arrivals {
        public Poisson {
            positive(ratePerS);
        }
    }

    /** Equal gaps of 1/rate. */
    record Constant(double ratePerS) implements Arrivals {
        public Constant {
            positive(ratePerS);
        }
    }

    /** Always {@code concurrency} requests in flight: one is scheduled at the moment that another ends. */
    record ClosedLoop(int concurrency) implements Arrivals {
        public ClosedLoop {
            if (concurrency < 1) {
                throw new IllegalArgumentException("concurrency is " + concurrency + "; expected 1 or more");
            }
        }
    }

    /** Maps each arrival time to the next one, in nanoseconds; start it with 0. All are 0 in a closed loop. */
    default LongUnaryOperator next(long seed) {
        SplittableRandom random = Seeds.stream(seed, Seeds.ARRIVALS, 0);
        return switch (this) {
            // 1 − u lies in (0, 1], so that the logarithm is finite.
            case Poisson p ->
                last -> last + Math.round(-Math.log(1 - random.nextDouble()) / p.ratePerS() * 1e9);
            case Constant c -> last -> last + Math.round(1e9 / c.ratePerS());
            case ClosedLoop _ -> last -> 0;
        };
    }

    private static void positive(double rate) {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException(
                    "rate is " + rate + "; expected requests per second, more than 0");
        }
    }
}
