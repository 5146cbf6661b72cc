package dev.assay.load.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadSearchTest {
    private static final int SEEDS = 120;

    /** The search on a source of slots; returns its end and leaves the slots in {@code seen}. */
    private static Found run(LoadSearch search, List<Observation> seen,
            Function<Step.Ask, Observation> source) {
        while (true) {
            switch (search.next(seen)) {
                case Step.Ask ask -> seen.add(source.apply(ask));
                case Step.Done done -> {
                    return done.found();
                }
            }
        }
    }

    /** A server that serves every request below a load and none above. */
    private static Observation cliff(Step.Ask ask, double limit) {
        int good = ask.load() <= limit ? ask.requests() : 0;
        return new Observation(ask.load(), good, ask.requests(), 1, ask.load(), false, true);
    }

    /** Oracle: Erlang's C formula gives the true highest load of each queue. */
    @Test
    void theQueueAgreesWithErlang() {
        assertThat(new Queue(1, 0).share(0.3)).isCloseTo(0.7, within(1e-12));
        assertThat(new Queue(8, 0).share(5)).isCloseTo(1 - 0.1672665, within(1e-6));
        SplittableRandom random = new SplittableRandom(3);
        Observation slot = new Queue(8, 0.5).slot(5.2168, 400_000, 1000, random);
        assertThat(slot.hits() / (double) slot.trials()).isCloseTo(0.95, within(0.004));
    }

    @ParameterizedTest
    @CsvSource({"8, 0.5, 0.95", "8, 0.5, 0.9", "1, 2, 0.9", "32, 0.1, 0.9", "64, 1, 0.95"})
    void theBracketCoversTheTrueLoad(int servers, double bound, double target) {
        Queue queue = new Queue(servers, bound);
        double truth = queue.capacity(target);
        int covered = 0;
        int bracketed = 0;
        int slots = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double start = Math.exp(4 * random.nextDouble() - 2);
            List<Observation> seen = new ArrayList<>();
            Found found = run(new LoadSearch(SearchSettings.of(start, target)), seen,
                    ask -> queue.slot(ask.load(), ask.requests(), ask.requests() / 3, random));
            slots += seen.size();
            bracketed += found.bracketed() ? 1 : 0;
            covered += found.meets().orElse(0) <= truth && found.misses().orElse(1e9) >= truth ? 1 : 0;
        }
        // 95 % is promised; three standard deviations of 120 draws are 6 %.
        assertThat(covered / (double) SEEDS).isGreaterThanOrEqualTo(0.89);
        assertThat(bracketed / (double) SEEDS).isGreaterThan(0.85);
        assertThat(slots / (double) SEEDS).isLessThan(18);
    }

    @ParameterizedTest
    @CsvSource({"0.07", "1", "3.3", "200"})
    void aCliffIsBracketedWithinTheResolution(double limit) {
        List<Observation> seen = new ArrayList<>();
        SearchSettings settings = SearchSettings.of(1, 0.95);
        Found found = run(new LoadSearch(settings), seen, ask -> cliff(ask, limit));
        assertThat(found.reason()).isEqualTo("both ends confirmed");
        assertThat(found.meets().orElseThrow()).isLessThanOrEqualTo(limit);
        assertThat(found.misses().orElseThrow()).isGreaterThan(limit);
        assertThat(found.misses().orElseThrow() / found.meets().orElseThrow())
                .isLessThanOrEqualTo(settings.resolution() + 1e-9);
        assertThat(seen.size()).isLessThan(16);
    }

    @Test
    void limitsOfTheLoadAreSaidAndNeverPassed() {
        SearchSettings narrow = SearchSettings.of(2, 0.95).within(1, 8);
        List<Observation> seen = new ArrayList<>();
        Found found = run(new LoadSearch(narrow), seen, ask -> cliff(ask, 1000));
        assertThat(found.meets()).hasValue(8);
        assertThat(found.misses()).isEmpty();
        assertThat(found.reason()).contains("highest load allowed");
        seen.clear();
        found = run(new LoadSearch(narrow), seen, ask -> cliff(ask, 0.1));
        assertThat(found.misses()).hasValue(1);
        assertThat(found.meets()).isEmpty();
        assertThat(seen).allMatch(o -> o.load() >= 1 && o.load() <= 8);
    }

    /** Oracle: brute force over how many of n requests, all good, are enough for the interval. */
    @ParameterizedTest
    @CsvSource({"11.25, 0.95", "45, 0.95", "45, 0.99", "3, 0.5"})
    void belowALoadNothingIsShownSoNothingIsTriedThere(double slotSeconds, double target) {
        LoadSearch search = new LoadSearch(SearchSettings.of(1, target).withSlotSeconds(slotSeconds));
        int n = 1;
        while (dev.assay.stats.ShareEstimate.of(n, n, 1, search.decisionLevel()).interval().low() < target) {
            n++;
        }
        int slots = search.settings().looks() + 1;
        assertThat(search.leastShown() * slots * slotSeconds).isBetween(n - 1.0, n + 1e-9);
        // The limit lies at a fifth of it: the search brackets, and ends without going farther down.
        double limit = search.leastShown() / 5;
        List<Observation> seen = new ArrayList<>();
        Found found = run(search, seen, ask -> cliff(
                new Step.Ask(ask.load(),
                        (int) Math.max(6, Math.min(ask.requests(), ask.load() * slotSeconds)),
                        ask.purpose()),
                limit));
        assertThat(found.meets()).isEmpty();
        assertThat(found.reason()).contains("show no load below");
        double lowest = seen.stream().mapToDouble(Observation::load).min().orElseThrow();
        assertThat(lowest).isGreaterThan(Math.min(1, limit) / 2.01);
        assertThat(new LoadSearch(SearchSettings.of(1, target)).leastShown()).isZero();
    }

    @Test
    void anInvalidSlotIsRepeatedOnceAndNeverUsed() {
        LoadSearch search = new LoadSearch(SearchSettings.of(1, 0.95));
        List<Observation> seen = new ArrayList<>();
        seen.add(new Observation(1, 0, 40, 1, 1, false, false));
        assertThat(search.next(seen)).isEqualTo(new Step.Ask(1, 40, Step.Purpose.REPEAT));
        seen.add(new Observation(1, 40, 40, 1, 1, false, true));
        assertThat(search.next(seen)).isInstanceOf(Step.Ask.class);
        assertThat(((Step.Ask) search.next(seen)).load()).isEqualTo(2);
        seen.add(new Observation(2, 0, 40, 1, 1, false, false));
        seen.add(new Observation(2, 0, 40, 1, 1, false, false));
        Step.Done done = (Step.Done) search.next(seen);
        assertThat(done.found().reason()).contains("not valid");
        assertThat(done.found().misses()).isEmpty();
    }

    @Test
    void aGrowingBacklogIsNoProofThatALoadIsMet() {
        LoadSearch search = new LoadSearch(SearchSettings.of(1, 0.95));
        List<Observation> saturated = List.of(new Observation(1, 800, 800, 1, 1, true, true));
        assertThat(search.found(saturated, "").meets()).isEmpty();
        List<Observation> twice = List.of(saturated.getFirst(), saturated.getFirst());
        assertThat(search.found(twice, "").misses()).hasValue(1);
    }

    @Test
    void aServerThatChangedIsSaid() {
        LoadSearch search = new LoadSearch(SearchSettings.of(1, 0.95));
        List<Observation> seen = List.of(new Observation(3, 10, 200, 1, 3, false, true),
                new Observation(4, 400, 400, 1, 4, false, true),
                new Observation(8, 0, 40, 1, 30, true, true));
        Found found = search.found(seen, "stopped");
        assertThat(found.meets()).hasValue(4);
        assertThat(found.misses()).hasValue(8);
        assertThat(found.reason())
                .isEqualTo("stopped; but 3.00/s missed: the server changed while it was measured");
    }

    @Test
    void slotsThatAreTooShortToTellAreSaid() {
        SearchSettings brief = SearchSettings.of(1, 0.95).withSlotSeconds(5);
        Found found = run(new LoadSearch(brief), new ArrayList<>(), ask -> {
            int n = Math.max(1, (int) Math.min(ask.requests(), 5 * ask.load()));
            return new Observation(ask.load(), ask.load() <= 0.9 ? n : 0, n, 1, 1, false, true);
        });
        assertThat(found.meets()).isEmpty();
        assertThat(found.reason())
                .matches("an end stays open: at .*/s about \\d+ more requests would tell, \\d+ s;"
                        + " slots as short as these show no load below 7.80/s to meet it");
    }
}
