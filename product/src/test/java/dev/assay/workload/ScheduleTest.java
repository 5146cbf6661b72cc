package dev.assay.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final LengthDistribution FOUR = new LengthDistribution.Constant(4);
    private static final Arrivals POISSON = new Arrivals.Poisson(10);

    private static WorkloadSpec mix(RequestClass... classes) {
        return WorkloadSpec.of("mix", new WorkloadSpec.Content.Mix(List.of(classes)));
    }

    private static List<Request> list(WorkloadSpec spec, int n, long seed) {
        return spec.schedule(POISSON, new Extent.Count(n), seed, Calibration.ASSUMED);
    }

    @Test
    void aScheduleCanBeReadAgainAndIsTheListOneByOne() {
        WorkloadSpec spec = mix(RequestClass.of("a", LengthDistribution.parse("uniform:3,9"), FOUR)
                .withTurns(LengthDistribution.parse("uniform:1,4")));
        Schedule schedule = spec.requests(new Arrivals.Gamma(5, 0.5), new Extent.Count(200), 3,
                Calibration.ASSUMED);
        assertThat(schedule.size()).hasValue(200);
        assertThat(schedule).containsExactlyElementsOf(schedule.toList());
        assertThat(schedule).hasSize(200).containsExactlyElementsOf(schedule);
    }

    @Test
    void ofAClosedLoopThatLastsThereIsNoEnd() {
        Schedule schedule = WorkloadSpec.of(FOUR, FOUR).requests(new Arrivals.ClosedLoop(3),
                new Extent.Lasting(1_000_000_000L), 3, Calibration.ASSUMED);
        assertThat(schedule.endless()).isTrue();
        assertThat(schedule.size()).isEmpty();
        List<Request> list = schedule.toList();
        assertThat(list.get(5).id()).isEqualTo(5);
        assertThat(list.get(2)).isEqualTo(list.get(2));
        Iterator<Request> more = schedule.iterator();
        for (int i = 0; i < 50_000; i++) {
            assertThat(more.next().arrivalNanos()).isZero();
        }
        assertThat(list.get(20_000).prompt()).isNotEmpty();
    }

    @Test
    void aScheduleWithoutARequestIsRefused() {
        assertThatThrownBy(() -> WorkloadSpec.of(FOUR, FOUR).requests(new Arrivals.Constant(1),
                new Extent.Lasting(1000), 3, Calibration.ASSUMED))
                .hasMessageContaining("no request arrives");
    }

    @Test
    void turnsFollowEachOtherAndWaitForTheOneBefore() {
        List<Request> all = list(mix(RequestClass
                .of("chat", LengthDistribution.parse("uniform:5,20"),
                        LengthDistribution.parse("uniform:2,30"))
                .withTurns(LengthDistribution.parse("uniform:2,5")).withThink(Pause.parse("exponential:3"))),
                2000, 8);
        Map<String, Integer> conversations = new HashMap<>();
        double[] pauses = all.stream().flatMap(r -> r.turn().stream()).filter(t -> t.number() > 0)
                .mapToDouble(t -> t.thinkNanos() / 1e9).toArray();
        for (int i = 0; i < all.size(); i++) {
            Request r = all.get(i);
            Turn turn = r.turn().orElseThrow();
            conversations.merge(turn.conversation(), 1, Integer::sum);
            if (turn.number() == 0) {
                assertThat(turn.after()).isEmpty();
                assertThat(i == 0 || all.get(i - 1).arrivalNanos() < r.arrivalNanos()).isTrue();
            } else {
                Request before = all.get(i - 1);
                assertThat(turn.after()).hasValue(i - 1);
                assertThat(before.turn().orElseThrow().conversation()).isEqualTo(turn.conversation());
                assertThat(r.arrivalNanos()).isEqualTo(before.arrivalNanos());
                int fresh = r.prompt().split(" ").length;
                assertThat(r.promptTokens())
                        .isEqualTo(before.promptTokens() + before.outputTokens() + fresh);
            }
        }
        conversations.remove(all.getLast().turn().orElseThrow().conversation());
        long[] turns = new long[4];
        conversations.values().forEach(n -> turns[n - 2]++);
        assertThat(ChiSquareTest.withDefaults().test(turns).getPValue()).isGreaterThan(0.001);
        assertThat(KolmogorovSmirnovTest.withDefaults()
                .test(pauses, ExponentialDistribution.of(3)::cumulativeProbability).getPValue())
                .isGreaterThan(0.001);
    }

    @Test
    void promptsOfAGroupBeginAlikeAndNoMore() {
        PrefixGroups groups = new PrefixGroups("system", 5, LengthDistribution.parse("uniform:30,60"));
        List<Request> all = list(mix(RequestClass.of("a", LengthDistribution.parse("12"), FOUR)
                .withPrefix(groups)), 1000, 4);
        Map<String, Set<Integer>> lengths = new HashMap<>();
        Map<String, Integer> sizes = new HashMap<>();
        for (Request r : all) {
            String[] words = r.prompt().split(" ");
            assertThat(words).hasSize(r.promptTokens());
            String prefix = String.join(" ", List.of(words).subList(0, words.length - 12));
            lengths.computeIfAbsent(prefix, _ -> new HashSet<>()).add(words.length);
            sizes.merge(prefix, 1, Integer::sum);
        }
        assertThat(lengths).hasSize(5).allSatisfy((_, seen) -> assertThat(seen).hasSize(1));
        assertThat(ChiSquareTest.withDefaults()
                .test(sizes.values().stream().mapToLong(Integer::longValue).toArray()).getPValue())
                .isGreaterThan(0.001);
        assertThat(all.stream().map(r -> r.prompt().split(" ")).map(w -> w[w.length - 12] + w[w.length - 11]))
                .doesNotHaveDuplicates();
    }

    @Test
    void classesComeByTheirWeightsWithTheirOwnLengthsAndObjectives() {
        Slo tight = Slo.parse("ttft:100");
        RequestClass chat = new RequestClass("chat", 3, FOUR, FOUR, Optional.empty(),
                new LengthDistribution.Constant(1), Pause.none(), Optional.of(tight));
        RequestClass batch = RequestClass.of("batch", LengthDistribution.parse("50"), FOUR);
        WorkloadSpec spec = mix(chat, batch);
        List<Request> all = list(spec, 8000, 6);
        double share = all.stream().filter(r -> r.requestClass().equals("chat")).count() / 8000.0;
        assertThat(share).isCloseTo(0.75, within(4 * Math.sqrt(0.75 * 0.25 / 8000)));
        assertThat(all).allMatch(r -> r.promptTokens() == (r.requestClass().equals("chat") ? 4 : 50));
        assertThat(spec.slos(Slo.none())).isEqualTo(Map.of("chat", tight, "batch", Slo.none()));
        assertThatThrownBy(() -> mix(batch, batch)).hasMessageContaining("same name");
    }

    @Test
    void aReplayHasTheTracesTimesByItsSpeedAndEndsWithIt() {
        Trace trace = new Trace("t",
                List.of(new Trace.Row(0, 5, 2), new Trace.Row(1000, 6, 3), new Trace.Row(5000, 7, 4)), 0);
        WorkloadSpec spec = WorkloadSpec.of("t", new WorkloadSpec.Content.Traced(trace));
        Schedule twice = spec.requests(new Arrivals.Replay(2), new Extent.Count(Integer.MAX_VALUE), 9,
                Calibration.ASSUMED);
        assertThat(twice.size()).hasValue(3);
        assertThat(twice).extracting(Request::arrivalNanos).containsExactly(0L, 500L, 2500L);
        assertThat(twice).extracting(Request::promptTokens).containsExactly(5, 6, 7);
        assertThat(spec.requests(new Arrivals.Replay(1), new Extent.Lasting(5000), 9, Calibration.ASSUMED))
                .hasSize(2);
        assertThatThrownBy(() -> WorkloadSpec.of(FOUR, FOUR).requests(new Arrivals.Replay(1),
                new Extent.Count(3), 1, Calibration.ASSUMED)).hasMessageContaining("no recorded times");
    }

    /** By hand: tokens of 2 words, blocks of 4 tokens, so 8 words; 1-2-3 and 1-2-9 share 16 words and no more. */
    @Test
    void promptsShareJustTheBlocksThatTheirNumbersSay() {
        Calibration half = new Calibration(0.5, 0);
        Trace trace = new Trace("t", List.of(row(10, 1, 2, 3), row(12, 1, 2, 9), row(9, 7, 2, 3), row(11)),
                4);
        List<Request> all = WorkloadSpec.of("t", new WorkloadSpec.Content.Traced(trace))
                .schedule(new Arrivals.Replay(1), new Extent.Count(9), 5, half);
        assertThat(all).extracting(r -> r.prompt().split(" ").length).containsExactly(20, 24, 18, 22);
        assertThat(shared(all.get(0), all.get(1))).isEqualTo(16);
        assertThat(shared(all.get(0), all.get(2))).isLessThan(3);
        assertThat(all.get(2).prompt().split(" ")[8]).isEqualTo(all.get(0).prompt().split(" ")[8]);
        assertThat(shared(all.get(0), all.get(3))).isLessThan(3);
    }

    private static Trace.Row row(int input, int... ids) {
        return new Trace.Row(0, input, 2, new HashIds(ids), OptionalInt.empty(), 0);
    }

    static int shared(Request a, Request b) {
        String[] x = a.prompt().split(" ");
        String[] y = b.prompt().split(" ");
        int n = 0;
        while (n < Math.min(x.length, y.length) && x[n].equals(y[n])) {
            n++;
        }
        return n;
    }
}
