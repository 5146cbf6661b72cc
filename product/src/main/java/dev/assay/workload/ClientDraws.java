package dev.assay.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Requests of ServeGen's clients under other arrivals: a window drawn by its share of requests, then its lengths. */
final class ClientDraws implements Session.Source {
    private final List<ServeGen.Window> windows = new ArrayList<>();
    private final double[] cumulative;
    private final long seed;

    ClientDraws(ServeGen profiles, long seed) {
        this.seed = seed;
        profiles.clients().forEach(c -> windows.addAll(c.windows()));
        this.cumulative = new double[windows.size()];
        double sum = 0;
        for (int i = 0; i < cumulative.length; i++) {
            sum += windows.get(i).expected();
            cumulative[i] = sum;
        }
    }

    @Override
    public Optional<Session> next(int firstId) {
        SplittableRandom random = Seeds.stream(seed, Seeds.LENGTHS, firstId);
        double at = random.nextDouble() * cumulative[cumulative.length - 1];
        int found = java.util.Arrays.binarySearch(cumulative, at);
        int window = Math.min(cumulative.length - 1, found >= 0 ? found + 1 : -found - 1);
        return Optional.of(session(windows.get(window), 0, random));
    }

    static Session session(ServeGen.Window window, long nanos, SplittableRandom random) {
        int input = window.input().sample(random);
        int output = window.output().sample(random);
        return new Session(nanos, WorkloadSpec.DEFAULT_CLASS,
                List.of(new Session.Draft(new PromptPlan.Words(input), input, output, 0)));
    }
}
