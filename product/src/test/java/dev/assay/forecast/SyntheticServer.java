package dev.assay.forecast;

import dev.assay.workload.Request;
import dev.assay.workload.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * A server with a known step law, written as a plain loop apart from scheduler and twin: the control for both. It
 * serves a schedule and records it as a client would, with delays on the way.
 */
final class SyntheticServer {
    /** Nanoseconds of a step with {@code rows} decode rows over {@code kvTokens} and {@code promptTokens} prefilled. */
    interface Law {
        double nanos(int rows, int promptTokens, long kvTokens);
    }

    private final int cap;
    private final int budget;
    private final Law law;
    private final double overheadNanos;
    private final double jitterNanos;
    private final double stepSd;

    /**
     * A server.
     *
     * @param overheadNanos before a request reaches the queue
     * @param jitterNanos mean of the exponential delay of each event to the client
     * @param stepSd log-normal spread of single steps
     */
    SyntheticServer(int cap, int budget, Law law, double overheadNanos, double jitterNanos, double stepSd) {
        this.cap = cap;
        this.budget = budget;
        this.law = law;
        this.overheadNanos = overheadNanos;
        this.jitterNanos = jitterNanos;
        this.stepSd = stepSd;
    }

    private static final class Job {
        final Request request;
        final List<Long> at = new ArrayList<>();
        int prefilled;

        Job(Request request) {
            this.request = request;
        }

        boolean decoding() {
            return !at.isEmpty();
        }

        boolean done() {
            return at.size() == request.outputTokens();
        }
    }

    List<RequestOutcome> serve(List<Request> schedule, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Job> all = schedule.stream().map(Job::new).toList();
        List<Job> running = new ArrayList<>();
        int next = 0;
        double now = 0;
        while (next < all.size() || !running.isEmpty()) {
            if (running.isEmpty()) {
                now = Math.max(now, all.get(next).request.arrivalNanos() + overheadNanos);
            }
            List<Job> decoding = running.stream().filter(Job::decoding).toList();
            int left = budget - decoding.size();
            int[] taken = new int[cap];
            int prompts = 0;
            for (int i = 0; i < running.size() && left > 0; i++) {
                Job j = running.get(i);
                if (!j.decoding()) {
                    taken[i] = Math.min(left, j.request.promptTokens() - j.prefilled);
                    left -= taken[i];
                    prompts += taken[i];
                }
            }
            while (next < all.size() && running.size() < cap && left > 0
                    && all.get(next).request.arrivalNanos() + overheadNanos <= now) {
                Job j = all.get(next++);
                running.add(j);
                taken[running.size() - 1] = Math.min(left, j.request.promptTokens());
                left -= taken[running.size() - 1];
                prompts += taken[running.size() - 1];
            }
            long kv = decoding.stream().mapToLong(j -> j.request.promptTokens() + j.at.size()).sum();
            now += law.nanos(decoding.size(), prompts, kv) * Math.exp(stepSd * random.nextGaussian());
            for (int i = 0; i < running.size(); i++) {
                Job j = running.get(i);
                j.prefilled += taken[i];
                if (j.decoding() || j.prefilled == j.request.promptTokens()) {
                    j.at.add(Math.round(now - jitterNanos * Math.log(1 - random.nextDouble())));
                }
            }
            running.removeIf(Job::done);
        }
        return all.stream().map(SyntheticServer::outcome).toList();
    }

    private static RequestOutcome outcome(Job j) {
        long[] at = j.at.stream().mapToLong(Long::longValue).sorted().toArray();
        int[] one = new int[at.length];
        java.util.Arrays.fill(one, 1);
        return new RequestOutcome(j.request, OptionalLong.of(j.request.arrivalNanos()),
                OptionalLong.of(at[0]), OptionalLong.of(at[0]), OptionalLong.of(at[0]),
                at[at.length - 1], at, one, at.length, true, OptionalLong.of(j.request.promptTokens()),
                OptionalLong.empty(), Optional.empty(), "", "");
    }
}
