package dev.assay.load.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: a simulated clock over simulated queues, which the estimate knows nothing of. */
class TimeNeededTest {
    private static final long LIMIT = 60_000_000_000L;
    private static final int RUNS = 40;
    private static final SlotSize SIZE = new SlotSize(4, 60);

    private static CurvePlan plan(double start) {
        return CurvePlan.around(
                new LoadSearch(SearchSettings.of(start, 0.95)
                        .withSlotSeconds(SIZE.mostSeconds() / (1 + SlotSize.LEAD_IN))),
                CurveRunner.AROUND, 130);
    }

    /** What a simulated clock showed: when each slot ended, at what loads, and what was told to be left halfway. */
    private record Clock(List<Double> times, double lowest, double leftShare) {}

    private static Clock clock(CurvePlan plan, Queue queue, SplittableRandom random) {
        List<Double> times = new ArrayList<>();
        List<CurvePlan> rest = new ArrayList<>();
        double now = 0;
        double lowest = Double.POSITIVE_INFINITY;
        for (Optional<CurvePlan.Next> next = plan.next(); next.isPresent(); next = plan.next()) {
            double load = next.get().load();
            int all = SIZE.requests(load, next.get().requests());
            int lead = SIZE.leadIn(all);
            // What is still in the queue after the last arrival drains at the rate of its servers.
            double behind = all / load * (load / queue.servers() - 1);
            now += all / load + Math.min(60, Math.max(0, behind) + 1) + 0.3;
            plan.add(queue.slot(load, all - lead, lead, random));
            times.add(now);
            rest.add(plan.copy());
            lowest = Math.min(lowest, load);
        }
        int half = times.size() / 2;
        assertThat(TimeNeeded.left(rest.getLast(), SIZE, LIMIT)).isZero();
        return new Clock(times, lowest,
                TimeNeeded.left(rest.get(half), SIZE, LIMIT) / (now - times.get(half)));
    }

    @ParameterizedTest
    @CsvSource({"8, 0.5", "4, 1", "32, 0.1", "64, 1"})
    void theClockRunsAsLongAsWasTold(int servers, double bound) {
        Queue queue = new Queue(servers, bound);
        double[] share = new double[RUNS];
        double[] leftShare = new double[RUNS];
        int within = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            // The limit lies from half to 64 times where the search begins.
            double start = 2 * queue.capacity(0.95) / Math.pow(128, random.nextDouble());
            TimeNeeded told = TimeNeeded.of(plan(start), SIZE, LIMIT, 0);
            Clock clock = clock(plan(start), queue, random);
            double took = clock.times().getLast();
            assertThat(took <= told.mostSeconds() || clock.lowest() < told.slowBelowRps().orElse(0.0))
                    .isTrue();
            assertThat(clock.times().size()).isLessThanOrEqualTo(told.mostSlots());
            share[seed] = took / told.likelySeconds();
            within += took >= told.likelyLowSeconds() / 1.5 && took <= told.likelyHighSeconds() * 1.5 ? 1 : 0;
            leftShare[seed] = clock.leftShare();
        }
        Arrays.sort(share);
        Arrays.sort(leftShare);
        assertThat(share[RUNS / 2]).as("taken over told").isBetween(0.6, 1.6);
        assertThat(leftShare[RUNS / 2]).as("left, told over true").isBetween(0.6, 1.6);
        assertThat(within / (double) RUNS).as("within half as much again of the range").isGreaterThan(0.6);
    }

    @Test
    void givenLoadsAreCountedOut() {
        CurvePlan plan = CurvePlan.given(new LoadSearch(SearchSettings.of(1, 0.95)), List.of(1.0, 10.0, 0.1),
                130);
        TimeNeeded told = TimeNeeded.of(plan, SIZE, LIMIT, 0);
        // 60 requests at 1/s, 174 at 10/s, 8 at 0.1/s; a server that keeps up adds its last request and the edges.
        assertThat(told.likelySeconds()).isCloseTo(60 + 17.4 + 80, within(20.0));
        assertThat(told.mostSlots()).isEqualTo(6);
        assertThat(told.mostSeconds()).isEqualTo(6 * (80 + 60));
        assertThat(told.slowBelowRps()).isEmpty();
    }

    @Test
    void aSearchThatMayGoVeryLowSaysSo() {
        assertThat(TimeNeeded.of(plan(1), SIZE, LIMIT, 30).slowBelowRps().orElseThrow())
                .isCloseTo(8 / 60.0, within(1e-12));
        TimeNeeded fast = TimeNeeded.of(plan(64), SIZE, LIMIT, 30);
        assertThat(fast.slowBelowRps()).isEmpty();
        assertThat(fast.mostSlots()).isEqualTo(20 + 1 + 2 * 7);
        assertThat(fast.mostSeconds()).isEqualTo(35 * 120 + 50);
        assertThat(fast.likelyLowSeconds()).isLessThanOrEqualTo(fast.likelySeconds());
        assertThat(fast.likelySeconds()).isLessThanOrEqualTo(fast.likelyHighSeconds());
    }
}
