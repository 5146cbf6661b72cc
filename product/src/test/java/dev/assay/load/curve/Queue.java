package dev.assay.load.curve;

import dev.assay.stats.ShareEstimate;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A queue with Poisson arrivals, {@code servers} exponential servers of rate 1 and one line, whose share of requests
 * that wait at most {@code bound} is known in closed form (Erlang's C formula, 1917).
 */
record Queue(int servers, double bound) {

    /** Steady-state share of requests that wait at most {@code bound}. */
    double share(double load) {
        if (load >= servers) {
            return 0;
        }
        double term = 1;
        double sum = 1;
        for (int k = 1; k < servers; k++) {
            term *= load / k;
            sum += term;
        }
        double last = term * load / servers * servers / (servers - load);
        double waits = last / (sum + last);
        return 1 - waits * Math.exp(-(servers - load) * bound);
    }

    /** The highest load whose share meets the target. */
    double capacity(double target) {
        double low = 0;
        double high = servers;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (share(middle) >= target) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** One slot from an empty system: {@code leadIn} requests that do not count, then those that do. */
    Observation slot(double load, int requests, int leadIn, SplittableRandom random) {
        PriorityQueue<Double> free = new PriorityQueue<>();
        for (int i = 0; i < servers; i++) {
            free.add(0.0);
        }
        boolean[] good = new boolean[requests];
        double[] waits = new double[requests];
        double now = 0;
        double inside = 0;
        for (int i = -leadIn; i < requests; i++) {
            now += -Math.log(1 - random.nextDouble()) / load;
            double begins = Math.max(now, free.remove());
            double ends = begins - Math.log(1 - random.nextDouble());
            free.add(ends);
            inside += (ends - now) / (requests + leadIn);
            if (i >= 0) {
                waits[i] = begins - now;
                good[i] = begins - now <= bound;
            }
        }
        ShareEstimate share = ShareEstimate.of(good, waits, 0.95);
        return new Observation(load, share.hits(), requests, share.correlationTime(), load * inside, false,
                true);
    }
}
