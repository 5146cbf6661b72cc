package dev.assay.workload;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Requests of ServeGen's clients at their own times: one gamma renewal process a client and window, merged. */
final class ClientReplay implements Session.Source {
    private final PriorityQueue<Walker> waiting = new PriorityQueue<>(
            Comparator.comparingLong((Walker w) -> w.nanos).thenComparingInt(w -> w.client));
    private final long seed;
    private final long origin;

    ClientReplay(ServeGen profiles, long seed) {
        this.seed = seed;
        this.origin = profiles.clients().stream().flatMap(c -> c.windows().stream())
                .mapToLong(ServeGen.Window::startNanos).min().orElse(0);
        for (int i = 0; i < profiles.clients().size(); i++) {
            Walker walker = new Walker(profiles.clients().get(i), i);
            if (walker.advance()) {
                waiting.add(walker);
            }
        }
    }

    @Override
    public Optional<Session> next(int firstId) {
        Walker walker = waiting.poll();
        if (walker == null) {
            return Optional.empty();
        }
        Session session = ClientDraws.session(walker.client().windows().get(walker.window),
                walker.nanos - origin, Seeds.stream(seed, Seeds.LENGTHS, firstId));
        if (walker.advance()) {
            waiting.add(walker);
        }
        return Optional.of(session);
    }

    /** Where one client stands. */
    private final class Walker {
        private final ServeGen.Client profile;
        private final int client;
        private int window = -1;
        private Arrivals.Times times = () -> Arrivals.Times.END;
        private long nanos;

        Walker(ServeGen.Client profile, int client) {
            this.profile = profile;
            this.client = client;
        }

        ServeGen.Client client() {
            return profile;
        }

        /** To the client's next arrival; false where it has none left. */
        boolean advance() {
            while (true) {
                long next = times.nextNanos();
                if (next != Arrivals.Times.END) {
                    nanos = profile.windows().get(window).startNanos() + next;
                    if (nanos < profile.windows().get(window).endNanos()) {
                        return true;
                    }
                }
                window++;
                if (window >= profile.windows().size()) {
                    return false;
                }
                times = ArrivalTimes.gamma(profile.windows().get(window).arrivals(),
                        Seeds.stream(seed, Seeds.PROFILES, ((long) client << 32) + window));
            }
        }
    }
}
